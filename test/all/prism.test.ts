import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { FEATURES } from '../../backend/configuration/features.ts';
import { COMMAND_OPERATIONS } from '../../contract/command-operations.ts';
import { type Running, start } from '../../library/start.ts';
import { freePort } from '../support/run/free-port.ts';

const { resolve } = createRequire(import.meta.url);
const prismBin = join(dirname(resolve('@stoplight/prism-cli/package.json')), 'dist/index.js');

/**
 * Between a client and the service stands Prism, which holds each request and each answer against the document and
 * makes a problem of its own of what does not fit.
 */
describe('Prism, between a client and the service, has nothing to say', () => {
  let service: Running;
  let folder: string;
  let token: string;
  let document: string;
  let proxyUrl: string;
  const started: ChildProcess[] = [];

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'boxtwin-prism-'));
    service = await start({ seed: 1, vehicles: 9, makerVehicles: 2, unassignedDevices: 3 });
    token = await service.token();
    document = await (await fetch(`${service.baseUrl}/openapi.json`)).text();
    proxyUrl = await startPrism('openapi.json', document);
  });
  afterAll(async () => {
    for (const prism of started) {
      if (prism.exitCode !== null) continue;
      prism.kill('SIGTERM');
      await once(prism, 'exit');
    }
    await service?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Its address, once it listens. */
  async function startPrism(name: string, text: string): Promise<string> {
    const path = join(folder, name);
    writeFileSync(path, text);
    const port = await freePort();
    const place = ['--cors', 'false', '-h', '127.0.0.1', '-p', String(port)];
    const options = ['proxy', path, service.baseUrl, '--errors', ...place];
    const prism = spawn(process.execPath, [prismBin, ...options], { stdio: ['ignore', 'pipe', 'inherit'] });
    started.push(prism);
    let said = '';
    prism.stdout?.setEncoding('utf8').on('data', (part: string) => {
      said += part;
    });
    await vi.waitFor(() => expect(said).toContain('listening'), 60_000);
    return `http://127.0.0.1:${port}`;
  }

  /** What came through Prism. It fails where Prism made something else of it. */
  async function ask(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
    const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
    const answer = await fetch(`${proxyUrl}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
      ...(text === undefined ? {} : { body: text }),
    });
    const got = await answer.text();
    expect(answer.headers.get('sl-violations'), `${method} ${path} ${got}`).toBeNull();
    expect(
      answer.headers.get('x-service-flow-id'),
      `${method} ${path} ${answer.status} ${got}`,
    ).not.toBeNull();
    return { status: answer.status, body: got === '' ? {} : (JSON.parse(got) as Record<string, unknown>) };
  }

  test('of vehicles, commands, configurations and bulk jobs', async () => {
    const statuses = new Set<number>();
    const page = await ask('GET', '/vehicles?limit=100');
    const items = page.body['items'] as readonly { readonly id: string }[];
    expect(items.length).toBeGreaterThan(8);
    for (const { id } of items) {
      statuses.add((await ask('GET', `/vehicles/${id}`)).status);
      for (const { path } of COMMAND_OPERATIONS) {
        if (path.endsWith('-reset') || path.endsWith('switch-mobile-network')) continue;
        statuses.add((await ask('POST', path.replace('{id}', id))).status);
      }
      for (const feature of FEATURES) {
        const path = feature.path.replace('{id}', id);
        for (const method of ['PUT', 'GET', 'DELETE']) statuses.add((await ask(method, path)).status);
      }
    }
    const patch = { operation_status: { value: 'GARAGE' }, custom_fields: { depot: 'North' }, tags: ['a'] };
    expect((await ask('PATCH', `/vehicles/${items[0]?.id}`, patch)).status).toBe(200);
    expect((await ask('GET', '/vehicles/NOBODY')).status).toBe(404);
    const job = await ask('POST', '/configure-vehicle-telematics-unit-bulk', {
      items: [...items.map(({ id }) => ({ id })), { id: 'NOBODY' }],
      feature_configuration: { tracking: { time_interval_in_seconds: 30 }, parking_events: null },
    });
    expect(job.status).toBe(201);
    const read = () => ask('GET', `/configure-vehicle-telematics-unit-bulk/${String(job.body['id'])}`);
    await vi.waitFor(async () => expect((await read()).body).toMatchObject({ status: 'COMPLETED' }), 30_000);
    // Done, without a body, refused for many reasons.
    expect([...statuses].sort()).toEqual(expect.arrayContaining([200, 204, 404, 409]));
  });

  test('of onboarding, sharing, offboarding, subscriptions and tokens', async () => {
    const [box] = service.unassignedDevices;
    const created = await ask('POST', '/vehicles', {
      telematics_unit: { id: box?.boxId },
      vehicle_model: box?.model,
      master_data: { vin: box?.vin, license_plate: box?.licensePlate },
      maintenance_booked: true,
    });
    expect(created.status).toBe(201);
    const id = String(created.body['id']);
    const sharing = await ask('DELETE', `/vehicles/${id}/sharing`);
    expect(sharing.status).toBe(409);
    expect((await ask('DELETE', `/vehicles/${id}`)).status).toBe(204);
    const wish = { queue_discriminator: 'prism', topics: ['VehicleState_v1'] };
    const made = await ask('POST', '/message-subscriptions', wish);
    expect(made.status).toBe(201);
    expect((await ask('GET', '/message-subscriptions')).status).toBe(200);
    const subscription = `/message-subscriptions/${String(made.body['id'])}`;
    expect((await ask('GET', subscription)).status).toBe(200);
    expect((await ask('DELETE', subscription)).status).toBe(204);
    const basic = `Basic ${btoa(`${service.clientId}:${service.clientSecret}`)}`;
    const form = { authorization: basic, 'content-type': 'application/x-www-form-urlencoded' };
    const granted = await ask('POST', '/auth/oauth/token', 'grant_type=client_credentials', form);
    expect(granted.status).toBe(200);
    expect((await ask('GET', '/auth/oauth/jwks')).status).toBe(200);
    expect((await ask('GET', '/.well-known/openid-configuration')).status).toBe(200);
  });

  test('but it does where a document says something else', async () => {
    const wrong = JSON.parse(document) as {
      components: { schemas: { Vehicle: { properties: { id: { type: string } } } } };
    };
    wrong.components.schemas.Vehicle.properties.id.type = 'integer';
    const url = await startPrism('wrong.json', JSON.stringify(wrong));
    const answer = await fetch(`${url}/vehicles`, { headers: { authorization: `Bearer ${token}` } });
    expect(answer.status).toBe(500);
    expect(await answer.text()).toContain('VIOLATIONS');
  });
});
