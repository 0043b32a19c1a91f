import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { figuresOfAll, type LiveFigures } from '../../deployment/shared/live-figures.ts';
import type { FiguresOfChild, LiveMode } from '../../deployment/shared/started-part.ts';
import { isScreen } from '../shared/output.ts';
import { limits } from './limits.ts';
import { pipeTeller, screenTeller } from './live-tellers.ts';

/** The value of `--live`. */
export type LiveWish = 'auto' | 'on' | 'off';

export interface LivePlace {
  readonly wish: LiveWish;
  /** The output is for a script. */
  readonly isJson: boolean;
  /** The parent process is one of this project. */
  readonly isChild: boolean;
  /** Stderr shows a status line. */
  readonly isScreen: boolean;
  /** A screen without a reader, or without cursor movement: CI, `TERM=dumb`. */
  readonly isPlain: boolean;
}

/** Where figures go by default and on request. A script with `--json` gets none without a request. */
export function liveModeOf({ wish, isJson, isChild, isScreen, isPlain }: LivePlace): LiveMode {
  if (wish === 'off') return 'none';
  if (isChild) return wish === 'on' ? 'parent' : 'none';
  if (wish === 'on') return isScreen ? 'screen' : 'lines';
  if (isJson) return 'none';
  return isScreen && !isPlain ? 'screen' : 'lines';
}

/** Which figures of a part are shown. */
export interface LiveSetting {
  readonly mode: LiveMode;
  /** In a pipe the progress of a few boxes is printed too. */
  readonly tellsAll: boolean;
}

/** The meaning of these options here. */
export function liveHere(options: {
  readonly live: LiveWish;
  readonly quiet: boolean;
  readonly json: boolean;
}): LiveSetting {
  const { CI = '', TERM = '' } = process.env;
  const mode = liveModeOf({
    wish: options.quiet ? 'off' : options.live,
    isJson: options.json,
    isChild: process.send !== undefined,
    isScreen: isScreen(process.stderr),
    isPlain: (CI !== '' && CI !== 'false') || TERM === 'dumb',
  });
  return { mode, tellsAll: options.live === 'on' };
}

/** Shows figures until it is ended. */
export interface LiveOutput {
  /** Before the final output, which is then below all else. A second call does nothing. */
  end(): void;
}

/** Begins to show figures on stderr, or to send them to the parent. */
export function showLive({ mode, tellsAll }: LiveSetting, figures: () => LiveFigures): LiveOutput {
  switch (mode) {
    case 'screen':
      return changingLine(figures);
    case 'lines':
      return plainLines(figures, tellsAll ? 0 : limits.linesFrom);
    case 'parent':
      return sentFigures(figures);
    case 'none':
      return { end: () => undefined };
    default:
      return mode satisfies never;
  }
}

/**
 * The line stays below all other output: ora removes it before each write of this process to a terminal, and draws it
 * again below.
 */
function changingLine(figures: () => LiveFigures): LiveOutput {
  const { stderr } = process;
  const ownFigures = measureProcess();
  const teller = screenTeller(performance.now());
  let isEnded = false;
  let stop = () => ownFigures.end();
  import('ora')
    .then(({ default: ora }) => {
      if (isEnded) return;
      // The cursor stays visible, so that it is also visible after a kill -9. Ctrl-C is left to the program.
      const spinner = ora({
        stream: stderr,
        discardStdin: false,
        hideCursor: false,
        isEnabled: true,
        interval: limits.drawMs,
      });
      const draw = () => {
        const all = figuresOfAll([figures(), ownFigures.look()]);
        spinner.text = teller.line(all, performance.now(), stderr.columns - SPINNER_COLUMNS);
      };
      draw();
      spinner.start();
      const timer = setInterval(draw, limits.drawMs);
      stop = () => {
        clearInterval(timer);
        spinner.stop();
        ownFigures.end();
      };
    })
    // A failure of the display does not end the part.
    .catch(() => undefined);
  return {
    end() {
      isEnded = true;
      stop();
      stop = () => undefined;
    },
  };
}

/** The spinner, a blank, and the last column: a terminal that fills it may begin a line. */
const SPINNER_COLUMNS = 3;

function plainLines(figures: () => LiveFigures, leastBoxes: number): LiveOutput {
  const teller = pipeTeller(performance.now(), leastBoxes);
  const timer = setInterval(() => {
    const line = teller.line(figures(), performance.now());
    if (line !== undefined) process.stderr.write(`${line}\n`);
    if (teller.isDone()) clearInterval(timer);
  }, limits.drawMs);
  return { end: () => clearInterval(timer) };
}

function sentFigures(figures: () => LiveFigures): LiveOutput {
  const ownFigures = measureProcess();
  const timer = setInterval(() => {
    const message: FiguresOfChild = { figures: figuresOfAll([figures(), ownFigures.look()]) };
    // The end of the parent is handled elsewhere.
    if (process.connected) process.send?.(message, undefined, {}, () => undefined);
  }, limits.sendMs);
  return {
    end() {
      clearInterval(timer);
      ownFigures.end();
    },
  };
}

/** The resource usage of this process. Each reading covers the time since the one before. */
interface ProcessFigures {
  look(): Required<Pick<LiveFigures, 'lagMs' | 'memoryBytes' | 'busyShare'>>;
  end(): void;
}

/** Begins to measure. A timer of libuv measures the delays: it is cheap, and keeps no process alive. */
function measureProcess(): ProcessFigures {
  const delays = monitorEventLoopDelay({ resolution: limits.lagResolutionMs });
  delays.enable();
  let since = performance.eventLoopUtilization();
  return {
    look() {
      const now = performance.eventLoopUtilization();
      const busyShare = performance.eventLoopUtilization(now, since).utilization;
      since = now;
      // The measurement includes the requested wait; without a value yet it is 0.
      const lagMs = Math.max(0, delays.max / 1e6 - limits.lagResolutionMs);
      delays.reset();
      return { lagMs, memoryBytes: process.memoryUsage.rss(), busyShare };
    },
    end() {
      delays.disable();
    },
  };
}
