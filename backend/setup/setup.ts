import type { World } from '../../world/world.ts';
import type { Counters } from '../base/counters.ts';
import { setupLimits } from '../base/limits.ts';
import { backoffMs } from '../base/retry.ts';
import type { CommandAnswer, CommandDispatcher } from '../commands/command-dispatcher.ts';
import type { Setup, SetupResult, SetupStore } from '../store/port/setup-store.ts';
import { makeSetupSchedule } from './schedule.ts';

export interface SetupParts {
  readonly world: Pick<World, 'time' | 'random' | 'ids' | 'log'>;
  readonly store: SetupStore;
  readonly dispatcher: Pick<CommandDispatcher, 'execute'>;
  readonly counters: Counters;
}

/** Outcomes that ingest writes in the commit of the reply; and `open`, of a dispatcher that was stopped. */
const SETTLED_ELSEWHERE: readonly RefusedAnswer['outcome'][] = ['failed', 'unsupported', 'open'];

/** Sets vehicles up: PENDING → RUNNING → SUCCEEDED | FAILED. */
export interface SetupWorker {
  /** Setups of these boxes may be due now: they are ready for commands, or were put into a vehicle. */
  ready(boxIds: readonly string[]): void;
  /** Setups may have been written without a notification, or left by a stopped backend: all are checked. */
  recheck(): void;
  /** Begins nothing more. What was begun is settled by its reply, or continued by the next backend. */
  stop(): void;
}

/**
 * Begins due setups with the box's handshake, and handles those whose box stays silent. It sleeps until the
 * store's next due time and is notified of boxes. It has no state that must survive: which setups were begun,
 * how often and until when is in the store, and a box's answer is settled by ingest, whether or not a caller
 * waits for it.
 */
export function startSetup(parts: SetupParts): SetupWorker {
  const { world, store, dispatcher, counters } = parts;
  const chance = world.random.stream('backend/setup');
  let isStopped = false;
  let underWay = 0;
  const schedule = makeSetupSchedule({
    world,
    store,
    freePlaces: () => Math.min(setupLimits.begunPerLook, setupLimits.atOnce - underWay),
    handle: async (setup) => {
      if (setup.vehicle.setupStatus === 'RUNNING') await end(setup, undefined);
      else await begin(setup);
    },
  });

  async function begin(setup: Setup): Promise<void> {
    const nowMs = world.time.nowMs();
    const { answerTimeoutMs, graceMs } = setupLimits;
    const begun = await store.begin(setup, nowMs + answerTimeoutMs + graceMs, nowMs);
    if (begun === undefined) return;
    counters.add('setups.begun');
    underWay += 1;
    const over = (): void => {
      underWay -= 1;
      schedule.roomFreed();
    };
    handshake(begun).then(over, (error: unknown) => {
      // The row's due time is unchanged: it is checked again after that.
      world.log.error({ vehicleId: setup.vehicle.id, error: String(error) }, 'a setup was postponed');
      over();
    });
  }

  async function handshake(setup: Setup): Promise<void> {
    const answer = await dispatcher.execute({
      vehicle: setup.vehicle,
      request: { command: 'begin-setup' },
      flowId: world.ids.uuid(),
      objection: undefined,
      answerTimeoutMs: setupLimits.answerTimeoutMs,
    });
    if (answer.done || isStopped || SETTLED_ELSEWHERE.includes(answer.outcome)) return;
    await end(setup, answer);
  }

  async function end(setup: Setup, refused: RefusedAnswer | undefined): Promise<void> {
    const nowMs = world.time.nowMs();
    const wanted = afterAttempt(setup.attempts, refused, nowMs, chance.fraction());
    if (!(await store.end(setup, wanted, nowMs))) return;
    if (wanted.to === 'PENDING') schedule.dueBy(wanted.dueMs);
    counters.add(wanted.to === 'PENDING' ? 'setups.postponed' : 'setups.givenUp');
  }

  return {
    ready: (boxIds) => schedule.ready(boxIds),
    recheck: () => schedule.recheck(),
    stop() {
      isStopped = true;
      schedule.stop();
    },
  };
}

/** The dispatcher's answer for an attempt that did not succeed. */
type RefusedAnswer = Extract<CommandAnswer, { readonly done: false }>;

/**
 * The next state of a RUNNING setup whose attempt number `attempt` had no result: another try later, or
 * FAILED with a detail that says why. `refused` is undefined if its dispatcher is gone. Total. `fraction`:
 * random, 0 to 1.
 */
export function afterAttempt(
  attempt: number,
  refused: RefusedAnswer | undefined,
  nowMs: number,
  fraction: number,
): SetupResult {
  const outcome = refused === undefined ? 'unknown' : refused.outcome;
  // Nothing was sent: another command of this vehicle is open, or there is no session with the broker.
  if (outcome === undefined || outcome === 'withdrawn') {
    const detail = 'The telematics unit could not be reached yet.';
    return { to: 'PENDING', dueMs: nowMs + setupLimits.voidBackoffMs, detail, isVoid: true };
  }
  const why =
    outcome === 'not-ready' ? 'was busy' : outcome === 'expired' ? 'was too late' : 'did not answer';
  if (attempt >= setupLimits.attempts) {
    const detail = `The telematics unit ${why}; it was tried ${attempt} times.`;
    return { to: 'FAILED', detail };
  }
  const { firstBackoffMs, lastBackoffMs } = setupLimits;
  return {
    to: 'PENDING',
    dueMs: nowMs + backoffMs(attempt - 1, firstBackoffMs, lastBackoffMs, fraction),
    detail: `The telematics unit ${why}; attempt ${attempt} of ${setupLimits.attempts}.`,
  };
}
