import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    pool: 'forks',
    // Two cores, and socket tests that start processes of their own: a test that takes longer than this hangs.
    testTimeout: 30_000,
    hookTimeout: 60_000,
    reporters: ['default', './test/closing-line.ts'],
  },
});
