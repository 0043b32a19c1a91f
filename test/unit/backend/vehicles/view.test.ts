import fc from 'fast-check';
import { expect, test } from 'vitest';
import { writeState } from '../../../../backend/store/port/state-text.ts';
import type { VehicleState } from '../../../../backend/store/port/stored-vehicle.ts';
import { isBooked } from '../../../../backend/vehicles/vehicle-capabilities.ts';
import { stateBody, stateText } from '../../../../backend/vehicles/view.ts';
import { PROPERTIES } from '../../../../contract/properties.ts';

const said = fc.record({
  timestampMs: fc.nat(4_000_000_000_000),
  epoch: fc.nat(2),
  sequence: fc.nat(3),
  value: fc.jsonValue(),
});
const names = fc.constantFrom(...Object.keys(PROPERTIES));
const anyState: fc.Arbitrary<VehicleState> = fc.dictionary(names, said, { noNullPrototype: true });

test('the text of any stored state is the JSON of what is shown of it', () => {
  fc.assert(
    fc.property(anyState, fc.boolean(), (state, maintenance) => {
      const shown = Object.entries(state).filter(([name]) => isBooked({ maintenance }, name));
      const body = JSON.stringify(stateBody(Object.fromEntries(shown)));
      expect(stateText(writeState(state), { maintenance })).toBe(body);
      // The form of makers' vehicles.
      expect(stateText(JSON.stringify(state), { maintenance })).toBe(body);
    }),
  );
});

test('values reported while maintenance was booked are not shown afterwards', () => {
  const at = { timestampMs: 1_000, epoch: 1, sequence: 1 };
  const stored = writeState({
    speed_in_kph: { ...at, value: 5 },
    check_engine_indicator: { ...at, value: 'ON' },
  });
  const speed = { speed_in_kph: { timestamp: '1970-01-01T00:00:01Z', value: 5 } };
  const lamp = { check_engine_indicator: { timestamp: '1970-01-01T00:00:01Z', value: 'ON' } };
  expect(JSON.parse(stateText(stored, { maintenance: true }))).toEqual({ ...lamp, ...speed });
  expect(JSON.parse(stateText(stored, { maintenance: false }))).toEqual(speed);
});

test('a damaged state is an error', () => {
  expect(() => stateText('[[1,2,3,{"speed', { maintenance: true })).toThrow(SyntaxError);
});
