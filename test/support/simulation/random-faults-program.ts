import { runRandomFaults } from './random-faults.ts';

/**
 * Runs random faults in a separate process and prints the result, for test/all/random-faults.test.ts to
 * compare.
 */
const [seed = '1', vehicles = '100', minutes = '60'] = process.argv.slice(2);
const result = await runRandomFaults({
  seed: Number(seed),
  vehicles: Number(vehicles),
  durationMs: Number(minutes) * 60_000,
});
process.stdout.write(`${JSON.stringify(result)}\n`);
