import type { Operation } from '../../contract/operation.ts';
import { PROBLEMS, type ProblemKind } from '../../contract/problems.ts';
import { valueAt } from '../../world/json.ts';
import type { CandidateVehicle, CauseStep, StepAnswer } from './cause.ts';

/** Performs an action on the box, or on the vehicle around it, over the simulator's control API. */
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

/** Waits until the service knows that, by a command without effect. */
export function untilRefused(kind: ProblemKind, what: string): CauseStep {
  return command(STATUS, `Waits until the service knows that ${what}.`, {
    until: (seen) => isProblem(seen, kind),
  });
}

/** A command that needs a standstill is refused before any other under way. */
const needsStandstill = (_vehicle: CandidateVehicle, operations: readonly Operation[]): boolean =>
  operations.some(({ guards }) => guards.includes('conflicting-state'));

const ofBox = (vehicle: CandidateVehicle): boolean => vehicle.telematics === 'box';

/** Brings the vehicle to a standstill, known to the service, where that matters. */
export const STANDING: readonly CauseStep[] = [
  box('park', {}, 'The driver parks the vehicle.', {
    when: (vehicle, operations) => ofBox(vehicle) && needsStandstill(vehicle, operations),
  }),
  {
    about: 'Waits until it is parked.',
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
    // A parked car reports its state to its maker when its key is pulled once more.
    about: 'The driver parks the vehicle, and it reports to its maker.',
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

function tellsSpeed(state: unknown): boolean {
  return ['speed_in_kph', 'gnss_speed_over_ground_in_kph'].some((name) => {
    const value = valueAt(state, name, 'value');
    return typeof value === 'number' && value >= 1;
  });
}
