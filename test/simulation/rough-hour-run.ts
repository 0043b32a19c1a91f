import { roughHour } from '../../scenarios/rough-hour.ts';

/** Plays a rough hour in a process of its own and prints what came of it, for rough-hour.test.ts to compare. */
const [seed = '1', vehicles = '100', minutes = '60'] = process.argv.slice(2);
const result = await roughHour({
  seed: Number(seed),
  vehicles: Number(vehicles),
  durationMs: Number(minutes) * 60_000,
});
process.stdout.write(`${JSON.stringify(result)}\n`);
