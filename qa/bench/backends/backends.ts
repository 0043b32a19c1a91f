import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from 'pg';
import { fire } from '../commands/commands.ts';
import type { BackendCost, BackendCosts } from '../measure/figures.ts';
import { connectPostgres, dropDatabase, newDatabase } from '../measure/postgres.ts';
import { type StartedBackends, startBackends } from './backends-started.ts';

const load = { settleMs: 10_000, recordsMs: 30_000, commandsPerS: 40, commandSeconds: 20 } as const;

/**
 * The processor time of all backends together for a record and for a command, with so many of them in turn on one
 * PostgreSQL and one broker; the fleet is the same, or grows with them. Every vehicle drives and reports each second; then commands come on top of that, and what the
 * records cost meanwhile is taken off. Of each number of backends the cheapest round counts.
 */
export async function backends(parts: {
  readonly rounds: number;
  readonly vehicles: number;
  /** There are so many vehicles for each backend, and not so many for all of them together. */
  readonly isForEach?: boolean;
  readonly counts: readonly number[];
}): Promise<BackendCosts | string> {
  const { rounds, vehicles, isForEach = false, counts } = parts;
  const server = await connectPostgres();
  if (typeof server === 'string') return server;
  const found = new Map<number, BackendCost[]>(counts.map((count) => [count, []]));
  try {
    for (let round = 0; round < rounds; round += 1)
      for (const count of counts)
        found.get(count)?.push(await measured(server, count, isForEach ? count * vehicles : vehicles));
  } finally {
    await server.end();
  }
  const costs = [...found.values()].map((of) => of.toSorted((a, b) => a.recordMs - b.recordMs)[0]);
  return {
    name: `processor time of all backends, ${vehicles} vehicles${isForEach ? ' for each' : ''} that report each second`,
    backendCosts: costs.flatMap((cost) => cost ?? []),
    aim: 1.1,
  };
}

async function measured(server: Client, count: number, vehicles: number): Promise<BackendCost> {
  const name = `boxtwin_bench_backends_${process.pid}_${count}`;
  const data = mkdtempSync(join(tmpdir(), 'boxtwin-bench-'));
  let started: StartedBackends | undefined;
  try {
    const storeUrl = await newDatabase(server, name);
    started = await startBackends(count, vehicles, { storeUrl, data });
    return await costOf(started, count);
  } finally {
    await started?.end();
    await dropDatabase(server, name);
    rmSync(data, { recursive: true, force: true });
  }
}

async function costOf(started: StartedBackends, backends: number): Promise<BackendCost> {
  const { apis, headers, vehicleIds } = started;
  await reportEachSecond(started);
  await sleep(load.settleMs);
  const quiet = await spent(started, () => sleep(load.recordsMs));
  const recordMs = (1_000 * quiet.cpuS) / quiet.records;
  const target = {
    url: (index: number) =>
      `${apis[index % apis.length]}/vehicles/${vehicleIds[index % vehicleIds.length]}/commands/request-vehicle-state`,
    headers,
  };
  let failed = 0;
  const busy = await spent(started, async () => {
    failed = (await fire(target, load.commandsPerS, load.commandSeconds)).failed;
  });
  const commands = load.commandsPerS * load.commandSeconds - failed;
  const { stale = 0, fenced = 0, failed: failedCommits = 0 } = await started.commits();
  return {
    backends,
    recordMs,
    failed,
    commitMs: (1_000 * quiet.cpuS) / quiet.commits,
    commandMs: (1_000 * busy.cpuS - recordMs * (busy.records - commands)) / commands,
    recordsPerS: (1_000 * quiet.records) / load.recordsMs,
    commitsPerS: (1_000 * quiet.commits) / load.recordsMs,
    commitsLost: stale + fenced + failedCommits,
  };
}

async function reportEachSecond({ apis, headers, vehicleIds }: StartedBackends): Promise<void> {
  const answer = await fetch(`${apis[0]}/configure-vehicle-telematics-unit-bulk`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({
      items: vehicleIds.map((id) => ({ id })),
      feature_configuration: { tracking: { time_interval_in_seconds: 1 } },
    }),
  });
  if (!answer.ok)
    throw new Error(`The fleet could not be configured: ${answer.status} ${await answer.text()}`);
}

/** What was used and written meanwhile: processor seconds of all backends, records in the store, commits that wrote. */
interface Spent {
  readonly cpuS: number;
  readonly records: number;
  readonly commits: number;
}

async function spent(started: StartedBackends, during: () => Promise<unknown>): Promise<Spent> {
  const before = await soFar(started);
  await during();
  const after = await soFar(started);
  return {
    cpuS: after.cpuS - before.cpuS,
    records: after.records - before.records,
    commits: after.commits - before.commits,
  };
}

async function soFar(started: StartedBackends): Promise<Spent> {
  const { done = 0 } = await started.commits();
  return { cpuS: started.cpuS(), records: await started.records(), commits: done };
}
