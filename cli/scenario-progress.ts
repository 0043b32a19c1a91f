import ora from 'ora';
import { span } from '../scenarios/reports/moment.ts';
import { printable } from './printable.ts';
import type { Progress } from './scenario-gate.ts';

/** Tells how a run goes on. */
export interface ProgressLine {
  begin(name: string, index: number, count: number): void;
  readonly show: ((progress: Progress) => void) | undefined;
  /** Before anything else is printed. */
  end(): void;
}

/** Whether a line may change there. A terminal that tells no width, as many in pipelines do, is as good as a pipe. */
export function isScreen({ isTTY, columns }: Pick<NodeJS.WriteStream, 'isTTY' | 'columns'>): boolean {
  return isTTY && columns > 0;
}

/** One line that changes on a terminal; in a pipe nothing. It goes to stderr, beside the report on stdout. */
export function progressLine(stream: NodeJS.WriteStream): ProgressLine {
  if (!isScreen(stream)) return { begin: () => undefined, show: undefined, end: () => undefined };
  const spinner = ora({ stream, discardStdin: false });
  let head = '';
  return {
    begin(name, index, count) {
      head = `${index}/${count} ${printable(name)}`;
      spinner.start(head);
    },
    show({ virtualMs, wallMs }) {
      const factor = wallMs === 0 ? 0 : virtualMs / wallMs;
      spinner.text = `${head}  ${span(virtualMs)}, ${factor >= 10 ? Math.round(factor) : factor.toFixed(1)} times as fast as the clock`;
    },
    end() {
      spinner.stop();
    },
  };
}
