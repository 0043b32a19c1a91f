import ora from 'ora';
import type { RunProgress } from '../../../deployment/jobs/scenario-gate.ts';
import { durationText, shortened } from '../../../scenarios/run/time-text.ts';
import { limits } from '../../shared/limits.ts';
import { isScreen, printable } from '../../shared/output.ts';

/** Reports the progress of a run. */
export interface ProgressLine {
  /** `index` and `count`: which run of how many, where that is known. `plannedMs`: the shortest duration of the run, in virtual time; absent where it is unknown. */
  begin(name: string, index?: number, count?: number, plannedMs?: number): void;
  readonly show: ((progress: RunProgress) => void) | undefined;
  /** Before any other output. */
  end(): void;
}

/**
 * A status line on a terminal; in a pipe a separate line at intervals, and none for a short run; `isQuiet`: no output.
 * It goes to stderr; the report goes to stdout. `nowMs` is the wall clock.
 */
export function progressLine(
  stream: NodeJS.WriteStream,
  { isQuiet, nowMs = () => performance.now() }: { readonly isQuiet: boolean; readonly nowMs?: () => number },
): ProgressLine {
  if (isQuiet) return { begin: () => undefined, show: undefined, end: () => undefined };
  return isScreen(stream) ? changingLine(stream) : plainLines(stream, nowMs);
}

function headOf(name: string, index: number | undefined, count: number | undefined): string {
  return `${index === undefined || count === undefined ? '' : `${index}/${count} `}${printable(name)}`;
}

function changingLine(stream: NodeJS.WriteStream): ProgressLine {
  const spinner = ora({ stream, discardStdin: false });
  let head = '';
  let tell = progressTeller(undefined);
  return {
    begin(name, index, count, plannedMs) {
      head = headOf(name, index, count);
      tell = progressTeller(plannedMs);
      spinner.start(head);
    },
    show(progress) {
      spinner.text = `${head}  ${tell(progress)}`;
    },
    end() {
      spinner.stop();
    },
  };
}

function plainLines(stream: NodeJS.WriteStream, nowMs: () => number): ProgressLine {
  let head = '';
  let tell = progressTeller(undefined);
  let dueMs = Number.NEGATIVE_INFINITY;
  return {
    begin(name, index, count, plannedMs) {
      head = headOf(name, index, count);
      tell = progressTeller(plannedMs);
      // Many short runs, one after the other, print no more than one long one.
      dueMs = Math.max(dueMs, nowMs() + limits.firstProgressLineMs);
    },
    show(progress) {
      const text = tell(progress);
      if (nowMs() < dueMs) return;
      dueMs = nowMs() + limits.progressLineMs;
      stream.write(`${head}  ${text}\n`);
    },
    end: () => undefined,
  };
}

/** The progress of one run. Its speed is that of the last moments: a run of a large fleet is irregular. */
function progressTeller(plannedMs: number | undefined): (progress: RunProgress) => string {
  let from: RunProgress = { virtualMs: 0, wallMs: 0 };
  let speed: number | undefined;
  return (progress) => {
    // Shrinking repeats a run many times under one title.
    if (progress.virtualMs < from.virtualMs || progress.wallMs < from.wallMs) {
      from = { virtualMs: 0, wallMs: 0 };
      speed = undefined;
    }
    const sinceMs = progress.wallMs - from.wallMs;
    if ((speed === undefined || sinceMs >= limits.progressSpeedMs) && sinceMs > 0) {
      speed = (progress.virtualMs - from.virtualMs) / sinceMs;
      from = progress;
    }
    const rate = speed ?? 0;
    const { inForce = [] } = progress;
    const faults =
      inForce.length === 0 ? '' : `; active: ${shortened(inForce.join(', '), limits.inForceCharacters)}`;
    return `${far(progress.virtualMs, plannedMs)}, ${rate >= 10 ? Math.round(rate) : rate.toFixed(1)} virtual s per s${faults}`;
  };
}

function far(virtualMs: number, plannedMs: number | undefined): string {
  if (plannedMs === undefined || plannedMs === 0) return durationText(virtualMs);
  const share = Math.floor((100 * virtualMs) / plannedMs);
  return share < 100
    ? `${durationText(virtualMs)} of ${durationText(plannedMs)} (${share} %)`
    : `${durationText(virtualMs)}: its ${durationText(plannedMs)} are over, waiting for what is still to come`;
}
