import { AsyncLocalStorage } from 'node:async_hooks';
import type { RunGate } from '../../scenarios/run/options.ts';
import { limits } from '../shared/limits.ts';

/** The run was ended from outside. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
}

/** The progress of a run. */
export interface RunProgress {
  /** The elapsed virtual milliseconds, and those on the wall clock. */
  readonly virtualMs: number;
  readonly wallMs: number;
  /** The active faults, by their names; absent: they are not tracked. */
  readonly inForce?: readonly string[];
}

/**
 * Runs between the events of a run: keeps it to a pace (virtual seconds per second of wall clock), shows its progress,
 * and ends it. All of that happens outside of the run's own context, so that its sandbox is not affected.
 */
export function openRunGate(options: {
  readonly pace: number;
  readonly end: AbortSignal;
  readonly show?: ((progress: RunProgress) => void) | undefined;
  readonly inForce?: () => readonly string[];
}): RunGate {
  const { pace, end, show, inForce } = options;
  const outside = AsyncLocalStorage.snapshot();
  const beganMs = outside(() => performance.now());
  let startMs: number | undefined;
  let steps = 0;
  let shownMs = 0;
  const look = (virtualMs: number): Promise<void> | undefined => {
    const wallMs = performance.now() - beganMs;
    if (show !== undefined && wallMs - shownMs >= limits.progressMs) {
      shownMs = wallMs;
      show({ virtualMs, wallMs, ...(inForce === undefined ? {} : { inForce: inForce() }) });
    }
    const aheadMs = virtualMs / pace - wallMs;
    return aheadMs > limits.paceSlackMs ? wait(aheadMs, end) : undefined;
  };
  return (nextMs) => {
    if (end.aborted) throw new Interrupted('The run was ended.');
    startMs ??= nextMs;
    const virtualMs = nextMs - startMs;
    steps += 1;
    // At full speed the clock would cost more than the event.
    if (pace === Number.POSITIVE_INFINITY && steps % limits.progressSteps !== 0) return undefined;
    return outside(look, virtualMs);
  };
}

/** Not by `AbortSignal.any` or timers/promises: a wait is one timer, and one listener that is removed with it. */
function wait(delayMs: number, end: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = (): void => {
      clearTimeout(timer);
      reject(new Interrupted('The run was ended.'));
    };
    const timer = setTimeout(
      () => {
        end.removeEventListener('abort', stop);
        resolve();
      },
      Math.min(delayMs, 0x7fff_ffff),
    );
    end.addEventListener('abort', stop, { once: true });
  });
}
