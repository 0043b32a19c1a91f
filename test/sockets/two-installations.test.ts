import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fleetFileOf, READY_FILE, writeAddressFile } from '../../deployment/directory/address-files.ts';
import { controlApiAt } from '../../deployment/http/control-api.ts';
import { waitUntil } from '../support/run/external-services.ts';
import { freePort } from '../support/run/free-port.ts';
import { type PartProcess, runCommand, startPart, UpProcess } from '../support/sockets/up-process.ts';

const FLEET_FILE = fleetFileOf(undefined);

// Both have the fleet of the same seed, so the same vehicle ids.
describe('the parts of a data directory beside another installation', () => {
  const folder = mkdtempSync(join(tmpdir(), 'boxtwin-two-'));
  const [data, otherData] = [join(folder, 'ours'), join(folder, 'other')];
  const parts = new Map<'brokers' | 'backend' | 'fleet', PartProcess>();
  const ports = new Map<string, string>();
  let other: UpProcess;
  let vehicle = '';

  const begin = async (name: 'brokers' | 'backend' | 'fleet') => {
    const common = ['--data', data, '--seed', '1', '--live', 'off', '--log-level', 'error'];
    const args = {
      brokers: ['--mqtt-port', '--amqp-port', '--amqps-port', '--amqp-admin-port'],
      backend: ['--port'],
      fleet: ['--simulator-port'],
    }[name].flatMap((option) => [option, ports.get(option) ?? '']);
    const more = {
      brokers: [],
      backend: ['--vehicles', '2'],
      fleet: ['--vehicles', '2', '--console', 'off'],
    };
    const part = await startPart([name, ...common, ...args, ...more[name]]);
    parts.set(name, part);
    return part;
  };
  const simulatorUrl = () => String(parts.get('fleet')?.ready['simulator_url']);
  const writtenReady = () => readFileSync(join(data, READY_FILE), 'utf8').trimEnd();
  const boxesOf = async (url: string) =>
    ((await controlApiAt(url)('GET', '/fleet')) as { items: { session: string }[] }).items;
  /** What was laid on the other fleet, or happened to it. */
  const untouched = async () => {
    const { in_force: some } = (await controlApiAt(other.ready.simulator_url)('GET', '/faults')) as {
      in_force: readonly unknown[];
    };
    expect(some).toEqual([]);
    expect((await boxesOf(other.ready.simulator_url)).filter(({ session }) => session !== 'ready')).toEqual(
      [],
    );
  };

  /** A command that the service has a SIM provider carry out: the status of its answer. */
  const activate = async () => {
    const { base_url: url, client_id: id, client_secret: secret } = parts.get('backend')?.ready ?? {};
    const signedIn = await fetch(`${String(url)}/auth/oauth/token?grant_type=client_credentials`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`${String(id)}:${String(secret)}`)}` },
    });
    const { access_token: token } = (await signedIn.json()) as { access_token: string };
    const path = `/vehicles/${vehicle}/box-connectivity-commands/request-sim-activation`;
    const headers = { authorization: `Bearer ${token}` };
    let status = 409;
    // Until the demonstration has configured the vehicle.
    await waitUntil(async () => {
      ({ status } = await fetch(`${String(url)}${path}`, { method: 'POST', headers }));
      return status !== 409;
    });
    return status;
  };

  beforeAll(async () => {
    other = await UpProcess.start([
      ...['--vehicles', '2', '--seed', '1', '--data', otherData, '--drivers', 'off'],
      ...(await UpProcess.ownPorts()),
    ]);
    for (const option of ['--mqtt-port', '--amqp-port', '--amqps-port', '--amqp-admin-port', '--port'])
      ports.set(option, `${await freePort()}`);
    ports.set('--simulator-port', `${await freePort()}`);
    // The service is there before its fleet, as the page has it.
    for (const name of ['brokers', 'backend', 'fleet'] as const) await begin(name);
    await waitUntil(
      async () => (await boxesOf(simulatorUrl())).some(({ session }) => session === 'ready'),
      30_000,
    );
    const { items } = (await controlApiAt(simulatorUrl())('GET', '/fleet')) as {
      items: { vehicleId: string | null }[];
    };
    vehicle = items.find(({ vehicleId }) => vehicleId !== null)?.vehicleId ?? '';
  }, 120_000);
  afterAll(async () => {
    for (const part of [...parts.values()].reverse()) await part.end('SIGTERM');
    await other.end('SIGTERM');
    rmSync(folder, { recursive: true, force: true });
  });

  test('the service asks the SIM providers of its own fleet, also after that has started again at another port', async () => {
    expect(await activate()).toBe(204);
    await parts.get('fleet')?.end('SIGKILL');
    // What is left behind names a port at which nobody answers.
    expect(await activate()).toBe(500);
    ports.set('--simulator-port', `${await freePort()}`);
    await begin('fleet');
    expect(await activate()).toBe(204);
  });

  test('commands with --data use the addresses that the parts have written there', async () => {
    const wire = UpProcess.raw(['wire', vehicle, '--data', data]);
    await waitUntil(() => wire.errors().includes('listening'), 30_000);
    await wire.end('SIGINT');
    const swarm = UpProcess.raw(['swarm', '--running', '--data', data, '--seed', '5']);
    await waitUntil(() => swarm.output().includes('\n'), 30_000);
    expect(swarm.output()).toContain(`A swarm on the fleet at ${simulatorUrl()} for`);
    await swarm.end('SIGINT');
    await untouched();
  }, 90_000);

  test.each([
    ['wire', () => ['wire', vehicle]],
    ['provoke', () => ['provoke', 'no-connection']],
    ['swarm', () => ['swarm', '--running']],
    ['tail', () => ['tail', '--count', '1']],
  ])(
    '%s refuses an address in its data directory that another installation has taken',
    async (_, args) => {
      const line = writtenReady();
      const fleet = readFileSync(join(data, FLEET_FILE), 'utf8').trimEnd();
      const { base_url: base, simulator_url: simulator } = other.ready;
      writeAddressFile(data, READY_FILE, JSON.stringify({ ...JSON.parse(line), base_url: base }));
      writeAddressFile(data, FLEET_FILE, JSON.stringify({ simulator_url: simulator }));
      try {
        const { code, errors } = await runCommand([...args(), '--data', data]);
        expect(errors).toMatch(
          /^boxtwin: The (?:API|simulator) at http:\S+ belongs to the installation \S+, and \S+ours is the installation \S+\. Nothing was done\./,
        );
        expect(code).toBe(2);
        await untouched();
      } finally {
        writeAddressFile(data, READY_FILE, line);
        writeAddressFile(data, FLEET_FILE, fleet);
      }
    },
    60_000,
  );

  test('a given address of another installation is refused, unless --force says that it is meant', async () => {
    const { simulator_url: simulator, base_url: api } = other.ready;
    const refused = [
      ['wire', vehicle, '--simulator', simulator],
      ['provoke', 'no-connection', '--url', api, '--simulator', simulator],
      ['swarm', '--running', '--url', api, '--simulator', simulator],
    ];
    const { client_id: id, client_secret: secret } = other.ready;
    const ofOther = ['--client-id', id, '--client-secret', secret, '--mqtt', 'mqtt://127.0.0.1:9'];
    refused.push(['certify', '--url', api, ...ofOther], ['fleet', '--vehicles', '1', '--url', api]);
    for (const args of refused) {
      const { code, errors } = await runCommand([...args, '--data', data]);
      expect(errors).toMatch(/belongs to the installation .* Nothing was done\. .*--force/);
      expect(code).toBe(2);
    }
    await untouched();
    const forced = UpProcess.raw(['wire', vehicle, '--simulator', simulator, '--force', '--data', data]);
    await waitUntil(() => forced.errors().includes('listening'), 30_000);
    await forced.end('SIGINT');
  }, 90_000);

  test('service and simulator refuse a request that is for another installation', async () => {
    const ofOther = (await (await fetch(`${other.ready.base_url}/`)).json()) as { installation: string };
    for (const url of [simulatorUrl(), String(parts.get('backend')?.ready['base_url'])]) {
      const own = (await (await fetch(`${url}/`)).json()) as { installation: string };
      expect(own.installation).toMatch(/^[\w-]{43}$/);
      expect(own.installation).not.toBe(ofOther.installation);
      const statusFor = async (id: string) =>
        (await fetch(`${url}/`, { headers: { 'boxtwin-installation': id } })).status;
      expect(await statusFor(own.installation)).toBe(200);
      expect(await statusFor(ofOther.installation)).toBe(421);
    }
  });

  test('the boxes of another installation are not connected: without brokers a fleet waits, and says so', async () => {
    const alone = join(folder, 'alone');
    const fleet = UpProcess.raw(['fleet', '--vehicles', '1', '--data', alone, '--console', 'off']);
    await waitUntil(() => fleet.errors().includes('\n'), 30_000);
    expect(fleet.errors()).toMatch(/No brokers run on \S+alone\. Waiting for them\. .*--mqtt/);
    await fleet.end('SIGINT');
  });

  test('once its parts have ended a command says so, and tries no other address', async () => {
    await parts.get('fleet')?.end('SIGTERM');
    await parts.get('backend')?.end('SIGTERM');
    parts.delete('fleet');
    parts.delete('backend');
    for (const args of [['wire', vehicle], ['provoke', 'no-connection'], ['swarm', '--running'], ['tail']]) {
      const { code, errors } = await runCommand([...args, '--data', data]);
      expect(errors).toMatch(/^boxtwin: No "boxtwin up".* (?:runs|is running) on \S+ours/);
      expect(code).toBe(2);
    }
    await untouched();
  });
});
