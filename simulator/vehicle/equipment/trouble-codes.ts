import type { VehicleModel } from '../../../protocol/models/model.ts';
import type { SwitchQuantity } from '../../../protocol/models/quantities.ts';
import { MODEL_TRAITS } from '../../../protocol/models/traits.ts';
import type { Stream } from '../../../world/random/random.ts';
import {
  isAnyTireSoft,
  isScarce,
  type LevelName,
  type LevelReadings,
  type TimeAndMileage,
} from './levels.ts';

/**
 * A trouble code as encoded in SAE J2012: bits 15-14 the system (0 powertrain, 1 chassis, 2 body, 3 network).
 */
export type TroubleCode = number;

/** A spontaneous fault: its code, and the indicators that it lights in addition to the general one. */
interface FaultRow {
  readonly code: TroubleCode;
  readonly lights: readonly SwitchQuantity[];
  readonly of?: 'tank' | 'electric';
}

const FAULTS: readonly FaultRow[] = [
  { code: 0x0301, lights: [], of: 'tank' }, // P0301 misfire of cylinder 1
  { code: 0x0420, lights: [], of: 'tank' }, // P0420 catalyst efficiency
  { code: 0x0121, lights: ['epcWarning'], of: 'tank' }, // P0121 throttle position
  { code: 0x0a80, lights: [], of: 'electric' }, // P0A80 traction battery
  { code: 0x0a3f, lights: ['epcWarning'], of: 'electric' }, // P0A3F drive motor position
  { code: 0x4035, lights: ['absWarning'] }, // C0035 wheel speed, front left
  { code: 0x4051, lights: ['espWarning'] }, // C0051 steering angle
  { code: 0x4545, lights: ['powerSteeringFailed'] }, // C0545 steering torque
  { code: 0x4267, lights: ['brakeWarning'] }, // C0267 pump motor of the brakes
  { code: 0xc100, lights: [] }, // U0100 lost communication with the engine's control unit
];

/** The code that a low level makes a control unit store, in addition to its indicator. */
const CAUSES: readonly { readonly level: LevelName | 'tires'; readonly code: TroubleCode }[] = [
  { level: 'oil', code: 0x0524 }, // P0524 oil pressure too low
  { level: 'coolant', code: 0x2560 }, // P2560 coolant level low
  { level: 'adblue', code: 0x203f }, // P203F reductant level too low
  { level: 'starter_battery', code: 0x0562 }, // P0562 system voltage low
  { level: 'tires', code: 0x4750 }, // C0750 tyre pressure
];

/** The next fault: its code and mileage; `count`: how many were repaired before. */
export interface NextFault {
  readonly count: number;
  readonly code: TroubleCode;
  readonly mileageKm: number;
}

/** The distance to the next fault, in km; a new vehicle may already have one. */
const FIRST_KM = [-1_500, 20_000] as const;
const NEXT_KM = [300, 25_000] as const;

/** Draws the next fault of a vehicle from a stream used only for this fault. */
export function drawnFault(stream: Stream, model: VehicleModel, count: number, mileageKm: number): NextFault {
  const kind = model.fuelType === 'ELECTRIC' ? 'electric' : 'tank';
  const own = FAULTS.filter(
    ({ of, lights }) => (of ?? kind) === kind && lights.every((lamp) => fits(model, lamp)),
  );
  const { code } = stream.pick(own);
  const [nearest, farthest] = count === 0 ? FIRST_KM : NEXT_KM;
  return { count, code, mileageKm: mileageKm + stream.whole(nearest, farthest) };
}

function fits(model: VehicleModel, lamp: SwitchQuantity): boolean {
  const needsCabin = lamp === 'espWarning' || lamp === 'powerSteeringFailed';
  return !needsCabin || MODEL_TRAITS.cabin.isOf(model);
}

/** Codes whose cause is present at this moment, in ascending order. */
export function causedCodes(
  levels: LevelReadings,
  next: NextFault,
  model: VehicleModel,
  moment: TimeAndMileage,
): readonly TroubleCode[] {
  const codes = CAUSES.filter(({ level }) =>
    level === 'tires' ? isAnyTireSoft(levels, model, moment) : isOwnScarce(levels, level, model, moment),
  ).map(({ code }) => code);
  return moment.mileageKm >= next.mileageKm ? sorted([...codes, next.code]) : sorted(codes);
}

function isOwnScarce(
  levels: LevelReadings,
  level: LevelName,
  model: VehicleModel,
  moment: TimeAndMileage,
): boolean {
  if (level === 'oil' && model.fuelType === 'ELECTRIC') return false;
  if (level === 'adblue' && model.body.adblue === undefined) return false;
  return isScarce(levels, level, model, moment);
}

/** The union of both lists: each code once, in ascending order. */
export function joinedCodes(
  one: readonly TroubleCode[],
  other: readonly TroubleCode[],
): readonly TroubleCode[] {
  return other.length === 0 ? one : sorted([...new Set([...one, ...other])]);
}

function sorted(codes: readonly TroubleCode[]): readonly TroubleCode[] {
  return [...codes].sort((a, b) => a - b);
}

/** Whether one of the codes lights this indicator. The engine's is lit by every powertrain code. */
export function isLit(lamp: SwitchQuantity, codes: readonly TroubleCode[]): boolean {
  if (lamp === 'checkEngine') return codes.some((code) => code >> 14 === 0);
  return FAULTS.some(({ code, lights }) => lights.includes(lamp) && codes.includes(code));
}
