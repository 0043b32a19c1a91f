import { defineConfig } from 'vitest/config';
import type { TestSpecification } from 'vitest/node';
import { BaseSequencer } from 'vitest/node';
import { ROOMS } from './rooms.ts';

/** The room whose mutants are played: `qa/mutation/play.ts` tells it to the processes that Stryker starts. */
const room = ROOMS.find(({ name }) => name === process.env['MUTATION_ROOM']);
if (room === undefined) throw new Error('MUTATION_ROOM names no room of qa/mutation/rooms.ts.');
const { tests } = room;

/** In the order of the room's list. */
class ListedOrder extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) =>
      tests.findIndex((path) => moduleId.includes(`/${path}`));
    return Promise.resolve(
      files.toSorted((one, other) => place(one) - place(other) || (one.moduleId < other.moduleId ? -1 : 1)),
    );
  }
}

export default defineConfig({
  test: {
    pool: 'threads',
    // A process is started for each mutant: its files share what is loaded.
    isolate: false,
    sequence: { sequencer: ListedOrder },
    include: tests.map((path) => (path.endsWith('.ts') ? path : `${path}/**/*.test.ts`)),
    setupFiles: [
      'test/support/run/property-seed.ts',
      'test/support/openapi/setup.ts',
      'test/support/asyncapi/setup.ts',
    ],
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
