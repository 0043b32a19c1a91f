import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { BoxCost, BoxCosts } from '../measure/figures.ts';

/**
 * What a box of a fleet costs, with its firmware, its vehicle, its session and its side of the receiver: bytes
 * once all are ready, and the processor's time until then and afterwards. One box in twelve drives, as in a fleet in
 * which each drives two hours a day. Each size in a process of its own.
 */
const DRIVING_IN = 12;
const STEADY_S = 20;
const FLEETS = {
  memory: { link: 'memory', sizes: [10, 1_000, 10_000], aimBytes: 15_000, rampPerSecond: 1_000 },
  large: { link: 'memory', sizes: [100_000], aimBytes: 15_000, rampPerSecond: 1_000 },
  // A socket has two ends in this process, and each is an open file: a usual limit of 20,000 ends below 10,000 boxes.
  sockets: { link: 'sockets', sizes: [1_000, 5_000], aimBytes: 40_000, rampPerSecond: 200 },
} as const;
const AIM_CPU_MS = 2;
/** Megabytes of old space: what a fleet of 100,000 must do with, within 4 GiB in all. */
const OLD_SPACE_MB = 3_072;

export async function boxBytes(fleet: keyof typeof FLEETS): Promise<BoxCosts> {
  const { link, sizes, aimBytes, rampPerSecond } = FLEETS[fleet];
  const costs: BoxCost[] = [];
  for (const boxes of sizes) costs.push(await costOf(link, boxes, rampPerSecond));
  const name = `a box of a fleet by ${link}, up to ${sizes.at(-1)?.toLocaleString('en-US')} of them`;
  return { name, costs, aimBytes, aimCpuMs: AIM_CPU_MS };
}

async function costOf(link: string, boxes: number, rampPerSecond: number): Promise<BoxCost> {
  const program = fileURLToPath(new URL('./box-bytes-fleet.ts', import.meta.url));
  const child = fork(program, [link, ...[boxes, rampPerSecond, DRIVING_IN, STEADY_S].map(String)], {
    execArgv: ['--expose-gc', `--max-old-space-size=${OLD_SPACE_MB}`],
  });
  const [cost] = await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(([code]) => {
      throw new Error(`A fleet of ${boxes} boxes has ended with ${code} before it was ready.`);
    }),
  ]);
  return cost as BoxCost;
}
