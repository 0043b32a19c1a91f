import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { FEATURES, findFeature } from '../../../../backend/configuration/features.ts';
import { lackProblem } from '../../../../backend/configuration/guards.ts';
import { readParameters } from '../../../../backend/http/routes/feature-routes.ts';
import { FEATURES as CONTRACT_FEATURES } from '../../../../contract/features.ts';
import { problemOfGuard } from '../../../../contract/guards.ts';
import { SETTING_REQUIREMENTS } from '../../../../protocol/hardware.ts';
import { SETTINGS } from '../../../../protocol/settings.ts';
import {
  anyFeatureExample,
  anyWrongBody,
  defaultsOf,
  EXPECTED_FEATURES,
} from '../../../support/backend/any-feature-body.ts';

const bytesOf = (body: unknown) => new TextEncoder().encode(JSON.stringify(body));

test("the contract names the problems of a box that lacks a feature's needs", () => {
  for (const { name, needs } of FEATURES)
    expect(CONTRACT_FEATURES[name].guards.map(problemOfGuard), name).toEqual([
      ...new Set(needs.map(lackProblem)),
    ]);
});

test('the six features and the box settings exist, each with its path and its key', () => {
  expect(FEATURES.map(({ name, key, path }) => [name, key, path.replace('/vehicles/{id}/', '')])).toEqual([
    ['tracking', 'tracking', 'telematics-unit/feature-configuration/tracking'],
    ['damage-detection', 'damage_detection', 'telematics-unit/feature-configuration/damage-detection'],
    ['smoke-detection', 'smoke_detection', 'telematics-unit/feature-configuration/smoke-detection'],
    ['driving-events', 'driving_events', 'telematics-unit/feature-configuration/driving-events'],
    ['parking-events', 'parking_events', 'telematics-unit/feature-configuration/parking-events'],
    [
      'auto-immobilizer-control',
      'auto_immobilizer_control',
      'telematics-unit/feature-configuration/auto-immobilizer-control',
    ],
    ['box-settings', 'box_settings', 'telematics-unit/box-settings'],
  ]);
  expect(findFeature('box_settings')).toBeUndefined();
});

describe.each(FEATURES.map((feature) => ({ feature, name: feature.name })))('$name', ({ feature, name }) => {
  const expected = EXPECTED_FEATURES[name] ?? {};

  test('an empty body and an empty object mean the defaults', () => {
    const filled = { parameters: defaultsOf(expected) };
    expect(readParameters(new Uint8Array(0), feature.parameters)).toEqual(filled);
    expect(readParameters(bytesOf({}), feature.parameters)).toEqual(filled);
  });

  test('an invalid body is a validation error that names the property', () => {
    fc.assert(
      fc.property(anyWrongBody(expected), ({ given, named }) => {
        const read = readParameters(bytesOf(given), feature.parameters);
        if (!('refusal' in read)) throw new Error('it was taken');
        expect(read.refusal.problem).toBe('validation-error');
        expect(read.refusal.detail).toContain(named);
      }),
    );
  });

  test.each(['[]', 'null', '1', '"text"', '{', '\u00ff'])('a body of %s is a validation error', (text) => {
    const bytes = text === '\u00ff' ? Uint8Array.of(0xff) : new TextEncoder().encode(text);
    const isJson = !['{', '\u00ff'].includes(text);
    expect(readParameters(bytes, feature.parameters)).toMatchObject({
      refusal: {
        problem: 'validation-error',
        ...(isJson ? { detail: 'The body must be empty or an object.' } : {}),
      },
    });
  });

  test('its default settings are those of the wire, except for the one that enables it', () => {
    const settings = feature.settings(defaultsOf(expected) as Record<string, unknown>, 77);
    const [head] = settings;
    for (const { name: setting, value } of settings) {
      const row = SETTINGS.find((one) => one.name === setting);
      if (setting === head?.name && name !== 'box-settings') expect(value).toBe(feature.calibrates ? 77 : 1);
      else expect(value).toBe(row?.standard);
    }
  });
});

test('a valid body is read with its defaults', () => {
  fc.assert(
    fc.property(anyFeatureExample, ({ feature, example }) => {
      expect(readParameters(bytesOf(example.given), feature.parameters)).toEqual({
        parameters: example.filled,
      });
    }),
  );
});

test('every valid body gives settings in their ranges, and different bodies give different settings', () => {
  fc.assert(
    fc.property(anyFeatureExample, anyFeatureExample, (one, other) => {
      const settingsOf = ({ feature, example }: typeof one) => feature.settings(example.filled, 5);
      for (const { name, value } of settingsOf(one)) {
        const row = SETTINGS.find((each) => each.name === name);
        expect(value).toBeGreaterThanOrEqual(row?.minimum ?? Number.NaN);
        expect(value).toBeLessThanOrEqual(row?.maximum ?? Number.NaN);
      }
      const isSame =
        JSON.stringify([one.feature.name, one.example.filled]) ===
        JSON.stringify([other.feature.name, other.example.filled]);
      expect(JSON.stringify(settingsOf(one)) === JSON.stringify(settingsOf(other))).toBe(isSame);
    }),
  );
});

test('every setting of the wire belongs to exactly one feature', () => {
  const named = FEATURES.flatMap(({ name, settings }) =>
    settings(defaultsOf(EXPECTED_FEATURES[name] ?? {}) as Record<string, unknown>, 1).map(
      (setting) => setting.name,
    ),
  );
  expect([...named].sort()).toEqual(SETTINGS.map(({ name }) => name).sort());
});

test('every requirement is about existing settings', () => {
  for (const need of SETTING_REQUIREMENTS) {
    expect(SETTINGS.some(({ name }) => name.startsWith(need.settings))).toBe(true);
  }
});

test('a feature needs of a box what one of its settings needs', () => {
  const needs = FEATURES.map((feature) => [feature.name, feature.needs.map(({ settings }) => settings)]);
  expect(Object.fromEntries(needs)).toEqual({
    tracking: [],
    'damage-detection': ['damage.'],
    'smoke-detection': ['smoke.'],
    'driving-events': [],
    'parking-events': [],
    'auto-immobilizer-control': [],
    'box-settings': ['box.obdAlarm'],
  });
});

test('the document gives a parameter its unit, and in a request its default, in the text and for programs', () => {
  const parameterIn = (schema: z.ZodType | undefined) =>
    z.toJSONSchema(schema ?? z.never()).properties?.['time_interval_in_seconds'];
  const tracking = findFeature('tracking');
  expect(parameterIn(tracking?.requestSchema)).toMatchObject({
    description: expect.stringMatching(/ In s\. Default: 60\.$/),
    'x-unit': 's',
    'x-default': 60,
  });
  const inForce = parameterIn(tracking?.inForceSchema);
  expect(inForce).toMatchObject({ description: expect.stringMatching(/ In s\.$/), 'x-unit': 's' });
  expect(inForce).not.toHaveProperty('x-default');
});
