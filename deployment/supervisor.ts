import { sleep, type Time } from '../world/time/time.ts';
import type { ChildPart } from './child-part.ts';
import { limits } from './shared/limits.ts';
import { figuresOfAll, type LiveFigures } from './shared/live-figures.ts';

/** A part that is restarted when it dies. */
export interface SupervisedPart {
  readonly name: string;
  /** Starts it; rejects where it cannot be started. */
  start(): Promise<ChildPart>;
}

/** Running parts, each in its process. */
export interface Supervisor {
  /** Starts a part, and restarts it whenever it dies. Resolves with what it reported once it was ready. */
  add(part: SupervisedPart): Promise<unknown>;
  /** The figures of all parts together; one that is restarting has none. */
  figures(): LiveFigures;
  /** Rejects where a part died so often that the fault must be permanent. */
  readonly failed: Promise<never>;
  /** Ends all parts, the last added first. */
  close(): Promise<void>;
}

/**
 * Restarts parts that die: immediately the first time, then after a wait that doubles up to `limits.restartWaitMs`. A
 * part that has run for `limits.restartCalmMs` resets the wait; one that dies `limits.restarts` times without that is
 * given up.
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
