import { type AmqpPublisherSession, AmqpRefused } from '../../world/amqp/amqp-publisher.ts';
import type { World } from '../../world/world.ts';
import { limits } from '../limits.ts';
import type { FleetQueue } from './topology.ts';

export interface QueueWatchParts {
  readonly world: Pick<World, 'time' | 'log'>;
  /** The session that takes messages now. */
  session(): AmqpPublisherSession | undefined;
  /** The queues to look at, in an order that lasts. */
  queues(): readonly FleetQueue[];
  /** Whether it is expected to be there still. */
  isDeclared(name: string): boolean;
  /** It is missing at the broker. Rejects where it cannot be declared over that session. */
  declareAgain(queue: FleetQueue, session: AmqpPublisherSession): Promise<void>;
}

/** Looks whether queues are there whose loss no returned message would tell. */
export interface QueueWatch {
  /** A session takes messages, or there may be other queues to look at. */
  changed(): void;
  /** Messages go past these from this moment on, if they are missing: looks at once. */
  lookAt(queues: readonly FleetQueue[]): void;
  stop(): void;
}

/**
 * A message that another queue takes is not returned. So the queues that share what they are bound to are looked at in
 * turn, a bounded number each time.
 */
export function makeQueueWatch(parts: QueueWatchParts): QueueWatch {
  const { time, log } = parts.world;
  let urgent: readonly FleetQueue[] = [];
  /** The name that was looked at last. */
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
      // Of a session that ends: the next one declares all of them.
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

/** One that is exclusive to another connection is there. */
async function hasQueue(session: AmqpPublisherSession, name: string): Promise<boolean> {
  try {
    return await session.hasQueue(name);
  } catch (error) {
    if (error instanceof AmqpRefused) return true;
    throw error;
  }
}
