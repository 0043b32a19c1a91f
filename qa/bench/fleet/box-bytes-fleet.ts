import { startMqttBroker } from '../../../brokers/mqtt/broker.ts';
import { planFleet } from '../../../simulator/fleet/fleet-plan.ts';
import { startMemoryFleet } from '../../../simulator/fleet/memory-fleet.ts';
import { makeSigningKey } from '../../../world/crypto/real-crypto.ts';
import { memoryFlash } from '../../../world/flash/memory-flash.ts';
import { realLog } from '../../../world/log/real-log.ts';
import { openMemoryWorld } from '../../../world/memory-world.ts';
import { openRealWorld, type RealWorld } from '../../../world/real-world.ts';
import { sleep } from '../../../world/time/time.ts';
import type { BoxCost } from '../measure/figures.ts';

/** One fleet of qa/bench/fleet/box-bytes.ts in a process of its own: posts what a box of it costs. */
const [link = '', ...numbers] = process.argv.slice(2);
const [boxes = 0, rampPerSecond = 0, drivingIn = 0, steadyS = 0] = numbers.map(Number);
const log = realLog('warn');
const world = link === 'sockets' ? await socketWorld() : await openMemoryWorld({ seed: 1, log });
const plans = planFleet(world.random, boxes).map((plan, index) => ({
  ...plan,
  driving: index % drivingIn === 0,
}));

const before = bytes();
const cpuBefore = process.cpuUsage();
const began = performance.now();
const { counts } = await startMemoryFleet(world, plans, { rampPerSecond });
while (counts().boxesReady < boxes) await sleep(world.time, 50);
const readyS = (performance.now() - began) / 1_000;
const cpuMs = cpuMsSince(cpuBefore);
const after = bytes();

const framesBefore = counts().frames;
const steadyBefore = process.cpuUsage();
await sleep(world.time, steadyS * 1_000);
const steadyMs = cpuMsSince(steadyBefore);
const cost: BoxCost = {
  boxes,
  heapBytes: (after.heap - before.heap) / boxes,
  rssBytes: (after.rss - before.rss) / boxes,
  rssMost: process.resourceUsage().maxRSS * 1_024,
  cpuMs: cpuMs / boxes,
  readyS,
  steadyShare: steadyMs / (steadyS * 1_000),
  framesPerS: (counts().frames - framesBefore) / steadyS,
};
process.send?.(cost, () => process.exit(0));

/** The embedded broker in this process, and sockets between it and the boxes; their flash is in memory all the same. */
async function socketWorld(): Promise<RealWorld> {
  const broker = await startMqttBroker({
    host: '127.0.0.1',
    port: 0,
    backend: { username: 'receiver', password: 'receiver' },
    authenticate: () => Promise.resolve(true),
    log,
  });
  const signingKey = await makeSigningKey();
  const flash = memoryFlash();
  return openRealWorld({ seed: 1, mqttUrl: broker.url, amqpUrl: undefined, flash, signingKey, log });
}

/** What is in use once garbage is collected. */
function bytes(): { readonly heap: number; readonly rss: number } {
  globalThis.gc?.();
  globalThis.gc?.();
  const { heapUsed, external, rss } = process.memoryUsage();
  return { heap: heapUsed + external, rss };
}

function cpuMsSince(start: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1_000;
}
