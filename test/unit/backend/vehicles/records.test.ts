import { describe, expect, test } from 'vitest';
import { mergeReport, reportedProperties } from '../../../../backend/vehicles/records.ts';

const told = (sequence: number, values: Readonly<Record<string, unknown>>, epoch = 1) =>
  reportedProperties(
    { epoch, sequence },
    Object.fromEntries(
      Object.entries(values).map(([name, value]) => [name, { timestampMs: sequence * 1_000, value }]),
    ),
  );

describe('merging a record into the state of a vehicle', () => {
  test('a record without properties keeps the same state object, even an empty one', () => {
    const before = told(1, { ignition: 'ON' });
    expect(mergeReport(before, {})).toBe(before);
    const empty = {};
    expect(mergeReport(empty, {})).toBe(empty);
  });

  test('a record with all known properties replaces the state', () => {
    const after = told(2, { ignition: 'OFF', speed_in_kph: 0 });
    expect(mergeReport(told(1, { ignition: 'ON' }), after)).toBe(after);
  });

  test('properties missing in the record are kept', () => {
    const before = told(1, { ignition: 'ON', headlights: 'ON' });
    expect(mergeReport(before, told(2, { ignition: 'OFF' }))).toEqual({
      ignition: { timestampMs: 2_000, value: 'OFF', epoch: 1, sequence: 2 },
      headlights: { timestampMs: 1_000, value: 'ON', epoch: 1, sequence: 1 },
    });
  });

  test('a later record of the same journal is not overtaken by an earlier one, one of another journal is', () => {
    const before = told(5, { ignition: 'ON' });
    expect(mergeReport(before, told(4, { ignition: 'OFF' }))).toBe(before);
    expect(mergeReport(before, told(4, { ignition: 'OFF' }, 2))['ignition']).toMatchObject({ value: 'OFF' });
  });

  test('a value has its JSON, also when repeated', () => {
    const { position } = told(1, { position: { lat: 52.5, lon: 13.25 } });
    expect([position?.json, position?.json]).toEqual([
      '{"lat":52.5,"lon":13.25}',
      '{"lat":52.5,"lon":13.25}',
    ]);
  });
});
