import { hasPart, type VehicleModel } from '../../../protocol/models/model.ts';
import type { Quantity, SwitchQuantity } from '../../../protocol/models/quantities.ts';
import type { SensedQuantities, SensedValue } from '../../../protocol/models/raw.ts';
import { cos, type GeoPoint, PI, radians, sin } from '../../arithmetic.ts';
import type { RouteSpot } from '../../routes/route.ts';
import type { Journey } from '../driving/journey.ts';
import { CAR_PACK, portReading, sharesOf, warmthC } from '../energy/drive-batteries.ts';
import { untilFullS } from '../energy/energy.ts';
import { limits } from '../limits.ts';
import type { PhysicalState } from '../motion-segment.ts';
import type { Quantities, Sensor } from '../sensing/signals.ts';
import type { Equipment, Gear, Seat } from './equipment.ts';
import { isAnyTireSoft, isScarce, type LevelName, levelAt } from './levels.ts';
import { isLit } from './trouble-codes.ts';

/** The part of a vehicle's view that its equipment needs. */
export interface EquipmentView {
  readonly atMs: number;
  readonly model: VehicleModel;
  readonly journey: Journey;
  readonly physicalState: PhysicalState;
  readonly spot: RouteSpot;
  /** The quantities that every vehicle has. */
  readonly quantities: Quantities;
  readonly equipment: Equipment;
  /** The trouble codes at that moment. */
  readonly codes: readonly number[];
  readonly mileageKm: number;
  readonly ambientTemperatureC: number;
}

type QuantityReader<Name extends Quantity> = (view: EquipmentView) => SensedValue<Name>;

/**
 * How each quantity follows from the vehicle; those that every vehicle has are in
 * simulator/vehicle/sensing/quantities.ts.
 */
const QUANTITY_READERS: { readonly [Name in Quantity]?: QuantityReader<Name> } = {
  gear: ({ journey, physicalState, equipment }) => gearOf(journey, physicalState, equipment.gear),
  parkingBrakeEngaged: ({ journey }) => !isUnderWay(journey),
  absEnabled: ({ equipment }) => equipment.aids.abs,
  espEnabled: ({ equipment }) => equipment.aids.esp,
  headlightsOn: ({ journey, spot, atMs }) =>
    journey.segment.engine === 'running' && (spot.sky === 'covered' || isDark(atMs, spot)),

  energyLow: ({ quantities }) => quantities.energyPercent < limits.energyWarningPercent,
  fuelLitres: ({ physicalState }) => physicalState.energy,
  adblueLitres: (view) => (level(view, 'adblue') * (view.model.body.adblue?.litres ?? 0)) / 100,
  adbluePercent: (view) => level(view, 'adblue'),
  hybridChargePercent: ({ physicalState, model }) =>
    (physicalState.tractionKwh / (model.body.hybrid?.capacityKwh ?? 1)) * 100,
  chargingAdapterConnected: ({ journey }) => isPlugged(journey),
  charging: ({ journey }) => journey.segment.engine === 'charging',
  chargingMinutesLeft: ({ journey, physicalState, model }) =>
    journey.segment.engine === 'charging' ? untilFullS(physicalState, model) / 60 : 'unavailable',

  battery1Percent: (view) => port(view, 0)?.percent ?? 'unavailable',
  battery1Cycles: (view) => port(view, 0)?.cycles ?? 'unavailable',
  battery1TemperatureC: (view) => portC(view, 0),
  battery1Volts: (view) => port(view, 0)?.volts ?? 'unavailable',
  battery1Serial: (view) => port(view, 0)?.serial ?? 'unavailable',
  battery2Percent: (view) => port(view, 1)?.percent ?? 'unavailable',
  battery2Cycles: (view) => port(view, 1)?.cycles ?? 'unavailable',
  battery2TemperatureC: (view) => portC(view, 1),
  battery2Volts: (view) => port(view, 1)?.volts ?? 'unavailable',
  battery2Serial: (view) => port(view, 1)?.serial ?? 'unavailable',

  windowsOpen: ({ equipment }) => equipment.openings.windows,
  sunroofOpen: ({ equipment }) => equipment.openings.sunroof,
  convertibleTopOpen: ({ equipment }) => equipment.openings.convertible_top,
  keyPresent: ({ equipment }) => equipment.keyPresent,
  beltFrontLeft: (view) => isFastened(view, 'front_left'),
  beltFrontRight: (view) => isFastened(view, 'front_right'),
  beltRow2Left: (view) => isFastened(view, 'row2_left'),
  beltRow2Middle: (view) => isFastened(view, 'row2_middle'),
  beltRow2Right: (view) => isFastened(view, 'row2_right'),
  card1: ({ equipment }) => equipment.cards[0] ?? 'NOT_CONFIGURED',
  card2: ({ equipment }) => equipment.cards[1] ?? 'NOT_CONFIGURED',
  card3: ({ equipment }) => equipment.cards[2] ?? 'NOT_CONFIGURED',

  absWarning: lamp('absWarning'),
  adblueLow: (view) => isLevelScarce(view, 'adblue'),
  brakeFluidDueDay: ({ equipment }) => equipment.dues.brakeFluidDay,
  brakeFluidLow: (view) => isLevelScarce(view, 'brake_fluid'),
  brakeLiningWorn: (view) => isLevelScarce(view, 'brake_lining'),
  brakeWarning: (view) =>
    isLit('brakeWarning', view.codes) ||
    isLevelScarce(view, 'brake_fluid') ||
    isLevelScarce(view, 'brake_lining'),
  checkEngine: lamp('checkEngine'),
  coolantLow: (view) => isLevelScarce(view, 'coolant'),
  coolantHot: ({ quantities }) => quantities.coolantTemperatureC > limits.hotCoolantC,
  troubleCodes: ({ codes }) => codes,
  oilDueDay: ({ equipment }) => equipment.dues.oilDay,
  oilDueKm: ({ equipment, quantities }) => equipment.dues.oilKm - quantities.mileageKm,
  oilPressureLow: (view) => isLevelScarce(view, 'oil'),
  epcWarning: lamp('epcWarning'),
  espWarning: ({ codes, equipment }) => isLit('espWarning', codes) || !equipment.aids.esp,
  powerSteeringFailed: lamp('powerSteeringFailed'),
  serviceDueDay: ({ equipment }) => equipment.dues.serviceDay,
  serviceDueKm: ({ equipment, quantities }) => equipment.dues.serviceKm - quantities.mileageKm,
  starterBatteryWarning: (view) => isLevelScarce(view, 'starter_battery'),
  tirePressureWarning: (view) => isAnyTireSoft(view.equipment.levels, view.model, view),
  washerFluidLow: (view) => isLevelScarce(view, 'washer_fluid'),
};

const known = Object.entries(QUANTITY_READERS) as [Quantity, QuantityReader<Quantity>][];
const ownReaders = new WeakMap<VehicleModel, readonly [Quantity, QuantityReader<Quantity>][]>();

/** Everything that the rows of the vehicle's model can report about it. */
export function allQuantitiesOf(view: EquipmentView): Quantities {
  const { model } = view;
  let own = ownReaders.get(model);
  if (own === undefined) {
    own = known.filter(([name]) => hasPart(model, name));
    ownReaders.set(model, own);
  }
  const sensed: Record<string, SensedValue> = { ...view.quantities } as Record<string, SensedValue>;
  for (const [name, read] of own) sensed[name] = read(view);
  return sensed as unknown as Quantities & SensedQuantities;
}

/** The reading of each sensor of the vehicle, computed one by one. */
export function sensorOf(view: EquipmentView): Sensor {
  const { sensors } = view.equipment;
  return (name) =>
    sensors[name] ??
    (QUANTITY_READERS[name] === undefined ? view.quantities[name] : QUANTITY_READERS[name](view));
}

/** With little coolant the engine or traction battery is cooled badly: how much hotter it is then, in °C. */
export function overheatingC(coolantPercent: number, coolantC: number): number {
  if (coolantPercent >= limits.coolingPercent) return 0;
  const lack = 1 - coolantPercent / limits.coolingPercent;
  return Math.max(coolantC - limits.coldC, 0) * limits.overheatingShare * lack;
}

/** Whether a plug is in. */
export function isPlugged({ switches, segment }: Journey): boolean {
  return switches.pluggedIn || segment.engine === 'charging';
}

function isUnderWay({ segment, switches, intent }: Journey): boolean {
  return segment.move !== undefined || (switches.ignitionOn && intent.wish === 'drive');
}

/** The selector's position. At long red lights a driver shifts into neutral. */
function gearOf(journey: Journey, { atS }: PhysicalState, held: Gear | undefined): Gear {
  const { segment, switches } = journey;
  if (!switches.ignitionOn) return 'PARK';
  if (segment.move !== undefined) return held === 'SPORT' ? 'SPORT' : 'DRIVE';
  if (held !== undefined) return held;
  if (!isUnderWay(journey)) return 'PARK';
  return atS - segment.from.atS > limits.neutralAfterS ? 'NEUTRAL' : 'DRIVE';
}

function isFastened({ journey, equipment }: EquipmentView, seat: Seat): boolean {
  const held = equipment.belts[seat];
  if (held !== undefined) return held;
  if (!isUnderWay(journey) || journey.switches.doorOpen) return false;
  return seat === 'front_left' || equipment.passengers.includes(seat);
}

function lamp(name: SwitchQuantity): (view: EquipmentView) => boolean {
  return ({ codes }) => isLit(name, codes);
}

function level(view: EquipmentView, name: LevelName): number {
  return levelAt(view.equipment.levels, name, view.model, view);
}

function isLevelScarce(view: EquipmentView, name: LevelName): boolean {
  return isScarce(view.equipment.levels, name, view.model, view);
}

/** The battery pack of a plug-in hybrid is apart from the engine, which warms it a little. */
function packC({ physicalState, model, ambientTemperatureC }: EquipmentView): number {
  if (model.body.hybrid === undefined) return physicalState.coolantC;
  return ambientTemperatureC + (physicalState.coolantC - ambientTemperatureC) * limits.packWarmthShare;
}

/** A battery in a port is warmer than the drive by where it lies, and by its own age. */
function portC(view: EquipmentView, index: number): SensedValue<'battery1TemperatureC'> {
  const reading = port(view, index);
  if (reading === undefined) return 'unavailable';
  return packC(view) + (view.model.body.hybrid === undefined ? warmthC(index, reading) : 0);
}

function port({ equipment, physicalState, model }: EquipmentView, index: number) {
  const { batteries, firstSerial } = equipment;
  const { energyCapacity, hybrid } = model.body;
  if (hybrid !== undefined) {
    const own = { kwh: physicalState.tractionKwh, swaps: 0 };
    const most = hybrid.capacityKwh;
    return index === 0
      ? portReading(own, 0, own.kwh, { most, firstSerial, fillings: 0, ...CAR_PACK })
      : undefined;
  }
  const kwh = sharesOf(batteries, physicalState.energy, energyCapacity)[index] ?? 0;
  const most = energyCapacity / Math.max(batteries.length, 1);
  return portReading(batteries[index], index, kwh, { most, firstSerial, fillings: physicalState.fillings });
}

const DAY_MS = 86_400_000;
/** The solar year in days, and the equinox of 2000-03-20T07:35Z. */
const YEAR_DAYS = 365.2422;
const EQUINOX_MS = 953_537_700_000;
/** The tilt of the earth's axis. */
const TILT_DEGREES = 23.44;
/** Below this height of the sun drivers turn their lights on. */
const DUSK_SINE = 0.05;

/**
 * Whether it is so dark at this place that lights are on, by the height of the sun (accurate to some
 * minutes).
 */
function isDark(atMs: number, { latitude, longitude }: GeoPoint): boolean {
  const days = (atMs - EQUINOX_MS) / DAY_MS;
  const years = days / YEAR_DAYS;
  const sine = sin(radians(TILT_DEGREES)) * sin(2 * PI * (years - Math.floor(years)));
  const cosine = Math.sqrt(1 - sine * sine);
  const dayMs = atMs - Math.floor(atMs / DAY_MS) * DAY_MS;
  const hourAngle = radians((dayMs / DAY_MS) * 360 - 180 + longitude);
  const here = radians(latitude);
  return sin(here) * sine + cos(here) * cosine * cos(hourAngle) < DUSK_SINE;
}
