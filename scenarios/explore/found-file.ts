import { counted } from '../language/document/counted.ts';
import { writeDocument } from '../language/document/write.ts';
import { limits } from './limits.ts';
import type { FailingScenario, SmallestFailure } from './shrink.ts';
import { sizeOf } from './smaller.ts';

/** How a failure came to be known. */
export interface FoundScenario {
  /** The command that finds it again. */
  readonly command: string;
  /** In which run, and what was drawn for it: a line each. */
  readonly drawnLines: readonly string[];
  readonly first: FailingScenario;
  readonly smallest: SmallestFailure;
  readonly shrinkRuns: number;
}

/** The smallest failing scenario as a file that `boxtwin scenario run` repeats, with how it was found above it. */
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

/** With what it was seen to pass, or why nobody looked; nothing where a checker found it. */
export function comparedText({ reason, compared, failsByFaults }: SmallestFailure): readonly string[] {
  if (reason.expectation === undefined) return [];
  if (failsByFaults === true) return ['Does not fail so without its weather and breaks.'];
  if (compared === undefined) {
    return [
      'Not compared with a run that passes, since the file fails as it stands: look whether what it expects can still come.',
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
  const { headerCharacters: most } = limits;
  return `# ${text.length > most ? `${text.slice(0, most)} ...` : text}`;
}
