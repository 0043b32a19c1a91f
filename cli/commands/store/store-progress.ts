import ora from 'ora';
import { limits } from '../../live/limits.ts';
import { printable } from '../../shared/printable.ts';
import { isScreen } from '../scenario/scenario-progress.ts';

/** Tells how far something is, on stderr. */
export interface StoreProgress {
  show(text: string): void;
  /** Before anything else is printed. A second call does nothing. */
  end(): void;
}

/** One line that changes on a screen, and in a pipe a line now and then; `isQuiet`: nothing at all. */
export function storeProgress(stream: NodeJS.WriteStream, isQuiet: boolean): StoreProgress {
  if (isQuiet) return { show: () => undefined, end: () => undefined };
  if (!isScreen(stream)) return plainLines(stream);
  const spinner = ora({ stream, discardStdin: false });
  return {
    show: (text) => {
      if (spinner.isSpinning) spinner.text = printable(text);
      else spinner.start(printable(text));
    },
    end: () => void spinner.stop(),
  };
}

function plainLines(stream: NodeJS.WriteStream): StoreProgress {
  // What is soon over says nothing.
  let dueMs = performance.now() + limits.lineMs;
  return {
    show(text) {
      if (performance.now() < dueMs) return;
      dueMs = performance.now() + limits.lineMs;
      stream.write(`${printable(text)}\n`);
    },
    end: () => undefined,
  };
}
