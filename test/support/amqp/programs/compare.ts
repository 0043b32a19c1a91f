import { randomBytes } from 'node:crypto';
import type { ClientProgram } from './program.ts';
import type { Observation, Patience, ProgramRunner } from './run.ts';

/** How far two brokers went together, and what they said to the step in which they differ. */
export interface Comparison {
  readonly steps: number;
  readonly difference: string | undefined;
}

/** A difference counts only where it is there again with more patience. */
const PATIENCE: readonly Patience[] = [
  { rounds: 3, pauseMs: 0 },
  { rounds: 4, pauseMs: 4 },
  { rounds: 5, pauseMs: 15 },
];

export async function comparePrograms(
  program: ClientProgram,
  one: ProgramRunner,
  other: ProgramRunner,
): Promise<Comparison> {
  let last: Comparison = { steps: 0, difference: undefined };
  for (const patience of PATIENCE) {
    const seen = await Promise.all(
      [one, other].map((runner) =>
        runner.run(program, `program-${randomBytes(6).toString('hex')}-`, patience),
      ),
    );
    last = compare(seen[0] ?? [], seen[1] ?? []);
    if (last.difference === undefined) return last;
  }
  return last;
}

function compare(one: readonly Observation[], other: readonly Observation[]): Comparison {
  for (const [index, { step, lines, isOpen }] of one.entries()) {
    const theirs = other[index];
    if (theirs === undefined || isOpen || theirs.isOpen) return { steps: index, difference: undefined };
    if (lines.join('\n') === theirs.lines.join('\n')) continue;
    const [only, others] = [
      lines.filter((line) => !theirs.lines.includes(line)),
      theirs.lines.filter((line) => !lines.includes(line)),
    ];
    const isOrder = only.length + others.length === 0;
    const shown = (said: readonly string[], all: readonly string[]) =>
      (isOrder ? all : said).map((line) => `\n    ${line}`).join('');
    const difference = `step ${index} ${step}\n  first:${shown(only, lines)}\n  second:${shown(others, theirs.lines)}`;
    return { steps: index, difference };
  }
  return { steps: one.length, difference: undefined };
}
