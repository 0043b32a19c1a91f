import { PROBLEMS, type ProblemKind } from '../../backend/http/problem.ts';
import type { CandidateVehicle, CauseStep, StepAnswer } from './cause.ts';
import type { Operation } from './operations.ts';

/** Does something to the box, or to the vehicle around it, over the simulator's control API. */
export function box(
  action: string,
  body: Readonly<Record<string, unknown>>,
  says: string,
  more: Partial<CauseStep> = {},
): CauseStep {
  return { about: says, on: 'simulator', method: 'POST', path: `/boxes/{box}/${action}`, body, ...more };
}

/** Sends the vehicle a command: `commands/unlock-central-lock` */
export function command(path: string, says: string, more: Partial<CauseStep> = {}): CauseStep {
  return { about: says, on: 'api', method: 'POST', path: `/vehicles/{vehicle}/${path}`, ...more };
}

const STATUS = 'box-commands/request-system-status';

/** Waits until the box answers. */
export const UNTIL_READY = command(STATUS, 'Waits until the box takes commands again.', {
  until: ({ status }) => status === 200,
});

/** Waits until the service knows, by a command that does nothing. */
export function untilRefused(kind: ProblemKind): CauseStep {
  return command(STATUS, 'Waits until the service knows.', { until: (seen) => isProblem(seen, kind) });
}

/** A command that needs a standstill is refused before anything else under way. */
const needsStandstill = (_vehicle: CandidateVehicle, operations: readonly Operation[]): boolean =>
  operations.some(({ kind }) => kind === 'vehicle-command-at-rest');

const ofBox = (vehicle: CandidateVehicle): boolean => vehicle.telematics === 'box';

/** Has the vehicle stand, and the service know it, where that matters. */
export const STANDING: readonly CauseStep[] = [
  box('park', {}, 'The driver parks the vehicle.', {
    when: (vehicle, operations) => ofBox(vehicle) && needsStandstill(vehicle, operations),
  }),
  {
    about: 'Waits until it stands.',
    on: 'simulator',
    method: 'GET',
    path: '/boxes/{box}',
    when: (vehicle, operations) => ofBox(vehicle) && needsStandstill(vehicle, operations),
    until: ({ body }) => valueAt(body, 'truth', 'speedKph') === 0,
  },
  command(
    'commands/request-vehicle-state',
    'Waits until the service knows that the vehicle is standing still.',
    {
      when: (vehicle, operations) => ofBox(vehicle) && needsStandstill(vehicle, operations),
      until: ({ status, body }) => status === 200 && !tellsSpeed(body),
    },
  ),
  {
    // A standing car whose key is pulled once more tells its maker how it is.
    about: 'The driver parks the vehicle, and it tells its maker.',
    on: 'simulator',
    method: 'POST',
    path: '/maker-vehicles/{vehicle}/park',
    when: (vehicle, operations) => !ofBox(vehicle) && needsStandstill(vehicle, operations),
    until: ({ body }) => valueAt(body, 'truth', 'speedKph') === 0 && valueAt(body, 'last', 'speedMph') === 0,
  },
  {
    about: 'Waits until the service knows that the vehicle is standing still.',
    on: 'api',
    method: 'GET',
    path: '/vehicles/{vehicle}',
    when: (vehicle, operations) => !ofBox(vehicle) && needsStandstill(vehicle, operations),
    until: ({ body }) => !tellsSpeed(valueAt(body, 'latest_vehicle_state')),
  },
];

/** Whether an answer is that problem. */
export function isProblem({ body }: StepAnswer, kind: ProblemKind): boolean {
  return valueAt(body, 'type') === PROBLEMS[kind].type;
}

/** What stands at a place of a JSON value; undefined where there is no such place. */
export function valueAt(value: unknown, ...names: readonly string[]): unknown {
  let place = value;
  for (const name of names) {
    if (typeof place !== 'object' || place === null) return undefined;
    place = (place as Readonly<Record<string, unknown>>)[name];
  }
  return place;
}

function tellsSpeed(state: unknown): boolean {
  return ['speed_in_kph', 'gnss_speed_over_ground_in_kph'].some((name) => {
    const value = valueAt(state, name, 'value');
    return typeof value === 'number' && value >= 1;
  });
}
