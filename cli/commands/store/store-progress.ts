import ora from 'ora';
import { limits } from '../../live/limits.ts';
import { isScreen, printable } from '../../shared/output.ts';

/** Reports progress on stderr. */
export interface StoreProgress {
  show(text: string): void;
  /** Before any other output. A second call does nothing. */
  end(): void;
}

/** A status line on a terminal, and in a pipe a line at intervals; `isQuiet`: no output. */
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
  // A short task prints nothing.
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
