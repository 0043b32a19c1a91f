import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { configDefaults, defineConfig } from 'vitest/config';
import { FileOrder } from './test/support/run/file-order.ts';
import { HEAVY_FILES } from './test/support/run/heavy-files.ts';

/** What runs without sockets, and shares its modules with other files. */
const SHARED = 'test/{unit,simulation,properties,openapi,asyncapi}/**/*.test.ts';
/** What uses sockets, and shares its modules with such files only: a virtual world meets none of their connections. */
const SOCKETS = 'test/{contracts,sockets}/**/*.test.ts';

/**
 * Of these, the files that need modules of their own: they count what is loaded, replace globals or modules while it is
 * loaded, or add to what a process knows for good.
 */
const ALONE = [
  'test/sockets/{real-proxy,start}.test.ts',
  'test/unit/world/sandbox/virtual-sandbox.test.ts',
  'test/unit/world/**/real-*.test.ts',
  'test/unit/deployment/models/{held-models,model-directory}.test.ts',
  'test/simulation/{journal-that-crowds-out,model-of-dbc}.test.ts',
];

export default defineConfig({
  test: {
    pool: 'forks',
    // Threads and programs that tests start load what was compiled before.
    env: { NODE_COMPILE_CACHE: join(tmpdir(), 'boxtwin-compile-cache') },
    // On two cores vitest would take one: a third of the time, tests wait for processes and brokers.
    maxWorkers: 3,
    sequence: { sequencer: FileOrder },
    setupFiles: [
      'test/support/run/no-colour.ts',
      'test/support/run/property-seed.ts',
      'test/support/openapi/setup.ts',
      'test/support/asyncapi/setup.ts',
    ],
    // Two cores, and socket tests that start processes of their own: a test that takes longer than this hangs.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // A poll waits for a state, not for a second.
    expect: { poll: { timeout: 60_000 } },
    reporters: ['default', './test/support/run/closing-line.ts'],
    projects: [
      {
        extends: true,
        test: {
          name: 'alone',
          include: ['test/*.test.ts', 'test/tidy/**/*.test.ts', 'qa/**/*.test.ts', ...ALONE],
          exclude: [...configDefaults.exclude, ...HEAVY_FILES],
        },
      },
      // Loading what a file needs takes longer than most of these tests: the files of a worker share what is loaded.
      {
        extends: true,
        test: {
          name: 'sockets',
          include: [SOCKETS],
          exclude: [...ALONE, ...HEAVY_FILES],
          isolate: false,
        },
      },
      {
        extends: true,
        test: {
          name: 'shared',
          include: [SHARED],
          exclude: [...ALONE, ...HEAVY_FILES],
          isolate: false,
        },
      },
    ],
  },
});
