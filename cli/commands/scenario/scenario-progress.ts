import ora from 'ora';
import { durationText, shortened } from '../../../scenarios/run/time-text.ts';
import { limits } from '../../limits.ts';
import { printable } from '../../shared/printable.ts';
import type { RunProgress } from './scenario-gate.ts';

/** Tells how a run goes on. */
export interface ProgressLine {
  /** `plannedMs`: how long the run takes at least, in virtual time; absent where that is not known. */
  begin(name: string, index: number, count: number, plannedMs?: number): void;
  readonly show: ((progress: RunProgress) => void) | undefined;
  /** Before anything else is printed. */
  end(): void;
}

/** Whether a line may change there. A terminal that tells no width, as many in pipelines do, is as good as a pipe. */
export function isScreen({ isTTY, columns }: Pick<NodeJS.WriteStream, 'isTTY' | 'columns'>): boolean {
  return isTTY && columns > 0;
}

/**
 * One line that changes on a terminal; in a pipe a line of its own now and then, and none for a run that is soon over;
 * `isQuiet`: nothing at all. It goes to stderr, beside the report on stdout. `nowMs` is the clock of the wall.
 */
export function progressLine(
  stream: NodeJS.WriteStream,
  { isQuiet, nowMs = () => performance.now() }: { readonly isQuiet: boolean; readonly nowMs?: () => number },
): ProgressLine {
  if (isQuiet) return { begin: () => undefined, show: undefined, end: () => undefined };
  return isScreen(stream) ? changingLine(stream) : plainLines(stream, nowMs);
}

function changingLine(stream: NodeJS.WriteStream): ProgressLine {
  const spinner = ora({ stream, discardStdin: false });
  let head = '';
  let tell = progressTeller(undefined);
  return {
    begin(name, index, count, plannedMs) {
      head = `${index}/${count} ${printable(name)}`;
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
      head = `${index}/${count} ${printable(name)}`;
      tell = progressTeller(plannedMs);
      // Many short runs, one after the other, tell no more than one long one.
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

/** Says how far one run is. Its speed is that of the last moments: a run of a large fleet goes by fits and starts. */
function progressTeller(plannedMs: number | undefined): (progress: RunProgress) => string {
  let from: RunProgress = { virtualMs: 0, wallMs: 0 };
  let speed: number | undefined;
  return (progress) => {
    // What is made smaller is run again and again behind one head.
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
      inForce.length === 0 ? '' : `; in force: ${shortened(inForce.join(', '), limits.inForceCharacters)}`;
    return `${far(progress.virtualMs, plannedMs)}, ${rate >= 10 ? Math.round(rate) : rate.toFixed(1)} virtual s per s${faults}`;
  };
}

function far(virtualMs: number, plannedMs: number | undefined): string {
  if (plannedMs === undefined || plannedMs === 0) return durationText(virtualMs);
  const share = Math.floor((100 * virtualMs) / plannedMs);
  return share < 100
    ? `${durationText(virtualMs)} of ${durationText(plannedMs)} (${share} %)`
    : `${durationText(virtualMs)}: its ${durationText(plannedMs)} are over, what is still to come is waited for`;
}
