import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readState, takeStoredValues, writeState } from '../../../../../backend/store/port/state-text.ts';

const said = fc.record({
  timestampMs: fc.nat(3),
  epoch: fc.nat(2),
  sequence: fc.nat(3),
  value: fc.jsonValue(),
});
const state = fc.dictionary(fc.stringMatching(/^[a-z_]{1,9}$/), said, { noNullPrototype: true });

describe('the text of a state', () => {
  test('is read as it was written', () => {
    fc.assert(
      fc.property(state, (written) => {
        // As text: JSON knows no -0.
        expect(readState(writeState(written))).toEqual(JSON.parse(JSON.stringify(written)));
      }),
    );
  });

  test('names the record of many values once', () => {
    const at = { timestampMs: 5, epoch: 7, sequence: 9 };
    const text = writeState({ speed_in_kph: { ...at, value: 0 }, ignition: { ...at, value: 'OFF' } });
    expect(text).toBe('[[5,7,9,{"speed_in_kph":0,"ignition":"OFF"}]]');
  });

  test('in the format before version 17 is read too; so is an empty one', () => {
    const old = { ignition: { timestampMs: 5, value: 'OFF', epoch: 7, sequence: 9 } };
    expect(readState(JSON.stringify(old))).toEqual(old);
    expect(readState('{}')).toEqual({});
    expect(readState(writeState({}))).toEqual({});
  });

  test('passes on each value with its time and its JSON, in its order', () => {
    fc.assert(
      fc.property(state, (written) => {
        const taken: unknown[] = [];
        const isWhole = takeStoredValues(writeState(written), (...value) => void taken.push(value));
        // An empty state is no list of records.
        expect(isWhole).toBe(Object.keys(written).length > 0);
        expect(taken).toEqual(
          Object.entries(written).map(([name, { timestampMs, value }]) => [
            name,
            timestampMs,
            JSON.stringify(value),
          ]),
        );
      }),
    );
  });

  test('that is cut off or has another form is not taken as whole, and is read to an end', () => {
    const take = () => undefined;
    const at = { timestampMs: 5, epoch: 7, sequence: 9 };
    const text = writeState({
      vehicle_key: { ...at, value: ['a"\\', { b: '}' }] },
      speed: { ...at, value: 1 },
    });
    for (let length = 0; length < text.length; length += 1)
      expect(takeStoredValues(text.slice(0, length), take)).toBe(false);
    expect(takeStoredValues(text, take)).toBe(true);
    for (const other of ['{}', '[]', `${text}]`, ` ${text}`])
      expect(takeStoredValues(other, take)).toBe(false);
  });
});
