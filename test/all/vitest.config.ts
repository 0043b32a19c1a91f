import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { FileOrder } from '../support/run/file-order.ts';
import { HEAVY_FILES } from '../support/run/heavy-files.ts';

/**
 * These go by the clock, so they run after all others, and one at a time: clusters of brokers elect their leaders within
 * seconds, the miniatures have faults of seconds, which something has to meet, and clients are certified by when they ask again.
 */
const BY_THE_CLOCK = ['test/all/{certify-client,chaos,cluster-*,scenario-miniatures}.test.ts'];
const CHECKOUT = join(import.meta.dirname, '..', '..');

const shared = {
  root: CHECKOUT,
  pool: 'forks' as const,
  env: { NODE_COMPILE_CACHE: join(tmpdir(), 'boxtwin-compile-cache') },
  setupFiles: [
    'test/support/run/no-colour.ts',
    'test/support/run/property-seed.ts',
    'test/support/openapi/setup.ts',
    'test/support/asyncapi/setup.ts',
  ],
  testTimeout: 240_000,
  hookTimeout: 240_000,
  expect: { poll: { timeout: 100_000 } },
};

/** What takes too long, or needs too much, for every run: `npm run test:all`, beside `npm test`. */
export default defineConfig({
  test: {
    reporters: ['default', './test/support/run/closing-line.ts'],
    sequence: { sequencer: FileOrder },
    projects: [
      {
        test: {
          ...shared,
          name: 'all',
          // One more than there are cores: half of the time these files wait for processes, brokers and browsers.
          maxWorkers: 3,
          sequence: { groupOrder: 0 },
          include: ['test/all/**/*.test.ts', ...HEAVY_FILES],
          exclude: ['**/node_modules/**', ...BY_THE_CLOCK],
        },
      },
      {
        test: {
          ...shared,
          name: 'by the clock',
          maxWorkers: 1,
          sequence: { groupOrder: 1 },
          include: BY_THE_CLOCK,
        },
      },
    ],
  },
});
