import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { settingsSchema, settingsText } from '../../../../cli/commands/config.ts';
import { resolveSettings } from '../../../../cli/settings/resolve.ts';
import { readSettingsFile } from '../../../../cli/settings/settings-file.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'boxtwin-settings-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const read = (text: string) => {
  const path = join(folder, 'boxtwin.yaml');
  writeFileSync(path, text);
  return readSettingsFile(path, '--config');
};

describe('a settings file', () => {
  test('gives values by their keys, and the line of each', () => {
    const file = read('# fleet\nvehicles: 100\n\nmqtt: mqtt://host\n');
    expect(file.values).toEqual({ vehicles: 100, mqtt: 'mqtt://host' });
    expect(file.placeOf('mqtt')).toBe(`${file.path}:4`);
  });

  test.each([
    ['an empty one gives nothing', ''],
    ['one of comments gives nothing', '# nothing\n'],
  ])('%s', (_, text) => {
    expect(read(text).values).toEqual({});
  });

  test.each([
    ['a list', '- 1\n', 'one map'],
    ['a text', 'vehicles', 'one map'],
    ['an open bracket', 'vehicles: [1\n', 'line 1, column 11: The [ that begins here has no ].'],
    ['a key twice', 'seed: 1\nseed: 2\n', 'line 2, column 1: seed appears twice'],
    ['too much', `# ${'x'.repeat(100_000)}`, 'more than 100000 characters'],
  ])('%s is refused with its place', (_, text, why) => {
    expect(() => read(text)).toThrow(why);
  });

  test('that is not there is refused with the option that named it', () => {
    expect(() => readSettingsFile(join(folder, 'none.yaml'), '--config')).toThrow(
      /none\.yaml \(--config\) does not exist\. Name a file of settings/,
    );
  });
});

describe('what "boxtwin config" prints', () => {
  const variables = {
    BOXTWIN_VEHICLES: '7',
    BOXTWIN_AMQP: 'amqp://user:hidden@host',
    BOXTWIN_AMQP_OWNER: 'owner:hidden',
  };

  test('is a settings file with the same values, but for passwords', () => {
    const { settings } = resolveSettings('up', { options: {}, variables });
    const text = settingsText('up', settings, undefined);
    expect(text).not.toMatch(/hidden/);
    expect(parse(text)).toMatchObject({
      vehicles: 7,
      amqp: 'amqp://user@host',
      amqp_owner: '***',
      radio: 'road',
    });
    const again = resolveSettings('up', {
      options: {},
      variables: {},
      file: read(
        settingsText(
          'up',
          settings.filter(({ setting }) => setting.secret !== 'all'),
          undefined,
        ),
      ),
    });
    expect(again.faults).toEqual([]);
  });

  test('has a schema with every key', () => {
    const schema = settingsSchema();
    expect(Object.keys(schema['properties'] as object)).toContain('mqtt_port');
    expect(schema).toMatchObject({ additionalProperties: false });
  });
});
