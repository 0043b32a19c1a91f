import { expect, test } from 'vitest';
import { readScenario } from '../../../../../scenarios/language/document/read.ts';
import { EXPECTATIONS } from '../../../../../scenarios/language/expectations/expectations.ts';

/** What the check of a file says of one step, with its line. */
function saidOf(words: string): readonly string[] {
  const text = `name: try\nabout: A try.\nfleet: [{ model: petrol-compact }]\nsteps:\n  - { at: 0s, drive: {} }\n  - { label: looked, ${words} }\n`;
  const reading = readScenario(text, 'try.yaml');
  if (!reading.ok) throw new Error(JSON.stringify(reading.problems));
  return reading.warnings.map(
    ({ file, line, column, message }) => `${file}:${line}:${column > 1} ${message}`,
  );
}

const CALL = 'call: { command: lock-central-lock }';

test.each([
  ['within: 0s, expect: { message: DamageDetected, count: 0 }', 'no DamageDetected can have come within 0 s'],
  ['expect: { state: {} }', '`state` compares nothing'],
  [
    'expect: { state: { speed_in_kph: { not: 50 } } }',
    'speed_in_kph: a value that was never reported matches too',
  ],
  ['expect: { vehicle: {} }', '`vehicle` compares nothing'],
  ['expect: { truth: {} }', '`truth` compares nothing'],
  ['expect: { belief: {} }', '`belief` compares nothing'],
  ['expect: { journal: { at_least: 0 } }', 'every journal has at least 0 records'],
  [
    'call: { bulk: { smoke-detection: {} } }, expect: { bulk: { failed: 0 } }',
    'only been created matches too',
  ],
  ['call: { bulk: { smoke-detection: {} } }, expect: { bulk: {} }', '`bulk` compares nothing'],
  [`${CALL}, expect: { took: { at_least: 0s } }`, 'every answer takes at least 0 s'],
  ['within: 0s, never: { message: DamageDetected }', 'within 0 s it cannot have come'],
  [`${CALL}, within: 0s, never: { status: 504 }`, 'within 0 s it cannot have come'],
])('%s is a warning with step and line, and no error', (words, reason) => {
  expect(saidOf(words)).toEqual([expect.stringMatching(/^try\.yaml:6:true In step 2 "looked" \(line 6\): /)]);
  expect(saidOf(words)[0]).toContain(reason);
});

test.each([
  'expect: { message: DamageDetected, count: 0 }',
  'within: 10s, expect: { message: DamageDetected, count: 0 }',
  'within: 0s, expect: { message: DamageDetected }',
  'never: { message: DamageDetected }',
  'within: 0s, never: { truth: { locked: true } }',
  'expect: { state: { speed_in_kph: { not: 50, present: true } } }',
  'expect: { state: { speed_in_kph: { present: false } } }',
  'expect: { state: { speed_in_kph: { not: 50 }, central_lock: LOCKED } }',
  'expect: { journal: empty }',
  'expect: { journal: { at_most: 3 } }',
  'call: { bulk: { smoke-detection: {} } }, expect: { bulk: { status: COMPLETED, failed: 0 } }',
  'call: { bulk: { smoke-detection: {} } }, expect: { bulk: { applied: 1 } }',
  `${CALL}, expect: { took: { at_most: 2s } }`,
  'expect: { feature: tracking, is: INACTIVE }',
])('%s is no warning', (words) => {
  expect(saidOf(words)).toEqual([]);
});

test('no example of an expectation is met before anything has happened', () => {
  for (const { example } of Object.values(EXPECTATIONS)) {
    const words = JSON.stringify(example);
    const needs = 'took' in example || 'status' in example ? `${CALL}, ` : '';
    const phone = 'phone' in example ? 'bluetooth: { action: unlock, token: right }, ' : '';
    const bulk = 'bulk' in example ? 'call: { bulk: { smoke-detection: {} } }, ' : '';
    const fault = words.includes('occurred_during') ? 'weather: { coverage: none }, for: 1s, ' : '';
    expect(saidOf(`${needs}${phone}${bulk}${fault}expect: ${words}`)).toEqual([]);
  }
});
