import { has, type VehicleModel } from '../../protocol/models/model.ts';
import type { Quantity, Switch } from '../../protocol/models/quantities.ts';
import type { Sensations, Sensed } from '../../protocol/models/raw.ts';
import type { Spot } from '../routes/route.ts';
import { isDark } from './daylight.ts';
import { CAR_PACK, portReading, sharesOf } from './drive-batteries.ts';
import type { Journey } from './driver.ts';
import { untilFullS } from './energy.ts';
import type { Equipment, Gear, Seat } from './equipment.ts';
import { isLit } from './faults.ts';
import { isAnyTireSoft, isScarce, type LevelName, levelAt } from './levels.ts';
import { limits } from './limits.ts';
import type { Quantities, Sensor } from './signals.ts';
import type { Condition } from './stretch.ts';

/** A vehicle at one moment, as far as its equipment is about it. */
export interface Look {
  readonly atMs: number;
  readonly model: VehicleModel;
  readonly journey: Journey;
  readonly condition: Condition;
  readonly spot: Spot;
  /** What every vehicle says. */
  readonly quantities: Quantities;
  readonly equipment: Equipment;
  /** The trouble codes at that moment. */
  readonly codes: readonly number[];
  readonly mileageKm: number;
  readonly ambientTemperatureC: number;
}

type Tell<Name extends Quantity> = (look: Look) => Sensed<Name>;

/** How each quantity follows from the vehicle; those that every vehicle has stand in quantities.ts. */
const TELLS: { readonly [Name in Quantity]?: Tell<Name> } = {
  gear: ({ journey, condition, equipment }) => gearOf(journey, condition, equipment.gear),
  parkingBrakeEngaged: ({ journey }) => !isUnderWay(journey),
  absEnabled: ({ equipment }) => equipment.aids.abs,
  espEnabled: ({ equipment }) => equipment.aids.esp,
  headlightsOn: ({ journey, spot, atMs }) =>
    journey.stretch.engine === 'running' && (spot.sky === 'covered' || isDark(atMs, spot)),

  energyLow: ({ quantities }) => quantities.energyPercent < limits.energyWarningPercent,
  fuelLitres: ({ condition }) => condition.energy,
  adblueLitres: (look) => (level(look, 'adblue') * (look.model.body.adblue?.litres ?? 0)) / 100,
  adbluePercent: (look) => level(look, 'adblue'),
  hybridChargePercent: ({ condition, model }) =>
    (condition.tractionKwh / (model.body.hybrid?.capacityKwh ?? 1)) * 100,
  chargingAdapterConnected: ({ journey }) => isPlugged(journey),
  charging: ({ journey }) => journey.stretch.engine === 'charging',
  chargingMinutesLeft: ({ journey, condition, model }) =>
    journey.stretch.engine === 'charging' ? untilFullS(condition, model) / 60 : 'unavailable',

  battery1Percent: (look) => port(look, 0)?.percent ?? 'unavailable',
  battery1Cycles: (look) => port(look, 0)?.cycles ?? 'unavailable',
  battery1TemperatureC: (look) => (port(look, 0) === undefined ? 'unavailable' : packC(look)),
  battery1Volts: (look) => port(look, 0)?.volts ?? 'unavailable',
  battery1Serial: (look) => port(look, 0)?.serial ?? 'unavailable',
  battery2Percent: (look) => port(look, 1)?.percent ?? 'unavailable',
  battery2Cycles: (look) => port(look, 1)?.cycles ?? 'unavailable',
  battery2TemperatureC: (look) => (port(look, 1) === undefined ? 'unavailable' : packC(look)),
  battery2Volts: (look) => port(look, 1)?.volts ?? 'unavailable',
  battery2Serial: (look) => port(look, 1)?.serial ?? 'unavailable',

  windowsOpen: ({ equipment }) => equipment.openings.windows,
  sunroofOpen: ({ equipment }) => equipment.openings.sunroof,
  convertibleTopOpen: ({ equipment }) => equipment.openings.convertible_top,
  keyPresent: ({ equipment }) => equipment.keyPresent,
  beltFrontLeft: (look) => isFastened(look, 'front_left'),
  beltFrontRight: (look) => isFastened(look, 'front_right'),
  beltRow2Left: (look) => isFastened(look, 'row2_left'),
  beltRow2Middle: (look) => isFastened(look, 'row2_middle'),
  beltRow2Right: (look) => isFastened(look, 'row2_right'),
  card1: ({ equipment }) => equipment.cards[0] ?? 'NOT_CONFIGURED',
  card2: ({ equipment }) => equipment.cards[1] ?? 'NOT_CONFIGURED',
  card3: ({ equipment }) => equipment.cards[2] ?? 'NOT_CONFIGURED',

  absWarning: lamp('absWarning'),
  adblueLow: (look) => scarce(look, 'adblue'),
  brakeFluidDueDay: ({ equipment }) => equipment.dues.brakeFluidDay,
  brakeFluidLow: (look) => scarce(look, 'brake_fluid'),
  brakeLiningWorn: (look) => scarce(look, 'brake_lining'),
  brakeWarning: (look) =>
    isLit('brakeWarning', look.codes) || scarce(look, 'brake_fluid') || scarce(look, 'brake_lining'),
  checkEngine: lamp('checkEngine'),
  coolantLow: (look) => scarce(look, 'coolant'),
  coolantHot: ({ quantities }) => quantities.coolantTemperatureC > limits.hotCoolantC,
  troubleCodes: ({ codes }) => codes,
  oilDueDay: ({ equipment }) => equipment.dues.oilDay,
  oilDueKm: ({ equipment, quantities }) => equipment.dues.oilKm - quantities.mileageKm,
  oilPressureLow: (look) => scarce(look, 'oil'),
  epcWarning: lamp('epcWarning'),
  espWarning: ({ codes, equipment }) => isLit('espWarning', codes) || !equipment.aids.esp,
  powerSteeringFailed: lamp('powerSteeringFailed'),
  serviceDueDay: ({ equipment }) => equipment.dues.serviceDay,
  serviceDueKm: ({ equipment, quantities }) => equipment.dues.serviceKm - quantities.mileageKm,
  starterBatteryWarning: (look) => scarce(look, 'starter_battery'),
  tirePressureWarning: (look) => isAnyTireSoft(look.equipment.levels, look.model, look),
  washerFluidLow: (look) => scarce(look, 'washer_fluid'),
};

const known = Object.entries(TELLS) as [Quantity, Tell<Quantity>][];
const ownTells = new WeakMap<VehicleModel, readonly [Quantity, Tell<Quantity>][]>();

/** Everything that the rows of the vehicle's model can say of it. */
export function sensationsOf(look: Look): Quantities {
  const { model } = look;
  let own = ownTells.get(model);
  if (own === undefined) {
    own = known.filter(([name]) => has(model, name));
    ownTells.set(model, own);
  }
  const told: Record<string, Sensed> = { ...look.quantities } as Record<string, Sensed>;
  for (const [name, tell] of own) told[name] = tell(look);
  return told as unknown as Quantities & Sensations;
}

/** What each sensor of the vehicle says, asked one by one. */
export function sensorOf(look: Look): Sensor {
  const { sensors } = look.equipment;
  return (name) => sensors[name] ?? (TELLS[name] === undefined ? look.quantities[name] : TELLS[name](look));
}

/** The engine or the traction battery loses its heat badly with little coolant: how much hotter it is then, in °C. */
export function overheatingC(coolantPercent: number, coolantC: number): number {
  if (coolantPercent >= limits.coolingPercent) return 0;
  const lack = 1 - coolantPercent / limits.coolingPercent;
  return Math.max(coolantC - limits.coldC, 0) * limits.overheatingShare * lack;
}

/** Whether a plug is in. */
export function isPlugged({ switches, stretch }: Journey): boolean {
  return switches.pluggedIn || stretch.engine === 'charging';
}

function isUnderWay({ stretch, switches, intent }: Journey): boolean {
  return stretch.move !== undefined || (switches.ignitionOn && intent.wish === 'drive');
}

/** Where the selector stands. At long red lights a driver takes the gear out. */
function gearOf(journey: Journey, { atS }: Condition, held: Gear | undefined): Gear {
  const { stretch, switches } = journey;
  if (!switches.ignitionOn) return 'PARK';
  if (stretch.move !== undefined) return held === 'SPORT' ? 'SPORT' : 'DRIVE';
  if (held !== undefined) return held;
  if (!isUnderWay(journey)) return 'PARK';
  return atS - stretch.from.atS > limits.neutralAfterS ? 'NEUTRAL' : 'DRIVE';
}

function isFastened({ journey, equipment }: Look, seat: Seat): boolean {
  const held = equipment.belts[seat];
  if (held !== undefined) return held;
  if (!isUnderWay(journey) || journey.switches.doorOpen) return false;
  return seat === 'front_left' || equipment.passengers.includes(seat);
}

function lamp(name: Switch): (look: Look) => boolean {
  return ({ codes }) => isLit(name, codes);
}

function level(look: Look, name: LevelName): number {
  return levelAt(look.equipment.levels, name, look.model, look);
}

function scarce(look: Look, name: LevelName): boolean {
  return isScarce(look.equipment.levels, name, look.model, look);
}

/** The pack of a plug-in hybrid lies apart from the engine, and is warmed by it a little. */
function packC({ condition, model, ambientTemperatureC }: Look): number {
  if (model.body.hybrid === undefined) return condition.coolantC;
  return ambientTemperatureC + (condition.coolantC - ambientTemperatureC) * limits.packWarmthShare;
}

function port({ equipment, condition, model }: Look, index: number) {
  const { batteries, firstSerial } = equipment;
  const { energyCapacity, hybrid } = model.body;
  if (hybrid !== undefined) {
    const own = { kwh: condition.tractionKwh, swaps: 0 };
    const most = hybrid.capacityKwh;
    return index === 0
      ? portReading(own, 0, own.kwh, { most, firstSerial, fillings: 0, ...CAR_PACK })
      : undefined;
  }
  const kwh = sharesOf(batteries, condition.energy, energyCapacity)[index] ?? 0;
  const most = energyCapacity / Math.max(batteries.length, 1);
  return portReading(batteries[index], index, kwh, { most, firstSerial, fillings: condition.fillings });
}
