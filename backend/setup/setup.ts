import type { World } from '../../world/world.ts';
import type { Desk } from '../commands/desk.ts';
import type { Counters } from '../counters.ts';
import type { Setup, SetupStore } from '../store/setup-store.ts';
import { setupLimits } from './limits.ts';
import { afterAttempt, type Refused } from './next.ts';
import { makeSetupRound } from './round.ts';

export interface SetupParts {
  readonly world: Pick<World, 'time' | 'random' | 'mint' | 'log'>;
  readonly store: SetupStore;
  readonly desk: Pick<Desk, 'execute'>;
  readonly counters: Counters;
}

/** Ends that ingest writes in the commit of the box's reply; and `open`, of a desk that closes and knows nothing. */
const SETTLED_ELSEWHERE: readonly Refused['outcome'][] = ['failed', 'unsupported', 'open'];

/** Sets vehicles up: PENDING → RUNNING → SUCCEEDED | FAILED. */
export interface SetupWorker {
  /** Something may be due with these boxes now: they take commands, or came to a vehicle. */
  ready(boxIds: readonly string[]): void;
  /** Begins nothing more. What was begun is settled by its reply, or goes on in the next backend. */
  stop(): void;
}

/**
 * Begins what is due with the box's handshake, and sees to those whose box stays silent. It sleeps until the store's
 * next due time and is told of boxes; it keeps nothing in mind that must survive: who was begun, how often and until
 * when stands in the store, and the answer of a box is settled by ingest, whether somebody waits for it or not.
 */
export function startSetup(parts: SetupParts): SetupWorker {
  const { world, store, desk, counters } = parts;
  const chance = world.random.stream('backend/setup');
  let isStopped = false;
  let underWay = 0;
  const round = makeSetupRound({
    world,
    store,
    room: () => Math.min(setupLimits.begunPerLook, setupLimits.atOnce - underWay),
    found: async (setup) => {
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
      round.roomier();
    };
    handshake(begun).then(over, (error: unknown) => {
      // The row's own time is still there: it is looked at again once that is past.
      world.log.error({ vehicleId: setup.vehicle.id, error: String(error) }, 'a setup was left for later');
      over();
    });
  }

  async function handshake(setup: Setup): Promise<void> {
    const answer = await desk.execute({
      vehicle: setup.vehicle,
      asked: { command: 'begin-setup' },
      flowId: world.mint.uuid(),
      objection: undefined,
      answerTimeoutMs: setupLimits.answerTimeoutMs,
    });
    if (answer.done || isStopped || SETTLED_ELSEWHERE.includes(answer.outcome)) return;
    await end(setup, answer);
  }

  async function end(setup: Setup, refused: Refused | undefined): Promise<void> {
    const nowMs = world.time.nowMs();
    const wanted = afterAttempt(setup.attempts, refused, nowMs, chance.fraction());
    if (!(await store.end(setup, wanted, nowMs))) return;
    if (wanted.to === 'PENDING') round.dueBy(wanted.dueMs);
    counters.add(wanted.to === 'PENDING' ? 'setups.postponed' : 'setups.givenUp');
  }

  return {
    ready: (boxIds) => round.ready(boxIds),
    stop() {
      isStopped = true;
      round.stop();
    },
  };
}
