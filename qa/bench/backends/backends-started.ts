import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Client } from 'pg';
import { endChild, lineOf } from '../measure/children.ts';
import { freePorts } from '../measure/free-ports.ts';
import { processorSecondsOf } from '../measure/processor-time.ts';
import { type ReadyLine, readyVehicles, signedIn } from '../measure/service-target.ts';

const COMMAND = fileURLToPath(new URL('../../../bin/boxtwin.js', import.meta.url));

/** Brokers, backends on one store, and a fleet, each in a process of its own. */
export interface StartedBackends {
  /** Of all backends, in their order. */
  readonly apis: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  readonly vehicleIds: readonly string[];
  /** The processor time that the backends have used, in seconds; NaN where there is no /proc. */
  cpuS(): number;
  /** Records in the store. */
  records(): Promise<number>;
  /** What happened to commits so far, by outcome: `done`, `stale`, `fenced`, `failed`. */
  commits(): Promise<Readonly<Record<string, number>>>;
  end(): Promise<void>;
}

/** Starts them on an empty database, and resolves once all boxes answer. */
export async function startBackends(
  count: number,
  vehicles: number,
  { storeUrl, data }: { readonly storeUrl: string; readonly data: string },
): Promise<StartedBackends> {
  const ends: (() => Promise<void>)[] = [];
  const end = async () => {
    for (const one of ends.splice(0).reverse()) await one();
  };
  const begun = async <Line>(args: readonly string[]) => {
    const child = spawn(process.execPath, [COMMAND, ...args, '--data', data, '--json'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    ends.push(() => endChild(child));
    return { line: await lineOf<Line>(child), pid: child.pid ?? 0 };
  };
  try {
    const [mqtt = 0, amqp = 0, amqps = 0, admin = 0, simulator = 0, ...ports] = await freePorts(5 + count);
    await begun([
      'brokers',
      '--mqtt-port',
      `${mqtt}`,
      '--amqp-port',
      `${amqp}`,
      '--amqps-port',
      `${amqps}`,
      '--amqp-admin-port',
      `${admin}`,
    ]);
    const size = ['--vehicles', `${vehicles}`, '--seed', '1'];
    const publicUrl = `http://127.0.0.1:${ports[0]}`;
    const backends: { readonly line: ReadyLine; readonly pid: number }[] = [];
    for (const port of ports)
      backends.push(
        await begun<ReadyLine>([
          'backend',
          '--store',
          storeUrl,
          ...size,
          '--port',
          `${port}`,
          '--public-url',
          publicUrl,
          '--simulator',
          `http://127.0.0.1:${simulator}`,
          '--rate-limit',
          '1000000',
        ]),
      );
    await begun([
      'fleet',
      ...size,
      '--radio',
      'ideal',
      '--driving',
      '100',
      '--simulator-port',
      `${simulator}`,
    ]);
    const [first] = backends;
    if (first === undefined) throw new Error('There is no backend.');
    const headers = await signedIn({ ...first.line, base_url: publicUrl });
    const store = new Client({ connectionString: storeUrl });
    await store.connect();
    ends.push(() => store.end());
    const apis = ports.map((port) => `http://127.0.0.1:${port}`);
    return {
      apis,
      headers,
      end,
      vehicleIds: await readyVehicles(publicUrl, headers),
      cpuS: () => backends.reduce((sum, { pid }) => sum + (processorSecondsOf(pid) ?? Number.NaN), 0),
      async records() {
        const { rows } = await store.query<{ count: number }>('select count(*)::int as count from records');
        return rows[0]?.count ?? 0;
      },
      async commits() {
        const pages = await Promise.all(apis.map(async (api) => (await fetch(`${api}/metrics`)).text()));
        return commitsIn(pages);
      },
    };
  } catch (error) {
    await end();
    throw error;
  }
}

function commitsIn(pages: readonly string[]): Readonly<Record<string, number>> {
  const sums: Record<string, number> = {};
  for (const page of pages)
    for (const [, outcome = '', value] of page.matchAll(/^boxtwin_commits_total\{outcome="(\w+)"\} (\d+)$/gm))
      sums[outcome] = (sums[outcome] ?? 0) + Number(value);
  return sums;
}
