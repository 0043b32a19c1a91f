import { describe, expect, test } from 'vitest';
import { northwind } from '../../../../backend/third-party/northwind.ts';
import { translateReading } from '../../../../backend/third-party/translate.ts';
import { PROPERTIES } from '../../../../contract/properties.ts';

const T = Date.UTC(2026, 2, 1, 8);
const read = (reading: Readonly<Record<string, unknown>>) => translateReading(northwind.rows, reading, T);

describe("the rows of a maker's reading", () => {
  test('convert miles, feet, fractions, Fahrenheit and enum values into the neutral ones', () => {
    const result = read({
      odometerMi: 100,
      speedMph: 60,
      packFraction: 0.455,
      place: { latMicro: 52_520_008, lonMicro: -13_404_954, heightFt: 100, course: 359.96 },
      doors: 'AJAR',
      lock: 'RELEASED',
      starter: 'INHIBITED',
      pack: { serial: 'PK-1', cycles: 12, tempF: 68, volts: 351.4 },
    });
    const value = (of: unknown) => ({ timestampMs: T, value: of });
    expect(result).toEqual({
      ok: true,
      value: {
        mileage_in_kilometers: value(160.9),
        speed_in_kph: value(96.56),
        fuel_level_in_percent: value(46),
        state_of_charge_or_fuel_level_in_percent: value(45.5),
        altitude_in_meters: value(30),
        heading_in_degrees: value(359.96),
        position: value({ lat: 52.520008, lon: -13.404954 }),
        doors_status: value('OPEN'),
        central_lock: value('UNLOCKED'),
        driving_enabled: value(false),
        drive_batteries: value({
          port_1: {
            serial_number: 'PK-1',
            level_in_percent: 45.5,
            charge_cycles: 12,
            average_temperature_in_degrees_celsius: 20,
            voltage_in_volts: 351.4,
          },
        }),
      },
    });
  });

  test('leave out values that are missing, null, out of range or unknown', () => {
    expect(
      read({
        odometerMi: null,
        packFraction: 1.5,
        place: null,
        doors: 'ASKEW',
        lock: 'toString',
        pack: { serial: 'PK-1', cycles: 12 },
      }),
    ).toEqual({ ok: true, value: {} });
  });

  test.each([
    [{ odometerMi: '100' }, 'odometerMi: a number was expected'],
    [{ doors: 1 }, 'doors: a string was expected'],
    [{ place: { latMicro: 'north', lonMicro: 1 } }, 'place.latMicro: a number was expected'],
    [{ pack: { serial: 7 } }, 'pack.serial: a string was expected'],
  ])('refuse %o as a whole, and say where', (reading, fault) => {
    expect(read(reading)).toEqual({ ok: false, fault });
  });

  test('map to existing properties, with their type', () => {
    const shapes = {
      number: 'number',
      word: 'word',
      position: 'position',
      'drive-battery': 'parts',
    };
    for (const row of northwind.rows) {
      const { shape } = PROPERTIES[row.property];
      if (row.read === 'word') expect(['word', 'word-of', 'boolean'], row.property).toContain(shape);
      else expect(shape, row.property).toBe(shapes[row.read]);
    }
  });

  test('give only enum values of the contract', () => {
    for (const row of northwind.rows) {
      if (row.read !== 'word') continue;
      const property = PROPERTIES[row.property];
      const words =
        property.shape === 'word'
          ? [property.yes, property.no]
          : property.shape === 'word-of'
            ? property.words
            : [true, false];
      for (const word of Object.values(row.words)) expect(words, row.property).toContain(word);
    }
  });
});
