import type { TestSpecification } from 'vitest/node';
import { BaseSequencer } from 'vitest/node';

/** Begun before all others: on a machine that has not timed the files yet, they would else run on when all are done. */
const LONGEST = [
  '/test/sockets/start.test.ts',
  '/test/all/stories-large.test.ts',
  '/test/all/examples-consumers.test.ts',
  '/test/all/tutorials.test.ts',
] as const;

/**
 * The order in which files are begun. Those over sockets mostly wait, the others mostly count: one of each in turn
 * keeps the processors busy and the sockets' deadlines wide. Within each kind the order is vitest's own, the longest
 * first.
 */
export class FileOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const first = sorted.filter(({ moduleId }) => LONGEST.some((name) => moduleId.endsWith(name)));
    const alone = sorted.filter((file) => file.project.name === 'alone' && !first.includes(file));
    const waiting = alone.filter(({ moduleId }) => moduleId.includes('/test/sockets/'));
    const counting = alone.filter((file) => !waiting.includes(file));
    const mixed = Array.from({ length: Math.max(waiting.length, counting.length) }, (_, index) => [
      ...waiting.slice(index, index + 1),
      ...counting.slice(index, index + 1),
    ]);
    const rest = sorted.filter((file) => !first.includes(file) && !alone.includes(file));
    return [...first, ...mixed.flat(), ...rest];
  }
}
