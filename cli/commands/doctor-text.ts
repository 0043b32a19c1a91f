import pc from 'picocolors';
import type { Judgement, Verdict } from '../../deployment/checks/check.ts';
import { count } from '../../deployment/checks/wording.ts';
import { printable } from '../shared/output.ts';

/** A check with its result. */
export interface Looked {
  readonly name: string;
  readonly judgement: Judgement;
}

const MARKS: Readonly<Record<Verdict, string>> = {
  ok: pc.green('✓'),
  warning: pc.yellow('!'),
  failed: pc.red('✗'),
};

const NAME_WIDTH = 22;

/** One line, and the remedy indented below. With a line break at its end. */
export function checkText({ name, judgement: { verdict, text, remedy } }: Looked): string {
  const line = `${MARKS[verdict]} ${pc.dim(name.padEnd(NAME_WIDTH))} ${printable(text)}\n`;
  return remedy === undefined ? line : `${line}${' '.repeat(NAME_WIDTH + 3)}${printable(remedy)}\n`;
}

/** Checks whose port is taken, one line each, with one remedy for all of them: they mostly have one cause. */
export function takenPortsText(looked: readonly Looked[]): string {
  if (looked.length < 2) return looked.map(checkText).join('');
  const lines = looked.map(({ name, judgement: { verdict, text } }) =>
    checkText({ name, judgement: { verdict, text } }),
  );
  const options = looked
    .map(({ judgement }) => /--[\w-]+/.exec(judgement.remedy ?? '')?.[0] ?? '')
    .join(', ');
  return `${lines.join('')}${' '.repeat(NAME_WIDTH + 3)}Free them, or give others with ${options}.\n`;
}

/** Whether it is a warning about a port that is taken. */
export function isTakenPort({ name, judgement }: Looked): boolean {
  return name.endsWith(' port') && judgement.verdict === 'warning';
}

/** The last line: whether a start is possible. */
export function verdictText(looked: readonly Looked[]): string {
  const failures = countOf(looked, 'failed');
  const warnings = countOf(looked, 'warning');
  if (failures + warnings === 0) return `${pc.green('All is well.')}\n`;
  const parts = [
    ...(failures === 0 ? [] : [pc.red(`${count(failures, 'check')} failed`)]),
    ...(warnings === 0 ? [] : [pc.yellow(count(warnings, 'warning'))]),
  ];
  return `${parts.join(', ')}.\n`;
}

/** For programs. */
export function doctorJson(vehicles: number, verdict: Verdict, looked: readonly Looked[]): unknown {
  return {
    verdict,
    vehicles,
    checks: looked.map(({ name, judgement }) => ({
      name,
      verdict: judgement.verdict,
      text: judgement.text,
      remedy: judgement.remedy ?? null,
    })),
  };
}

function countOf(looked: readonly Looked[], verdict: Verdict): number {
  return looked.filter(({ judgement }) => judgement.verdict === verdict).length;
}
