import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { secretsOf } from '../../../deployment/directory/identity-secrets.ts';
import { openIdentity } from '../../../deployment/directory/open-identity.ts';
import { planShare } from '../../../deployment/fleet/fleet-part.ts';
import { realCrypto } from '../../../world/crypto/real-crypto.ts';
import type { FloodPlan } from '../frames/flood.ts';
import { boxIdsOf } from '../frames/frames-fleet.ts';
import { endChild, forkProgram, lineOf, messageOf } from '../measure/children.ts';
import { bestOf, type Latencies, type Percentiles } from '../measure/figures.ts';
import { freePorts } from '../measure/free-ports.ts';
import { type ReadyLine, readyOf, signedIn } from '../measure/service-target.ts';
import { bareTarget, type CommandTarget, fire } from './commands.ts';

/**
 * How long commands take while other boxes send as many frames as get receipts: brokers, service and boxes in
 * processes of their own, as a large `up` has them. Half of the fleet is simulated and gets the commands, the other half
 * is the flood. Beside it the bare chain of qa/bench/commands/commands.ts, with the same flood at its broker,
 * which has acknowledgements in place of receipts.
 */
const load = { vehicles: 200, perS: 50, seconds: 8, warmUpSeconds: 3, window: 20 } as const;
const COMMAND = fileURLToPath(new URL('../../../bin/boxtwin.js', import.meta.url));

/** A target with the boxes of its flood. */
interface FloodedTarget extends Omit<CommandTarget, 'cpuS'> {
  readonly flood: FloodPlan;
}

export async function commandsSaturated(rounds: number): Promise<Latencies> {
  const bare: Measured[] = [];
  const ours: Measured[] = [];
  for (let round = 0; round < rounds; round += 1) {
    bare.push(await measure(await openBare()));
    ours.push(await measure(await openService()));
  }
  const most = (all: readonly Measured[]) =>
    Math.round(Math.max(...all.map(({ framesPerS }) => framesPerS))).toLocaleString('en-US');
  return {
    name: `commands while ingest is saturated (${most(ours)} frames/s; bare ${most(bare)})`,
    latencies: [
      {
        perS: load.perS,
        bare: bestOf(bare.map(({ took }) => took)),
        ours: bestOf(ours.map(({ took }) => took)),
      },
    ],
    aim: undefined,
  };
}

interface Measured {
  readonly took: Percentiles;
  readonly framesPerS: number;
}

async function measure(target: FloodedTarget): Promise<Measured> {
  try {
    await fire(target, load.perS, load.warmUpSeconds);
    const flood = forkProgram(new URL('../frames/flood.ts', import.meta.url), target.flood);
    try {
      await messageOf(flood);
      await fire(target, load.perS, load.warmUpSeconds);
      const [fromMs, before] = [performance.now(), await sentOf(flood)];
      const took = await fire(target, load.perS, load.seconds);
      const framesPerS = ((await sentOf(flood)) - before) / ((performance.now() - fromMs) / 1_000);
      return { took, framesPerS };
    } finally {
      await endChild(flood);
    }
  } finally {
    await target.end();
  }
}

async function sentOf(flood: ChildProcess): Promise<number> {
  flood.send('count');
  return (await messageOf<{ readonly sent: number }>(flood)).sent;
}

async function openBare(): Promise<FloodedTarget> {
  const target = await bareTarget(load.vehicles);
  // Beside the box of the bare chain these are further clients.
  const boxes = boxIdsOf(load.vehicles / 2).map((boxId) => ({ boxId, password: '' }));
  return {
    ...target,
    flood: { port: target.mqttPort, window: load.window, until: 'acknowledgement', boxes },
  };
}

async function openService(): Promise<FloodedTarget> {
  const data = mkdtempSync(join(tmpdir(), 'boxtwin-bench-'));
  const [mqtt = 0, amqp = 0, amqps = 0, admin = 0, api = 0, simulator = 0] = await freePorts(6);
  const children: ChildProcess[] = [];
  const part = async (args: readonly string[]) => {
    const child = spawn(
      process.execPath,
      [COMMAND, ...args, '--json', '--log-level', 'error', '--data', data],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    children.push(child);
    return lineOf<ReadyLine>(child);
  };
  const end = async () => {
    for (const child of children.toReversed()) await endChild(child);
    rmSync(data, { recursive: true, force: true });
  };
  try {
    const ports = [
      '--mqtt-port',
      mqtt,
      '--amqp-port',
      amqp,
      '--amqps-port',
      amqps,
      '--amqp-admin-port',
      admin,
    ];
    await part(['brokers', ...ports.map(String)]);
    const simulated = ['--vehicles', `${load.vehicles}`, '--shard', '1/2', '--radio', 'ideal'];
    const [ready] = await Promise.all([
      part([
        'backend',
        '--vehicles',
        `${load.vehicles}`,
        '--port',
        `${api}`,
        '--rate-limit',
        '1000000',
        '--simulator',
        `http://127.0.0.1:${simulator}`,
      ]),
      part(['fleet', ...simulated, '--simulator-port', `${simulator}`]),
    ]);
    const [asked, flooding] = [await boxesOf(data, 1), await boxesOf(data, 2)];
    const headers = await signedIn(ready);
    const ids = await readyOf(
      ready.base_url,
      headers,
      asked.map(({ vehicleId }) => vehicleId),
    );
    return {
      url: (index) => `${ready.base_url}/vehicles/${ids[index % ids.length]}/commands/request-vehicle-state`,
      headers,
      flood: {
        port: mqtt,
        window: load.window,
        until: 'receipt',
        // The frames that are made beforehand are of the second generation.
        boxes: flooding.flatMap(({ boxId, secret, generation }) =>
          generation === 2 ? [{ boxId, password: secret }] : [],
        ),
      },
      end,
    };
  } catch (error) {
    await end();
    throw error;
  }
}

/** The plans of half of the fleet. */
async function boxesOf(data: string, half: 1 | 2) {
  const directory = await openIdentity({ data, seed: undefined });
  const secrets = secretsOf(await realCrypto(directory.identity.signing_key), directory.identity);
  const share = {
    vehicles: load.vehicles,
    shard: { index: half, count: 2 },
    radio: 'ideal',
    link: 'sockets',
  } as const;
  return (
    await planShare({ ...share, credentials: undefined }, directory, { onRoute: {}, drives: [] }, secrets)
  ).vehicles;
}
