import { isScreen } from '../commands/scenario/scenario-progress.ts';
import { limits } from './limits.ts';
import { figuresOfAll, type LiveFigures } from './live-figures.ts';
import { pipeTeller, screenTeller } from './live-tellers.ts';
import { measureProcess } from './process-figures.ts';

/** As `--live` says it. */
export type LiveWish = 'auto' | 'on' | 'off';

/** Where the figures go: a line that changes, lines of their own, the process that started this one, or nowhere. */
export type LiveMode = 'screen' | 'lines' | 'parent' | 'none';

export interface LivePlace {
  readonly wish: LiveWish;
  /** What is printed is for a script. */
  readonly isJson: boolean;
  /** Another process of the project started this one. */
  readonly isChild: boolean;
  /** Stderr shows a line that changes. */
  readonly isScreen: boolean;
  /** Nobody looks at that screen, or it knows no movement of the cursor: CI, `TERM=dumb`. */
  readonly isPlain: boolean;
}

/** Where figures go by default and on request. A script with `--json` is told nothing but on request. */
export function liveModeOf({ wish, isJson, isChild, isScreen, isPlain }: LivePlace): LiveMode {
  if (wish === 'off') return 'none';
  if (isChild) return wish === 'on' ? 'parent' : 'none';
  if (wish === 'on') return isScreen ? 'screen' : 'lines';
  if (isJson) return 'none';
  return isScreen && !isPlain ? 'screen' : 'lines';
}

/** What is told of a part while it runs. */
export interface LiveSetting {
  readonly mode: LiveMode;
  /** In a pipe it is told of a few boxes, too. */
  readonly tellsAll: boolean;
}

/** What these options say here. */
export function liveHere(options: { readonly live: LiveWish; readonly json: boolean }): LiveSetting {
  const { CI = '', TERM = '' } = process.env;
  const mode = liveModeOf({
    ...{ wish: options.live, isJson: options.json },
    isChild: process.send !== undefined,
    isScreen: isScreen(process.stderr),
    isPlain: (CI !== '' && CI !== 'false') || TERM === 'dumb',
  });
  return { mode, tellsAll: options.live === 'on' };
}

/** Shows figures until it is ended. */
export interface LiveOutput {
  /** Before the last words, which then stand below all else. A second call does nothing. */
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
 * The line stays below all that is written meanwhile: ora takes it away before each write of this process to a terminal,
 * and draws it again below.
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
      // The cursor stays, so that it is there after a kill -9, too. Ctrl-C is left to the program.
      const spinner = ora({
        ...{ stream: stderr, discardStdin: false, hideCursor: false, isEnabled: true },
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
    // It is shown or not; what it would be about goes on.
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

/** What a child tells the process that started it, again and again. */
export interface FiguresOfChild {
  readonly figures: LiveFigures;
}

function sentFigures(figures: () => LiveFigures): LiveOutput {
  const ownFigures = measureProcess();
  const timer = setInterval(() => {
    const message: FiguresOfChild = { figures: figuresOfAll([figures(), ownFigures.look()]) };
    // A parent that has gone is noticed elsewhere.
    if (process.connected) process.send?.(message, undefined, {}, () => undefined);
  }, limits.sendMs);
  return {
    end() {
      clearInterval(timer);
      ownFigures.end();
    },
  };
}
