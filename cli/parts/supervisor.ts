import { sleep, type Time } from '../../world/time/time.ts';
import { limits } from '../limits.ts';
import { figuresOfAll, type LiveFigures } from '../live/live-figures.ts';
import type { ChildPart } from './child-part.ts';

/** A part that is started again when it dies. */
export interface SupervisedPart {
  readonly name: string;
  /** Starts it; rejects where it cannot be started. */
  start(): Promise<ChildPart>;
}

/** Parts that run, each in its process. */
export interface Supervisor {
  /** Starts a part, and from then on starts it again whenever it dies. Resolves with what it said once it was up. */
  add(part: SupervisedPart): Promise<unknown>;
  /** What can be seen of all parts together; one that is being started again has nothing. */
  figures(): LiveFigures;
  /** Rejects where a part died so often that something must be wrong. */
  readonly failed: Promise<never>;
  /** Ends all parts, the last added first. */
  close(): Promise<void>;
}

/**
 * Starts parts again that die: at once the first time, then after a wait that doubles up to `limits.restartWaitMs`. One
 * that has run for `limits.restartCalmMs` begins anew; one that dies `limits.restarts` times without that is given up.
 */
export function makeSupervisor(time: Time, say: (text: string) => void): Supervisor {
  const running: { child: ChildPart }[] = [];
  const failed = Promise.withResolvers<never>();
  failed.promise.catch(() => undefined);
  let isClosing = false;

  async function watch(part: SupervisedPart, entry: { child: ChildPart }): Promise<void> {
    let deaths = 0;
    while (!isClosing) {
      const sinceMs = time.nowMs();
      const how = await entry.child.ended;
      if (isClosing) return;
      deaths = time.nowMs() - sinceMs >= limits.restartCalmMs ? 1 : deaths + 1;
      let reason = how;
      for (;;) {
        if (deaths > limits.restarts)
          throw new Error(`${part.name} ended ${deaths} times in a row, the last time with ${reason}.`);
        const waitMs = deaths === 1 ? 0 : Math.min(limits.restartWaitMs, 500 * 2 ** (deaths - 2));
        say(
          `${part.name} ended (${reason}); it is started again${waitMs === 0 ? '' : ` in ${waitMs / 1_000} s`}.`,
        );
        await sleep(time, waitMs);
        if (isClosing) return;
        const started = await part.start().catch((error: unknown) => String(error));
        if (typeof started !== 'string') {
          entry.child = started;
          if (isClosing) await started.end(limits.shutdownMs);
          else say(`${part.name} is up again.`);
          break;
        }
        reason = started;
        deaths += 1;
      }
    }
  }

  return {
    failed: failed.promise,
    figures: () => figuresOfAll(running.map(({ child }) => child.figures())),
    async add(part) {
      const entry = { child: await part.start() };
      if (isClosing) {
        await entry.child.end(limits.shutdownMs);
        return entry.child.facts;
      }
      running.push(entry);
      watch(part, entry).catch(failed.reject);
      return entry.child.facts;
    },
    async close() {
      isClosing = true;
      for (const { child } of running.reverse()) await child.end(limits.partShutdownMs);
    },
  };
}
