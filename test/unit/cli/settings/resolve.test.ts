import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type GivenSettings, resolveSettings, type SettingsFile } from '../../../../cli/settings/resolve.ts';
import { PARTS } from '../../../../cli/settings/setting.ts';
import { SETTINGS, type SettingName, settingsOf } from '../../../../cli/settings/settings.ts';
import { keyOf, optionOf, variableOf } from '../../../../deployment/shared/setting-names.ts';

const fileOf = (values: Record<string, unknown>): SettingsFile => ({
  path: 'boxtwin.yaml',
  values,
  placeOf: (key) => `boxtwin.yaml:${Object.keys(values).indexOf(key) + 1}`,
});

const settingIn = (name: SettingName, given: Partial<GivenSettings>) =>
  resolveSettings('up', { options: {}, variables: {}, ...given }).settings.find((row) => row.name === name);

describe('a setting', () => {
  test('is taken from its option, else its variable, else the file, else the default', () => {
    const source = fc.record({ option: fc.boolean(), variable: fc.boolean(), file: fc.boolean() });
    fc.assert(
      fc.property(source, ({ option, variable, file }) => {
        const row = settingIn('vehicles', {
          options: option ? { vehicles: 1 } : {},
          variables: variable ? { BOXTWIN_VEHICLES: '2' } : {},
          file: file ? fileOf({ vehicles: 3 }) : undefined,
        });
        const expected = option
          ? { value: 1, source: 'option' }
          : variable
            ? { value: 2, source: 'variable' }
            : file
              ? { value: 3, source: 'file' }
              : { value: 25, source: 'default' };
        expect(row).toMatchObject(expected);
      }),
    );
  });

  test('of a list has commas in a variable', () => {
    const variables = { BOXTWIN_CORS_ORIGIN: 'http://localhost:3000, https://app.test' };
    expect(settingIn('corsOrigin', { variables })?.value).toEqual([
      'http://localhost:3000',
      'https://app.test',
    ]);
  });

  test('of an empty variable is not given', () => {
    expect(settingIn('vehicles', { variables: { BOXTWIN_VEHICLES: '' } })?.source).toBe('default');
  });

  test('has one option, variable and key that no other has', () => {
    const names = Object.keys(SETTINGS);
    for (const nameOf of [optionOf, variableOf, keyOf])
      expect(new Set(names.map(nameOf)).size).toBe(names.length);
  });

  test('is taken by the name that it had before, too, but goes by that of today', () => {
    const [before, today] = ['http://before.test', 'http://today.test'];
    const variables = { BOXTWIN_BASE_URL: before };
    expect(settingIn('publicUrl', { variables })?.value).toBe(before);
    expect(settingIn('publicUrl', { file: fileOf({ base_url: before }) })?.value).toBe(before);
    const both = { ...variables, BOXTWIN_PUBLIC_URL: today };
    expect(settingIn('publicUrl', { variables: both })?.value).toBe(today);
  });

  test('of fleet is the API by its former variable and key, too', () => {
    const before = 'http://api.test';
    const urlIn = (given: Partial<GivenSettings>) =>
      resolveSettings('fleet', { options: {}, variables: {}, ...given });
    for (const given of [{ variables: { BOXTWIN_API: before } }, { file: fileOf({ api: before }) }]) {
      const { settings, faults } = urlIn(given);
      expect(settings.find(({ name }) => name === 'url')?.value).toBe(before);
      expect(faults).toEqual([]);
    }
  });

  test('is not taken from what "boxtwin env" prints for clients', () => {
    const variables = { BOXTWIN_AMQP_CA: 'ca.pem', BOXTWIN_CLIENT_ID: 'one', BOXTWIN_VEHICLES: '2' };
    expect(settingIn('amqpCa', { variables })?.source).toBe('variable');
    const ofEnv = { ...variables, BOXTWIN_API_URL: 'http://127.0.0.1:8080' };
    expect(settingIn('amqpCa', { variables: ofEnv })?.source).toBe('default');
    expect(settingIn('vehicles', { variables: ofEnv })?.source).toBe('variable');
  });

  test('has a default that it accepts itself', () => {
    for (const part of PARTS)
      for (const { setting, value, name } of resolveSettings(part, { options: {}, variables: {} }).settings)
        if (value !== undefined) expect(setting.schema.safeParse(value).success, name).toBe(true);
    expect(settingsOf('up').length).toBeGreaterThan(10);
  });
});

describe('a fault', () => {
  test('is told with its place and what the setting takes, all of them at once', () => {
    const { faults } = resolveSettings('up', {
      options: {},
      variables: { BOXTWIN_MQTT_PORT: '99999', BOXTWIN_VEHICELS: '3', PATH: '/bin' },
      file: fileOf({ radio: 'raod', mqtt_prot: 1 }),
    });
    expect(faults).toEqual([
      'BOXTWIN_VEHICELS: there is no such setting. Did you mean BOXTWIN_VEHICLES?',
      'boxtwin.yaml:2: mqtt_prot: there is no such setting. Did you mean mqtt_port? "boxtwin config" lists all of them.',
      'BOXTWIN_MQTT_PORT: It takes a whole number from 1 to 65535.',
      'boxtwin.yaml:1: radio: It takes road or ideal. Did you mean road?',
    ]);
  });

  test('of any value in a file is one sentence about that key, and never an exception', () => {
    const names = Object.keys(SETTINGS).map(keyOf);
    fc.assert(
      fc.property(fc.constantFrom(...names), fc.jsonValue(), (key, value) => {
        const { faults } = resolveSettings('up', {
          options: {},
          variables: {},
          file: fileOf({ [key]: value }),
        });
        expect(faults.length).toBeLessThanOrEqual(1);
        for (const fault of faults) expect(fault).toMatch(new RegExp(`^boxtwin\\.yaml:1: ${key}: `));
      }),
    );
  });
});
