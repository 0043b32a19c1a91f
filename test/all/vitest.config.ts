import { defineConfig } from 'vitest/config';

/** What takes too long, or needs too much, for every run: `npm run test:all`, beside `npm test`. */
export default defineConfig({
  test: {
    pool: 'forks',
    maxWorkers: 2,
    include: ['test/all/**/*.test.ts'],
    setupFiles: [
      'test/support/run/property-seed.ts',
      'test/support/openapi/setup.ts',
      'test/support/asyncapi/setup.ts',
    ],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    reporters: ['default', './test/support/run/closing-line.ts'],
  },
});
