import type { TestSpecification } from 'vitest/node';
import { BaseSequencer } from 'vitest/node';

/** Begun before all others: on a machine that has not timed the files yet, they would else run on when all are done. */
const LONGEST = [
  '/test/sockets/start.test.ts',
  '/test/all/stories-large.test.ts',
  '/test/all/examples-consumers.test.ts',
  '/test/all/tutorials.test.ts',
] as const;

/** Files that mostly wait for processes, brokers and browsers. */
const WAITING = /\/test\/(sockets|all)\//;
/** Those among them that mostly count. */
const COUNTING = /\/test\/all\/(explore|random-faults|road|stories|swarm-found)/;

/**
 * The order in which files are begun: project by project, so that files that share a worker follow each other. Within a
 * project a file that waits and one that counts take turns, which keeps the processors busy and the sockets' deadlines
 * wide; within each kind the order is vitest's own, the longest first.
 */
export class FileOrder extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isFirst = ({ moduleId }: TestSpecification) => LONGEST.some((name) => moduleId.endsWith(name));
    const rest = sorted.filter((file) => !isFirst(file));
    const projects = [...Map.groupBy(rest, ({ project }) => project.name).values()];
    return [...sorted.filter(isFirst), ...projects.flatMap(inTurns)];
  }
}

function inTurns(files: readonly TestSpecification[]): TestSpecification[] {
  const isWaiting = ({ moduleId }: TestSpecification) => WAITING.test(moduleId) && !COUNTING.test(moduleId);
  const waiting = files.filter(isWaiting);
  const counting = files.filter((file) => !isWaiting(file));
  return Array.from({ length: Math.max(waiting.length, counting.length) }, (_, index) => [
    ...waiting.slice(index, index + 1),
    ...counting.slice(index, index + 1),
  ]).flat();
}
