import { counted } from '../../judge/wording.ts';
import { writeDocument } from '../language/document/write.ts';
import { readSource } from '../language/document/yaml-source.ts';
import { exploreLimits } from '../limits.ts';
import { reasonText } from './reason.ts';
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

/** A failing scenario as a file, and why it fails. */
export interface FoundFile {
  /** With its origin in a header. */
  readonly text: string;
  /** With the line of the step in this file. */
  readonly reason: string;
}

/** The smallest failing scenario as a file that `boxtwin scenario run` repeats. */
export function foundFile({
  command,
  drawnLines: told,
  first,
  smallest,
  shrinkRuns,
}: FoundScenario): FoundFile {
  const [from, to] = [sizeOf(first.document), sizeOf(smallest.document)];
  const document = writeDocument(smallest.document);
  const read = readSource(document, '');
  const headed = (reason: string): readonly string[] => [
    `Found by: ${command}`,
    ...told,
    `Fails: ${reason}`,
    `Made smaller in ${counted(shrinkRuns, 'run')}: ${from.steps} to ${counted(to.steps, 'step')}, ${from.vehicles} to ${counted(to.vehicles, 'vehicle')}.${
      smallest.isSmallest ? '' : ' It may become smaller still: not all was tried.'
    }`,
    ...comparedText(smallest),
  ];
  const headerLines = headed('').length;
  const reason = reasonText(smallest.reason, (index) =>
    read.ok ? headerLines + read.positionOf(['steps', index], 'value').line : undefined,
  );
  return { text: `${headed(reason).map(commentOf).join('\n')}\n${document}`, reason };
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
