import { writeDocument } from '../language/write.ts';
import { limits } from './limits.ts';
import type { Failing, Shrunk } from './shrink.ts';
import { sizeOf } from './smaller.ts';

/** How a failure came to be known. */
export interface Finding {
  /** The command that finds it again. */
  readonly command: string;
  /** In which run, and what was drawn for it: a line each. */
  readonly told: readonly string[];
  readonly first: Failing;
  readonly smallest: Shrunk;
  readonly shrinkRuns: number;
}

/** The smallest failing scenario as a file that `boxtwin scenario run` repeats, with how it was found above it. */
export function foundFile({ command, told, first, smallest, shrinkRuns }: Finding): string {
  const [from, to] = [sizeOf(first.document), sizeOf(smallest.document)];
  const lines = [
    `Found by: ${command}`,
    ...told,
    `Fails: ${smallest.reason.text}`,
    `Made smaller in ${shrinkRuns} runs: ${from.steps} to ${to.steps} steps, ${from.vehicles} to ${to.vehicles} vehicles.${
      smallest.isSmallest ? '' : ' The runs were used up; it may become smaller still.'
    }`,
  ];
  return `${lines.map(commentOf).join('\n')}\n${writeDocument(smallest.document)}`;
}

function commentOf(line: string): string {
  const text = line.replaceAll(/\s+/g, ' ').trim();
  const { headerCharacters: most } = limits;
  return `# ${text.length > most ? `${text.slice(0, most)} ...` : text}`;
}
