import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    pool: 'forks',
    // On two cores vitest would take one: half of the time, tests wait for processes and brokers.
    maxWorkers: 2,
    setupFiles: ['test/openapi/setup.ts', 'test/messages/setup.ts'],
    // Two cores, and socket tests that start processes of their own: a test that takes longer than this hangs.
    testTimeout: 30_000,
    hookTimeout: 60_000,
    reporters: ['default', './test/closing-line.ts'],
  },
});
