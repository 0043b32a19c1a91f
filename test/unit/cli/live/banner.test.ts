import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { picture } from '../../../../cli/commands/wire.ts';
import { bannerStyle, readyBanner, readyLine } from '../../../../cli/live/banner.ts';
import type { ReadyFacts } from '../../../../deployment/shared/ready-facts.ts';

const facts: ReadyFacts = {
  baseUrl: 'http://127.0.0.1:8081',
  simulatorUrl: 'http://127.0.0.1:8090',
  consoleUrl: 'http://127.0.0.1:8100',
  mqttUrl: 'mqtt://127.0.0.1:1883',
  messages: null,
  fleetId: 'FLEET1',
  clientId: 'demo-a1',
  user: { name: 'demo', password: 'password-of-demo' },
  clientSecret: 's-e_cret',
  boxes: [],
  makerVehicles: 0,
  vehicles: 1,
  example: { vehicleId: 'JQ7RP', command: 'unlock-central-lock' },
  dataPath: '/somewhere',
  seed: 1,
  notices: ['port 8080 is taken, so the API listens on 8081'],
};

test('the JSON banner is one line with exactly the documented names', () => {
  const line = readyLine(facts);
  expect(line).not.toContain('\n');
  expect(JSON.parse(line)).toEqual({
    ready: true,
    base_url: facts.baseUrl,
    simulator_url: facts.simulatorUrl,
    console_url: facts.consoleUrl,
    mqtt_url: facts.mqttUrl,
    amqp_url: null,
    amqps_url: null,
    amqp_ca: null,
    amqp_username: null,
    amqp_password: null,
    queue: null,
    fleet_id: 'FLEET1',
    client_id: 'demo-a1',
    client_secret: 's-e_cret',
    user_name: 'demo',
    user_password: 'password-of-demo',
  });
});

test('the banner for people has three curl lines, the notices, and says that no message is kept', () => {
  const banner = stripVTControlCharacters(readyBanner(facts, { verbose: true, ofData: '' }));
  expect(banner.split('\n').filter((line) => line.includes('curl -s'))).toHaveLength(3);
  expect(banner).toContain('/vehicles/JQ7RP/commands/unlock-central-lock');
  expect(banner).toContain('port 8080 is taken');
  expect(banner).toContain('no message is kept');
  expect(banner).toContain('demo  password password-of-demo');
});

test('the banner for people says how to read messages, in plain text and over TLS, quoted for a shell', () => {
  const messages = {
    url: 'amqp://demo-fleet1:pass@127.0.0.1:5672',
    tlsUrl: 'amqps://demo-fleet1:pass@localhost:5671',
    caPath: "/it's here/ca.pem",
    account: { username: 'demo-fleet1', password: 'pass' },
    queue: 'VehicleState_v1-demo',
  };
  const lines = stripVTControlCharacters(
    readyBanner({ ...facts, messages }, { verbose: true, ofData: '' }),
  ).split('\n');
  const trimmed = lines.map((line) => line.trim());
  expect(trimmed).toContain('AMQP       amqp://127.0.0.1:5672');
  expect(trimmed).toContain('AMQPS      amqps://localhost:5671');
  expect(trimmed).toContain('consumer   demo-fleet1  password pass');
  const rest = "-q VehicleState_v1-demo -- sh -c 'cat; echo'";
  expect(trimmed).toContain(`amqp-consume --url=amqp://demo-fleet1:pass@127.0.0.1:5672 ${rest}`);
  expect(trimmed).toContain(
    `amqp-consume --ssl --cacert '/it'\\''s here/ca.pem' --url=amqps://demo-fleet1:pass@localhost:5671 ${rest}`,
  );
  const byTls = readyBanner(
    { ...facts, messages: { ...messages, url: null, caPath: null } },
    { verbose: true, ofData: '' },
  );
  expect(byTls).toContain('amqp-consume --ssl --url=amqps://');
  expect(byTls).not.toContain('amqp://');
  expect(JSON.parse(readyLine({ ...facts, messages: { ...messages, url: null } }))).toMatchObject({
    amqp_url: messages.tlsUrl,
  });
});

test('an account that does not exist yet is in no banner, and in no line to paste', () => {
  const messages = {
    url: 'amqp://127.0.0.1:5672',
    tlsUrl: null,
    caPath: null,
    account: null,
    queue: 'VehicleState_v1-demo',
  };
  const banner = stripVTControlCharacters(readyBanner({ ...facts, messages }, { verbose: true, ofData: '' }));
  expect(banner).toContain('consumer   none yet');
  expect(banner).not.toContain('amqp-consume');
  expect(JSON.parse(readyLine({ ...facts, messages }))).toMatchObject({
    amqp_url: 'amqp://127.0.0.1:5672',
    amqp_username: null,
    amqp_password: null,
  });
});

test('without vehicles there is no line for a vehicle', () => {
  expect(
    readyBanner({ ...facts, vehicles: 0, example: undefined }, { verbose: true, ofData: '' }),
  ).not.toContain('/commands/');
});

test('a frame is shown as hex next to its fields', () => {
  const coloured = picture({
    at: '2026-01-05T06:00:00.000Z',
    direction: 'up',
    hex: 'b7'.repeat(17),
    title: 'hello',
    fields: [['connection', '2']],
  });
  const lines = stripVTControlCharacters(coloured).split('\n');
  expect(lines[0]).toContain('17 bytes');
  expect(lines[1]).toContain(`${'b7 '.repeat(15)}b7`);
  expect(lines[1]).toContain('connection');
  expect(lines[2]?.trim()).toBe('b7');
});

test('the usual banner fits ten lines, names no secret, and leads commands to the data directory', () => {
  const messages = {
    url: 'amqp://a:pass@h',
    tlsUrl: null,
    caPath: null,
    queue: 'VehicleState_v1-demo',
    account: { username: 'a', password: 'pass' },
  };
  const boxes = [{ vehicleId: null, boxId: '0', model: 'petrol-compact', vin: 'Z', licensePlate: 'B' }];
  const banner = stripVTControlCharacters(
    readyBanner(
      { ...facts, messages, boxes, makerVehicles: 2, vehicles: 25 },
      bannerStyle({ verbose: false, data: "it's here", host: '127.0.0.1' }),
    ),
  );
  expect(banner.trim().split('\n').length).toBeLessThanOrEqual(10);
  expect(banner).toContain('25 vehicles, 2 maker-connected, 1 unassigned device');
  expect(banner).toContain("npx boxtwin env --data 'it'\\''s here'");
  expect(banner).toContain('port 8080 is taken');
  expect(banner).not.toMatch(/s-e_cret|password-of-demo|pass@/);
});

test('where other machines reach it the banner has everything, as the log of a container is all that there is', () => {
  const style = bannerStyle({ verbose: false, data: '.boxtwin', host: '0.0.0.0' });
  expect(readyBanner(facts, style)).toContain('s-e_cret');
});
