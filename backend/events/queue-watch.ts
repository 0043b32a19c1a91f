import { type AmqpPublisherSession, AmqpRefused } from '../../world/amqp/amqp-publisher.ts';
import type { World } from '../../world/world.ts';
import { limits } from '../base/limits.ts';
import type { FleetQueue } from './topology.ts';

export interface QueueWatchParts {
  readonly world: Pick<World, 'time' | 'log'>;
  /** The session that takes messages now. */
  session(): AmqpPublisherSession | undefined;
  /** The queues to check, in a stable order. */
  queues(): readonly FleetQueue[];
  /** Whether it is still expected to exist. */
  isDeclared(name: string): boolean;
  /** It is missing at the broker. Rejects if it cannot be declared over that session. */
  declareAgain(queue: FleetQueue, session: AmqpPublisherSession): Promise<void>;
}

/** Checks for the loss of queues that no returned message would reveal. */
export interface QueueWatch {
  /** A session accepts messages, or the queues to check have changed. */
  changed(): void;
  /** From now on messages bypass these queues if they are missing: checks at once. */
  lookAt(queues: readonly FleetQueue[]): void;
  stop(): void;
}

/**
 * A message that another queue accepts is not returned. So queues that share a binding are checked in turn, a bounded
 * number each time.
 */
export function makeQueueWatch(parts: QueueWatchParts): QueueWatch {
  const { time, log } = parts.world;
  let urgent: readonly FleetQueue[] = [];
  /** The name that was checked last. */
  let last = '';
  let isLooking = false;
  let isOver = false;
  let cancelAlarm: (() => void) | undefined;

  function arm(): void {
    if (isOver || isLooking || cancelAlarm !== undefined) return;
    if (parts.session() === undefined || parts.queues().length === 0) return;
    cancelAlarm = time.alarm(time.nowMs() + limits.sharedQueueLookMs, () => {
      cancelAlarm = undefined;
      void look(inTurn());
    });
  }

  /** Never rejects. */
  async function look(due: readonly FleetQueue[]): Promise<void> {
    isLooking = true;
    try {
      await lookAtEach(due);
      while (urgent.length > 0 && !isOver) {
        const now = urgent;
        urgent = [];
        await lookAtEach(now);
      }
    } catch (error) {
      // The session is ending: the next one declares all of them.
      log.debug({ error: String(error) }, 'the queues at the message broker cannot be looked at');
    }
    isLooking = false;
    arm();
  }

  async function lookAtEach(due: readonly FleetQueue[]): Promise<void> {
    const session = parts.session();
    if (session === undefined) return;
    for (const queue of due) {
      const { name } = queue;
      const isDue = (): boolean => !isOver && parts.session() === session && parts.isDeclared(name);
      if (isDue() && !(await hasQueue(session, name)) && isDue()) await parts.declareAgain(queue, session);
    }
  }

  function inTurn(): readonly FleetQueue[] {
    const queues = parts.queues();
    const from = queues.findIndex(({ name }) => name === last) + 1;
    const due = [...queues.slice(from), ...queues.slice(0, from)].slice(0, limits.sharedQueuesPerLook);
    last = due.at(-1)?.name ?? '';
    return due;
  }

  return {
    changed: arm,
    lookAt(queues) {
      if (isOver || queues.length === 0) return;
      const due = queues.slice(0, limits.sharedQueuesPerLook);
      if (isLooking) urgent = [...urgent, ...due].slice(-limits.sharedQueuesPerLook);
      else void look(due);
    },
    stop() {
      isOver = true;
      cancelAlarm?.();
    },
  };
}

/** A queue that is exclusive to another connection exists. */
async function hasQueue(session: AmqpPublisherSession, name: string): Promise<boolean> {
  try {
    return await session.hasQueue(name);
  } catch (error) {
    if (error instanceof AmqpRefused) return true;
    throw error;
  }
}
