import type { TestSpecification } from 'vitest/node';
import { BaseSequencer } from 'vitest/node';

/**
 * The order in which files are begun. Those over sockets mostly wait, the others mostly count: one of each in turn keeps
 * the processors busy and the sockets' deadlines wide. Within each kind the order is vitest's own, the longest first.
 */
export class Order extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const alone = sorted.filter(({ project }) => project.name === 'alone');
    const waiting = alone.filter(({ moduleId }) => moduleId.includes('/test/sockets/'));
    const counting = alone.filter((file) => !waiting.includes(file));
    const mixed = Array.from({ length: Math.max(waiting.length, counting.length) }, (_, index) => [
      ...waiting.slice(index, index + 1),
      ...counting.slice(index, index + 1),
    ]);
    return [...mixed.flat(), ...sorted.filter((file) => !alone.includes(file))];
  }
}
