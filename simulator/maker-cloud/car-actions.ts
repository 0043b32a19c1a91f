import type { Car, CarActuation } from './car.ts';
import type { MakerFaultCode } from './fault.ts';

interface CarActionRow {
  readonly moves: readonly CarActuation[];
  /** Whether it is refused under way. */
  readonly atRest: boolean;
}

const RELEASE: CarActuation = { set: 'locked', to: false };
const SECURE: CarActuation = { set: 'locked', to: true };
const BIN_RELEASE: CarActuation = { set: 'topCaseLocked', to: false };
const BIN_SECURE: CarActuation = { set: 'topCaseLocked', to: true };
const SEAT_RELEASE: CarActuation = { set: 'compartmentLocked', to: false };
const PERMIT: CarActuation = { set: 'drivingEnabled', to: true };
const INHIBIT: CarActuation = { set: 'drivingEnabled', to: false };

/** The actions of a car over its cloud, by the maker's own names. All moves of an action are made or none is. */
export const CAR_ACTIONS: ReadonlyMap<string, CarActionRow> = new Map([
  ['REFRESH', { moves: [], atRest: false }],
  ['LIGHTS_AND_HORN', { moves: [{ set: 'attention', to: true }], atRest: false }],
  ['DOORS_RELEASE', { moves: [RELEASE], atRest: true }],
  ['DOORS_SECURE', { moves: [SECURE], atRest: true }],
  ['STARTER_PERMIT', { moves: [PERMIT], atRest: false }],
  ['STARTER_INHIBIT', { moves: [INHIBIT], atRest: true }],
  ['BIN_RELEASE', { moves: [BIN_RELEASE], atRest: true }],
  ['BIN_SECURE', { moves: [BIN_SECURE], atRest: true }],
  ['SEAT_RELEASE', { moves: [SEAT_RELEASE], atRest: true }],
  ['HAND_OVER', { moves: [RELEASE, PERMIT], atRest: true }],
  ['TAKE_BACK', { moves: [SECURE, INHIBIT], atRest: true }],
]);

/** Performs it; the car's last sample is then taken afterwards. Otherwise the reason: then nothing has moved. */
export function performAction(car: Car, name: string): MakerFaultCode | undefined {
  const action = CAR_ACTIONS.get(name);
  if (action === undefined) return 'ACTION_UNKNOWN';
  if (car.isAsleep) return 'CAR_ASLEEP';
  if (action.atRest && car.isMoving) return 'CAR_IN_MOTION';
  if (car.actuate(action.moves)) return undefined;
  return action.moves.includes(SECURE) && car.truth()['anyDoorOpen'] === true ? 'DOOR_AJAR' : 'PART_STUCK';
}
