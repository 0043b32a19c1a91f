import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { disturb, untilBack } from '../../cli/commands/swarm/running-swarm.ts';
import { SessionRecord } from '../../console/server/session-record.ts';
import { sessionScenario } from '../../console/server/session-scenario.ts';
import { controlApiAt } from '../../deployment/http/control-api.ts';
import type { Disturbance } from '../../scenarios/explore/disturbance.ts';
import { readScenario } from '../../scenarios/language/document/read.ts';
import { seededRandom } from '../../world/random/seeded-random.ts';
import { realTime } from '../../world/time/real-time.ts';
import { waitUntil } from '../support/run/external-services.ts';
import { runCommand, UpProcess } from '../support/sockets/up-process.ts';

describe('a swarm on a fleet that runs', () => {
  const folder = mkdtempSync(join(tmpdir(), 'boxtwin-swarm-'));
  const data = join(folder, 'data');
  const time = realTime();
  let up: UpProcess;
  let control: ReturnType<typeof controlApiAt>;

  beforeAll(async () => {
    up = await UpProcess.start(['--vehicles', '4', '--data', data, ...(await UpProcess.ownPorts())]);
    control = controlApiAt(up.ready.simulator_url);
  });
  afterAll(async () => {
    await up.end('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });

  const inForce = async () =>
    ((await control('GET', '/faults')) as { readonly in_force: readonly unknown[] }).in_force;

  async function swarmOf(seed: number, lengthMs: number) {
    const session = new SessionRecord(time, (path) => control('GET', path));
    const drawn: Disturbance[] = [];
    const ready = await disturb({
      control,
      session,
      time,
      lengthMs,
      ended: new AbortController().signal,
      source: seededRandom(seed).stream('swarm/running'),
      tell: ({ disturbance }) => drawn.push(disturbance),
    });
    return { session, drawn, ready };
  }

  test('does what its seed says, lifts it, and can be told as a scenario', async () => {
    const { session, drawn, ready } = await swarmOf(11, 6_000);
    expect(drawn.length).toBeGreaterThan(1);
    expect(await inForce()).toEqual([]);
    const ended = new AbortController().signal;
    expect(
      await untilBack({ control, time, ended }, ready, () => Promise.resolve(undefined)),
    ).toBeUndefined();
    const whole = { done: session.done, met: session.met, zones: [], nowMs: time.nowMs() };
    const read = readScenario(sessionScenario(whole, 11).text, 'done.yaml');
    expect(read.ok ? read.scenario.steps.length : read.problems).toBeGreaterThan(0);
    const again = await swarmOf(11, 3_000);
    expect(again.drawn).toEqual(drawn.slice(0, again.drawn.length));
  }, 90_000);

  test('says who is not back, and that the service is not ready, and waits no longer than until it is ended', async () => {
    const { items: all } = (await control('GET', '/fleet')) as { items: { vehicleId: string | null }[] };
    const vehicle = all.find(({ vehicleId }) => vehicleId !== null)?.vehicleId ?? '';
    const { id } = (await control('POST', '/faults', { break: { broker: 'restart' }, for: '1m' })) as {
      id: string;
    };
    await waitUntil(async () => {
      const { items } = (await control('GET', '/fleet')) as {
        items: { vehicleId: string; session: string }[];
      };
      return items.some(({ vehicleId, session }) => vehicleId === vehicle && session !== 'ready');
    });
    const ending = new AbortController();
    // Ctrl-C while it waits: it would wait for minutes.
    setTimeout(() => ending.abort(), 200);
    const trouble = () => Promise.resolve('amqp: nobody answers');
    expect(await untilBack({ control, time, ended: ending.signal }, new Set([vehicle]), trouble)).toEqual({
      vehicles: [vehicle],
      service: 'amqp: nobody answers',
    });
    await control('DELETE', `/faults/${id}`);
  });

  test('is ended by Ctrl-C: lifts all, writes what it did, and says so', async () => {
    const out = join(folder, 'done.yaml');
    const words = ['swarm', '--running', '--data', data, '--seed', '5', '--out', out];
    const again = `npx boxtwin swarm --running --minutes 10 --seed 5 --data ${data}`;
    const swarm = UpProcess.raw([...words, '--minutes', '10']);
    await waitUntil(() => swarm.output().split('\n').length > 4, 30_000);
    expect(await swarm.end('SIGINT')).toBe(130);
    expect(swarm.output()).toMatch(/^A swarm on the fleet at http:\S+ for 10 minutes, seed 5\./);
    expect(swarm.output()).toMatch(/^ENDED {2}\d+ disturbances?, \d+ more refused, seed 5\./m);
    expect(swarm.output()).toContain(`Again: ${again}\n`);
    expect(swarm.output()).toContain(`npx boxtwin ledger --data ${data}`);
    expect(await inForce()).toEqual([]);
    expect(existsSync(out)).toBe(true);
    expect(readFileSync(out, 'utf8')).toContain('name: swarm-5-running');
  });

  test('writes what it did also where the service dies under it, and says who is gone', async () => {
    const out = join(folder, 'killed.yaml');
    const own = await UpProcess.start([
      ...['--vehicles', '2', '--data', join(folder, 'killed')],
      ...(await UpProcess.ownPorts()),
    ]);
    const words = ['--data', join(folder, 'killed'), '--seed', '5', '--minutes', '10', '--out', out];
    const swarm = runCommand(['swarm', '--running', ...words]);
    await waitUntil(async () => {
      const { in_force: some } = (await controlApiAt(own.ready.simulator_url)('GET', '/faults')) as {
        in_force: readonly unknown[];
      };
      return some.length > 0;
    });
    await own.end('SIGKILL');
    const { code, errors } = await swarm;
    expect([code, errors]).toEqual([
      1,
      expect.stringMatching(/^boxtwin: The simulator at http:\S+ stopped answering/),
    ]);
    expect(readFileSync(out, 'utf8')).toContain('name: swarm-5-running');
  }, 90_000);

  test('is refused where it cannot be, with what to do', async () => {
    const cases = [
      [['--running', '--runs', '3'], /^boxtwin: --runs applies to scenarios in virtual time/],
      [['--url', 'http://127.0.0.1:1'], /give --running with them/],
      [['--running', '--data', data, '--simulator', up.ready.base_url], /--simulator/],
      [
        ['--running', '--url', 'http://127.0.0.1:9', '--data', folder],
        /There is no answer from http:\/\/127\.0\.0\.1:9/,
      ],
    ] as const;
    for (const [options, text] of cases) {
      const { code, errors } = await runCommand(['swarm', ...options]);
      expect([options, code, errors]).toEqual([options, 2, expect.stringMatching(text)]);
    }
  });
});
