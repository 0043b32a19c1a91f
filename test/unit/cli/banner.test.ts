import { stripVTControlCharacters } from 'node:util';
import { expect, test } from 'vitest';
import { type ReadyFacts, readyBanner, readyLine } from '../../../cli/banner.ts';
import { picture } from '../../../cli/wire.ts';

const facts: ReadyFacts = {
  baseUrl: 'http://127.0.0.1:8081',
  simulatorUrl: 'http://127.0.0.1:8090',
  mqttUrl: 'mqtt://127.0.0.1:1883',
  amqpUrl: null,
  queue: null,
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

test('the JSON banner is one line with exactly the promised names', () => {
  const line = readyLine(facts);
  expect(line).not.toContain('\n');
  expect(JSON.parse(line)).toEqual({
    ready: true,
    base_url: facts.baseUrl,
    simulator_url: facts.simulatorUrl,
    mqtt_url: facts.mqttUrl,
    amqp_url: null,
    queue: null,
    fleet_id: 'FLEET1',
    client_id: 'demo-a1',
    client_secret: 's-e_cret',
    user_name: 'demo',
    user_password: 'password-of-demo',
  });
});

test('the banner for people has three curl lines, the notices, and says that no message is kept', () => {
  const banner = stripVTControlCharacters(readyBanner(facts));
  expect(banner.split('\n').filter((line) => line.includes('curl -s'))).toHaveLength(3);
  expect(banner).toContain('/vehicles/JQ7RP/commands/unlock-central-lock');
  expect(banner).toContain('port 8080 is taken');
  expect(banner).toContain('no message is kept');
  expect(banner).toContain('demo  password password-of-demo');
});

test('without vehicles there is no line for a vehicle', () => {
  expect(readyBanner({ ...facts, vehicles: 0, example: undefined })).not.toContain('/commands/');
});

test('a frame is pictured with its hex beside its fields', () => {
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
