import { type Answer, problemOf } from './service-api.ts';

/** A state as the service tells it: of each property its value, and when the vehicle recorded it. */
export type VehicleState = Readonly<Record<string, { readonly timestamp: string; readonly value: unknown }>>;

/** As a booking wants the vehicle. */
export type Target = 'open' | 'closed';

/** The commands that bring it about, the better one first: a moped has no doors to lock. */
const COMMANDS: Readonly<Record<Target, readonly string[]>> = {
  open: ['UNLOCK_AND_ENABLE_DRIVING', 'ENABLE_DRIVING'],
  closed: ['LOCK_AND_DISABLE_DRIVING', 'DISABLE_DRIVING'],
};

/** The command that this vehicle has for it, as its path names it; undefined: it has none. */
export function commandFor(target: Target, capabilities: readonly string[]): string | undefined {
  return COMMANDS[target]
    .find((name) => capabilities.includes(name))
    ?.toLowerCase()
    .replaceAll('_', '-');
}

/** When the vehicle was seen like that, by its own clock; undefined: the state does not show it. */
export function seenAt(target: Target, state: VehicleState): string | undefined {
  const { driving_enabled: driving, central_lock: lock } = state;
  if (driving?.value !== (target === 'open')) return undefined;
  // A lock that is missing was not reported, or the vehicle has none.
  if (lock !== undefined && lock.value !== (target === 'open' ? 'UNLOCKED' : 'LOCKED')) return undefined;
  return driving.timestamp;
}

/** The odometer, where the state has it. */
export function mileageOf(state: VehicleState): { readonly at: string; readonly km: number } | undefined {
  const mileage = state['mileage_in_kilometers'];
  return typeof mileage?.value === 'number' ? { at: mileage.timestamp, km: mileage.value } : undefined;
}

/** What an answer to a command means for the booking. */
export type Meaning =
  /** The vehicle answered, and this is its state. */
  | { readonly kind: 'answered'; readonly state: VehicleState }
  /** Nothing has happened: the same again, a little later. */
  | { readonly kind: 'again' }
  /** Nobody knows whether it has happened: look at the vehicle before anything else. */
  | { readonly kind: 'doubt' }
  /** Not as the vehicle is now: it moves. */
  | { readonly kind: 'refused'; readonly why: string }
  /** Not before somebody changes what this client may do, or what the vehicle is. */
  | { readonly kind: 'forbidden'; readonly why: string };

/** Nothing has happened where a vehicle was busy or starting. */
const BUSY: readonly string[] = ['/problems/vehicle/conflicting-command', '/problems/conflicting-resource'];

/** Conflicts that no waiting ends. */
const LASTING: readonly string[] = [
  '/problems/vehicle/command-not-supported',
  '/problems/vehicle/shared-with-partner',
];

/**
 * A 504 may say in its detail that nothing was sent. That text is for people and may change, so every 504 is a doubt, as
 * every other failure of the service is: it costs one look.
 */
export function meaningOf(answer: Answer): Meaning {
  if (answer.status === 200) return { kind: 'answered', state: answer.body as VehicleState };
  if (answer.status >= 500) return { kind: 'doubt' };
  const problem = problemOf(answer);
  // A token that was refused twice may be refused no more a little later.
  if (answer.status === 401 || BUSY.includes(problem)) return { kind: 'again' };
  const isPassing = answer.status === 409 && !LASTING.includes(problem);
  return { kind: isPassing ? 'refused' : 'forbidden', why: problem };
}
