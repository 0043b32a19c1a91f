import { hasPart, type VehicleModel } from '../../../protocol/models/model.ts';
import { isSwitch, QUANTITIES, type Quantity } from '../../../protocol/models/quantities.ts';
import type { Journey } from '../driving/journey.ts';
import { sharesOf } from '../energy/drive-batteries.ts';
import { plugOf } from '../energy/energy.ts';
import type { PhysicalState } from '../motion-segment.ts';
import {
  CARDS,
  type CardState,
  codesAt,
  DRIVING_AIDS,
  type DrivingAid,
  type Equipment,
  type Gear,
  INTERVALS,
  SEATS,
  type Seat,
  type SensorState,
  type ServiceDues,
  VEHICLE_OPENINGS,
  type VehicleOpening,
} from './equipment.ts';
import { isPlugged } from './equipment-quantities.ts';
import { hasLevel, LEVEL_NAMES, type LevelName, type LevelReadings } from './levels.ts';
import { causedCodes, type NextFault, type TroubleCode } from './trouble-codes.ts';

/** People's operations on a vehicle's equipment. Percent 0 to 100; days count from today, km from the mileage. */
export type VehicleOperation =
  | { readonly kind: 'opening'; readonly what: VehicleOpening; readonly open: boolean }
  | { readonly kind: 'charge'; readonly connected: boolean }
  | { readonly kind: 'refuel'; readonly percent: number }
  | { readonly kind: 'belt'; readonly seat: Seat; readonly fastened: boolean | undefined }
  | { readonly kind: 'key'; readonly present: boolean }
  | { readonly kind: 'card'; readonly slot: number; readonly state: CardState }
  | { readonly kind: 'gear'; readonly position: Gear | undefined }
  | { readonly kind: 'aid'; readonly what: DrivingAid; readonly enabled: boolean }
  | { readonly kind: 'wear'; readonly what: LevelName; readonly percent: number }
  | { readonly kind: 'due'; readonly what: keyof ServiceDues; readonly left: number }
  | { readonly kind: 'trouble-code'; readonly code: TroubleCode; readonly active: boolean }
  | { readonly kind: 'workshop' }
  | { readonly kind: 'sensor'; readonly quantity: Quantity; readonly state: SensorState }
  | { readonly kind: 'battery'; readonly port: number; readonly percent: number | undefined };

/** The vehicle of the operation. */
export interface OperationContext {
  readonly model: VehicleModel;
  readonly journey: Journey;
  readonly physicalState: PhysicalState;
  readonly equipment: Equipment;
  readonly atMs: number;
  readonly mileageKm: number;
  /** The next fault, after this many repairs. */
  readonly faultAfter: (count: number, mileageKm: number) => NextFault;
}

/** The result: the changes, or why it cannot be done and how to proceed. */
export type OperationResult =
  | { readonly refusal: string }
  | {
      readonly equipment?: Equipment;
      readonly pluggedIn?: boolean;
      readonly stores?: Partial<Pick<PhysicalState, 'energy'>>;
    };

type Operate<Kind extends VehicleOperation['kind']> = (
  operation: Extract<VehicleOperation, { kind: Kind }>,
  context: OperationContext,
) => OperationResult;

const OPERATIONS: { readonly [Kind in VehicleOperation['kind']]: Operate<Kind> } = {
  opening: ({ what, open }, context) =>
    lacking(context, VEHICLE_OPENINGS[what], what.replaceAll('_', ' ')) ??
    changed(context, { openings: { ...context.equipment.openings, [what]: open } }),
  charge: ({ connected }, context) => plugging(connected, context),
  refuel: ({ percent }, context) => refuelling(percent, context),
  belt: ({ seat, fastened }, context) => {
    const { [seat]: _held, ...others } = context.equipment.belts;
    const belts = fastened === undefined ? others : { ...others, [seat]: fastened };
    return (
      lacking(context, SEATS[seat], `belt at ${seat.replaceAll('_', ' ')}`) ?? changed(context, { belts })
    );
  },
  key: ({ present }, context) =>
    lacking(context, 'keyPresent', 'place for its key that tells of it') ??
    changed(context, { keyPresent: present }),
  card: ({ slot, state }, context) => {
    const cards = context.equipment.cards.map((before, index) => (index === slot - 1 ? state : before));
    const quantity = CARDS[slot - 1];
    if (quantity === undefined) return { refusal: `There are ${CARDS.length} slots for cards.` };
    return lacking(context, quantity, `slot ${slot} for a card`) ?? changed(context, { cards });
  },
  gear: ({ position }, context) =>
    lacking(context, 'gear', 'selector lever') ?? changed(context, { gear: position }),
  aid: ({ what, enabled }, context) =>
    lacking(context, DRIVING_AIDS[what], `${what.toUpperCase()} that can be switched off`) ??
    changed(context, { aids: { ...context.equipment.aids, [what]: enabled } }),
  wear: ({ what, percent }, context) =>
    hasLevel(context.model, what)
      ? changed(context, { ...latched(context), levels: withLevels(context, [what], percent) })
      : lack(context, what.replaceAll('_', ' ')),
  due: ({ what, left }, context) => {
    const isDay = what.endsWith('Day');
    const at = isDay ? Math.floor(context.atMs / DAY_MS) + Math.round(left) : context.mileageKm + left;
    return changed(context, { dues: { ...context.equipment.dues, [what]: at } });
  },
  'trouble-code': ({ code, active }, context) => troubling(code, active, context),
  workshop: (_deed, context) => mended(context),
  sensor: ({ quantity, state }, context) => sensing(quantity, state, context),
  battery: ({ port, percent }, context) => swapping(port, percent, context),
};

const DAY_MS = 86_400_000;

/** The result of an operation. Decides only. */
export function operationResult<Kind extends VehicleOperation['kind']>(
  operation: Extract<VehicleOperation, { kind: Kind }>,
  context: OperationContext,
): OperationResult {
  const operate = OPERATIONS[operation.kind as Kind] as Operate<Kind>;
  return operate(operation, context);
}

function changed({ equipment }: OperationContext, change: Partial<Equipment>): OperationResult {
  return { equipment: { ...equipment, ...change } };
}

function lack({ model }: OperationContext, part: string): { readonly refusal: string } {
  return { refusal: `A vehicle of the model ${model.name} has no ${part}.` };
}

function lacking(context: OperationContext, quantity: Quantity, part: string) {
  return hasPart(context.model, quantity) ? undefined : lack(context, part);
}

/** Why its energy stores cannot be changed now; undefined: it is parked. */
function unparked({ journey, physicalState }: OperationContext): { readonly refusal: string } | undefined {
  const isParked =
    physicalState.speedMps === 0 && !journey.switches.ignitionOn && journey.segment.move === undefined;
  return isParked ? undefined : { refusal: 'The ignition is on. Let the vehicle park first.' };
}

function plugging(connected: boolean, context: OperationContext): OperationResult {
  if (plugOf(context.model) === undefined) return lack(context, 'plug to charge at');
  const { journey } = context;
  if (connected) return isPlugged(journey) ? { pluggedIn: true } : (unparked(context) ?? { pluggedIn: true });
  if (!journey.switches.pluggedIn && isPlugged(journey))
    return { refusal: 'The driver charges on the way, with an empty battery. Let the vehicle park first.' };
  return { pluggedIn: false };
}

function refuelling(percent: number, context: OperationContext): OperationResult {
  const { model, physicalState } = context;
  if (model.fuelType === 'ELECTRIC') return lack(context, 'tank');
  const wanted = (model.body.energyCapacity * percent) / 100;
  if (wanted < physicalState.energy) return { refusal: 'There is more than that in the tank.' };
  return unparked(context) ?? { stores: { energy: wanted } };
}

function swapping(port: number, percent: number | undefined, context: OperationContext): OperationResult {
  const { model, equipment, physicalState } = context;
  const { batteries } = equipment;
  const before = batteries[port - 1];
  if (before === undefined) return lack(context, `battery port ${port}`);
  const shut = unparked(context);
  if (shut !== undefined) return shut;
  const { energyCapacity } = model.body;
  const held = sharesOf(batteries, physicalState.energy, energyCapacity);
  const put = percent === undefined ? undefined : (energyCapacity / batteries.length) * (percent / 100);
  const after = batteries.map((battery, index) => {
    if (index === port - 1) return { kwh: put, swaps: battery.swaps + 1 };
    return { ...battery, kwh: battery.kwh === undefined ? undefined : (held[index] ?? 0) };
  });
  const energy = after.reduce((sum, { kwh }) => sum + (kwh ?? 0), 0);
  return { equipment: { ...equipment, batteries: after }, stores: { energy } };
}

/** Codes whose cause is present are stored: they outlast their cause. */
function latched({ equipment, model, ...moment }: OperationContext): Pick<Equipment, 'codes'> {
  return { codes: codesAt(equipment, model, moment) };
}

function withLevels(
  { equipment, atMs, mileageKm }: OperationContext,
  names: readonly LevelName[],
  percent: number,
): LevelReadings {
  const made = names.map((name) => [name, { percent, mileageKm, atMs }]);
  return { ...equipment.levels, ...(Object.fromEntries(made) as Partial<LevelReadings>) };
}

function troubling(code: TroubleCode, active: boolean, context: OperationContext): OperationResult {
  if (!hasPart(context.model, 'troubleCodes')) return lack(context, 'diagnosis that tells trouble codes');
  const { codes, levels, next } = context.equipment;
  if (active) return changed(context, { codes: [...new Set([...codes, code])].sort((a, b) => a - b) });
  if (causedCodes(levels, next, context.model, context).includes(code))
    return { refusal: 'Its cause is still there. Take the vehicle to the workshop.' };
  return changed(context, { codes: codes.filter((one) => one !== code) });
}

/** Everything is full, new and cleared again; faults are repaired. */
function mended(context: OperationContext): OperationResult {
  const { equipment, mileageKm, atMs, faultAfter } = context;
  const today = Math.floor(atMs / DAY_MS);
  const isBroken = mileageKm >= equipment.next.mileageKm;
  return changed(context, {
    levels: withLevels(context, LEVEL_NAMES, 100),
    dues: {
      serviceKm: mileageKm + INTERVALS.serviceKm,
      oilKm: mileageKm + INTERVALS.oilKm,
      serviceDay: today + INTERVALS.serviceDays,
      oilDay: today + INTERVALS.oilDays,
      brakeFluidDay: today + INTERVALS.brakeFluidDays,
    },
    codes: [],
    next: isBroken ? faultAfter(equipment.next.count + 1, mileageKm) : equipment.next,
    sensors: {},
  });
}

function sensing(quantity: Quantity, state: SensorState, context: OperationContext): OperationResult {
  const { model, equipment } = context;
  const rows = model.rows.filter((row) => row.quantity === quantity);
  if (rows.length === 0) return lack(context, `signal of ${quantity}`);
  // On the diagnostic port a control unit can omit its answer; every other signal needs a raw number for it.
  const canTell = rows.every(
    ({ source, unavailable, failure }) =>
      source.from === 'obd' ||
      source.from === 'trouble-codes' ||
      unavailable !== undefined ||
      failure !== undefined,
  );
  const { [quantity]: _before, ...others } = equipment.sensors;
  if (state === 'works') return changed(context, { sensors: others });
  if (!canTell) {
    const what = isSwitch(quantity) ? 'a wire that is high or low' : QUANTITIES[quantity].kind;
    return {
      refusal: `The signal of ${quantity} has no raw number for it (${what}). Choose another quantity.`,
    };
  }
  return changed(context, { sensors: { ...others, [quantity]: state } });
}
