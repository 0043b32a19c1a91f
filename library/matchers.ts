import { errorText } from '../world/error-text.ts';
import { limits } from './limits.ts';
import type { WaitTime } from './message.ts';
import { spanOf } from './running-service.ts';
import type { VehicleState } from './types/vehicle-state.ts';
import { idsIn, readerOf, type VehicleReader, type VehicleViews } from './vehicle.ts';
import { textOf, viewsText } from './vehicle-views.ts';

/** The values of properties that a vehicle state has to have: `{ central_lock: 'LOCKED', speed_in_kph: 0 }`. */
export type ExpectedState = {
  readonly [Name in keyof VehicleState]?: NonNullable<VehicleState[Name]>['value'];
};

/** What can be expected of a vehicle. Each looks again and again until it is so, by default for 5 s. */
export interface VehicleMatchers {
  /** The vehicle itself is locked: its physical truth, whatever the service knows. */
  toBeLocked(time?: WaitTime): Promise<void>;
  /** The vehicle itself is unlocked. */
  toBeUnlocked(time?: WaitTime): Promise<void>;
  /** Its box is connected with the service, and takes commands. */
  toBeConnected(time?: WaitTime): Promise<void>;
  /** The service knows these values of it: its `latest_vehicle_state`. */
  toHaveState(state: ExpectedState, time?: WaitTime): Promise<void>;
}

/** A condition of a vehicle. */
export interface VehicleCondition {
  /** Completes "the vehicle ...": `is locked`, `is not locked`. */
  readonly is: string;
  readonly isNot: string;
  /** The properties of the vehicle state that show it. */
  readonly properties: readonly string[];
  holds(views: VehicleViews): boolean;
  /** What is so instead, in a sentence; absent: the views show it. */
  found?(views: VehicleViews): string;
  /** Why it can never hold, in a sentence: then nobody waits for it. */
  never?(views: VehicleViews): string | undefined;
}

export const CONDITIONS = {
  toBeLocked: lockCondition(true),
  toBeUnlocked: lockCondition(false),
  toBeConnected: {
    is: 'is connected',
    isNot: 'is not connected',
    properties: [],
    holds: ({ box }) => box.belief.session === 'ready',
  },
} as const satisfies Readonly<Record<string, VehicleCondition>>;

function lockCondition(isLocked: boolean): VehicleCondition {
  const word = isLocked ? 'locked' : 'unlocked';
  return {
    is: `is ${word}`,
    isNot: `is not ${word}`,
    properties: ['central_lock'],
    holds: ({ box }) => box.truth.locked === isLocked,
    never: ({ box }) =>
      box.truth.locked === undefined ? `A vehicle of the model ${box.model} has no central lock.` : undefined,
  };
}

/** The condition of `toHaveState`. `equals`: as the test framework compares, with its own matchers in `expected`. */
export function stateCondition(
  expected: ExpectedState,
  equals: (found: unknown, expected: unknown) => boolean,
): VehicleCondition {
  const wanted = Object.entries(expected);
  const text = wanted.map(([name, value]) => `${name} ${textOf(value)}`).join(', ');
  const known = ({ service }: VehicleViews, name: string): unknown =>
    (service?.latest_vehicle_state as Readonly<Record<string, { value: unknown }>> | undefined)?.[name]
      ?.value;
  return {
    is: `has the state ${text}`,
    isNot: `does not have the state ${text}`,
    properties: wanted.map(([name]) => name),
    never: ({ box, service }) => {
      const lacking = wanted.filter(
        ([name]) => service?.capabilities.vehicle_state.includes(name.toUpperCase()) === false,
      );
      if (lacking.length === 0) return undefined;
      return `A vehicle of the model ${box.model} does not report ${lacking.map(([name]) => name).join(', ')}: its capabilities.vehicle_state lists what it reports.`;
    },
    holds: (views) => wanted.every(([name, value]) => equals(known(views, name), value)),
    found: (views) =>
      wanted
        .filter(([name, value]) => !equals(known(views, name), value))
        .map(([name, value]) => {
          const found = known(views, name);
          return found === undefined
            ? `The service has no ${name} of it, expected ${textOf(value)}.`
            : `The service has ${name} ${textOf(found)}, expected ${textOf(value)}.`;
        })
        .join('\n'),
  };
}

export interface MatchResult {
  readonly pass: boolean;
  readonly message: () => string;
}

/**
 * Looks at a vehicle until the condition holds, or with `isNot` until it does not, at most so long. The message of a
 * failure shows vehicle, box and service side by side. Rejects where it is no vehicle of a running service.
 */
export async function lookUntil(
  vehicle: unknown,
  condition: VehicleCondition,
  { within = '5s' }: WaitTime = {},
  isNot = false,
): Promise<MatchResult> {
  const reader = readerOf(vehicle);
  if (reader === undefined)
    throw new TypeError(
      'This is no vehicle of a running service. Expect something of service.vehicle(), of one of service.vehicles, or of service.box(id): not of an id, and not of a copy.',
    );
  const untilMs = performance.now() + spanOf(within);
  for (;;) {
    const looked = await reader.views().catch((error: unknown) => errorText(error));
    const holds = typeof looked === 'object' && condition.holds(looked);
    if (typeof looked === 'object' && holds !== isNot) {
      reader.note(`the vehicle ${reader.id} ${isNot ? condition.isNot : condition.is}`, 'met');
      return { pass: holds, message: () => '' };
    }
    const never = typeof looked === 'object' && !isNot ? condition.never?.(looked) : undefined;
    if (never !== undefined || performance.now() >= untilMs) {
      const text = failureText(reader, condition, within, isNot, looked, never);
      reader.note(`the vehicle ${reader.id} ${isNot ? condition.isNot : condition.is}`, text);
      return { pass: isNot, message: () => text };
    }
    await new Promise((resolve) => setTimeout(resolve, limits.lookMs));
  }
}

function failureText(
  { id, lastRequests }: VehicleReader,
  condition: VehicleCondition,
  within: string,
  isNot: boolean,
  looked: VehicleViews | string,
  never: string | undefined,
): string {
  const expected = isNot ? condition.isNot : condition.is;
  const head = `Expected that vehicle ${id} ${expected} within ${within}.`;
  if (typeof looked === 'string')
    return [head, `It cannot be looked at: ${looked}`, ...lastRequests([id])].join('\n');
  const found = isNot ? undefined : (never ?? condition.found?.(looked));
  return [
    head,
    ...(found === undefined ? [] : [found]),
    ...lastRequests([id, ...idsIn(looked)]),
    '',
    viewsText(looked, [...new Set([...condition.properties, 'central_lock', 'ignition', 'speed_in_kph'])]),
  ].join('\n');
}
