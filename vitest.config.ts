import { defineConfig } from 'vitest/config';
import { Order } from './test/setup/order.ts';

/** Unit tests that need modules of their own: they count what is loaded, or put globals aside while it is loaded. */
const UNIT_ALONE = ['test/unit/world/virtual-sandbox.test.ts', 'test/unit/world/real-*.test.ts'];

export default defineConfig({
  test: {
    pool: 'forks',
    // On two cores vitest would take one: a third of the time, tests wait for processes and brokers.
    maxWorkers: 3,
    sequence: { sequencer: Order },
    setupFiles: ['test/setup/chance.ts', 'test/openapi/setup.ts', 'test/messages/setup.ts'],
    // Two cores, and socket tests that start processes of their own: a test that takes longer than this hangs.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    reporters: ['default', './test/closing-line.ts'],
    projects: [
      {
        extends: true,
        test: {
          name: 'alone',
          include: ['test/*.test.ts', 'test/!(unit|all)/**/*.test.ts', ...UNIT_ALONE],
        },
      },
      // Loading what a file needs takes longer than most unit tests: the files of a worker share what is loaded.
      {
        extends: true,
        test: { name: 'unit', include: ['test/unit/**/*.test.ts'], exclude: UNIT_ALONE, isolate: false },
      },
    ],
  },
});
