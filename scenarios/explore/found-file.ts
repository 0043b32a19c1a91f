import { counted } from '../../judge/wording.ts';
import { writeDocument } from '../language/document/write.ts';
import { exploreLimits } from '../limits.ts';
import type { FailingScenario, SmallestFailure } from './shrink.ts';
import { sizeOf } from './smaller.ts';

/** How a failure was found. */
export interface FoundScenario {
  /** The command that finds it again. */
  readonly command: string;
  /** In which run, and what was drawn for it: a line each. */
  readonly drawnLines: readonly string[];
  readonly first: FailingScenario;
  readonly smallest: SmallestFailure;
  readonly shrinkRuns: number;
}

/** The smallest failing scenario as a file that `boxtwin scenario run` repeats, with its origin in a header. */
export function foundFile({ command, drawnLines: told, first, smallest, shrinkRuns }: FoundScenario): string {
  const [from, to] = [sizeOf(first.document), sizeOf(smallest.document)];
  const lines = [
    `Found by: ${command}`,
    ...told,
    `Fails: ${smallest.reason.text}`,
    `Made smaller in ${counted(shrinkRuns, 'run')}: ${from.steps} to ${counted(to.steps, 'step')}, ${from.vehicles} to ${counted(to.vehicles, 'vehicle')}.${
      smallest.isSmallest ? '' : ' It may become smaller still: not all was tried.'
    }`,
    ...comparedText(smallest),
  ];
  return `${lines.map(commentOf).join('\n')}\n${writeDocument(smallest.document)}`;
}

/** The values with which it passes, or why no comparison was made; nothing where a checker found it. */
export function comparedText({ reason, compared, failsByFaults }: SmallestFailure): readonly string[] {
  if (reason.expectation === undefined) return [];
  if (failsByFaults === true) return ['Does not fail so without its weather and breaks.'];
  if (compared === undefined) {
    return [
      'Not compared with a passing run, because the file fails unchanged: check whether its expectations can still be met.',
    ];
  }
  const { values, seeds, isReordered } = compared;
  const put = [
    ...Object.entries(values).map(([place, value]) => `${place} ${JSON.stringify(value)}`),
    `seed ${seeds.join(' or ')}`,
    ...(isReordered ? ['its steps in the order that they had there'] : []),
  ];
  return [`Checked: it passes with what the file had that was explored: ${put.join(', ')}.`];
}

function commentOf(line: string): string {
  const text = line.replaceAll(/\s+/g, ' ').trim();
  const { headerCharacters: most } = exploreLimits;
  return `# ${text.length > most ? `${text.slice(0, most)} ...` : text}`;
}
