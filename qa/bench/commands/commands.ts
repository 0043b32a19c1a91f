import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { endChild, lineOf } from '../measure/children.ts';
import { bestOf, type Latencies, type Percentiles, percentilesOf } from '../measure/figures.ts';
import { processorSecondsWithChildren } from '../measure/processor-time.ts';
import { readyVehicles, startService } from '../measure/service-target.ts';

/**
 * How long `request-vehicle-state` takes at a steady rate, whether answers keep up or not, over boxes without radio
 * delays: 99 of 100 calls are answered within p99. Beside it a bare chain of the same parts in one process: a Hono
 * handler that makes one MQTT round trip to a client that answers, and one durable SQLite commit. The processor time
 * is that of all processes but the one that calls.
 */
const load = { seconds: 8, warmUpSeconds: 3 } as const;

/** A running server that takes commands. */
export interface CommandTarget {
  readonly url: (index: number) => string;
  readonly headers: Readonly<Record<string, string>>;
  /** The processor time of all its processes so far, in seconds; NaN where there is no /proc. */
  cpuS(): number;
  end(): Promise<void>;
}

export async function commands(how: {
  readonly rounds: number;
  readonly vehicles: number;
  readonly ratesPerS: readonly number[];
  readonly processes?: 'one' | 'several';
}): Promise<Latencies> {
  const rows: Latencies['latencies'][number][] = [];
  for (const perS of how.ratesPerS) {
    const bare: Percentiles[] = [];
    const ours: Percentiles[] = [];
    for (let round = 0; round < how.rounds; round += 1) {
      bare.push(await measure(await bareTarget(how.vehicles), perS));
      ours.push(await measure(await serviceTarget(how.vehicles, how.processes), perS));
    }
    rows.push({ perS, bare: bestOf(bare), ours: bestOf(ours) });
  }
  const vehicles = how.vehicles.toLocaleString('en-US');
  const parts = how.processes === 'several' ? ', the parts in processes of their own' : '';
  return { name: `commands, request-vehicle-state over ${vehicles} boxes${parts}`, latencies: rows, aim: 3 };
}

async function measure(target: CommandTarget, perS: number): Promise<Percentiles> {
  try {
    await fire(target, perS, load.warmUpSeconds);
    const beforeS = target.cpuS();
    const took = await fire(target, perS, load.seconds);
    const cpuMs = (1_000 * (target.cpuS() - beforeS)) / (perS * load.seconds - took.failed);
    return Number.isFinite(cpuMs) ? { ...took, cpuMs } : took;
  } finally {
    await target.end();
  }
}

/** Calls at their times, whatever the answers before do. */
export async function fire(
  target: Pick<CommandTarget, 'url' | 'headers'>,
  perS: number,
  seconds: number,
): Promise<Percentiles> {
  const tookMs: number[] = [];
  let failed = 0;
  const beganMs = performance.now();
  const calls: Promise<void>[] = [];
  const call = async (index: number): Promise<void> => {
    const sentMs = performance.now();
    const answer = await fetch(target.url(index), { method: 'POST', headers: target.headers });
    await answer.arrayBuffer();
    if (answer.ok) tookMs.push(performance.now() - sentMs);
    else failed += 1;
  };
  for (let index = 0; index < perS * seconds; index += 1) {
    const dueMs = beganMs + (index * 1_000) / perS;
    const leftMs = dueMs - performance.now();
    if (leftMs > 1) await new Promise((resolve) => setTimeout(resolve, leftMs));
    calls.push(
      call(index).catch(() => {
        failed += 1;
      }),
    );
  }
  await Promise.all(calls);
  return percentilesOf(tookMs, failed);
}

/** The bare chain, with the port of its broker. */
export async function bareTarget(vehicles: number): Promise<CommandTarget & { readonly mqttPort: number }> {
  const child = spawn(process.execPath, [fileURLToPath(new URL('./commands-bare.ts', import.meta.url))], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const { url, mqttPort } = await lineOf<{ readonly url: string; readonly mqttPort: number }>(child);
  return {
    url: (index) => `${url}/vehicles/${index % vehicles}`,
    headers: {},
    mqttPort,
    cpuS: () => processorSecondsWithChildren(child.pid) ?? Number.NaN,
    end: () => endChild(child),
  };
}

async function serviceTarget(vehicles: number, processes: 'one' | 'several' = 'one'): Promise<CommandTarget> {
  const { baseUrl, headers, cpuS, end } = await startService(vehicles, processes);
  const ids = await readyVehicles(baseUrl, headers);
  return {
    url: (index) => `${baseUrl}/vehicles/${ids[index % ids.length]}/commands/request-vehicle-state`,
    headers,
    cpuS,
    end,
  };
}
