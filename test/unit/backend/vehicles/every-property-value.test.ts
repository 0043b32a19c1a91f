import { describe, expect, test } from 'vitest';
import { translate } from '../../../../backend/vehicles/translation/translate.ts';
import { PROPERTIES, type PropertyPart, type PropertyRow } from '../../../../contract/properties.ts';
import { writeBits } from '../../../../protocol/can.ts';
import type { SignalRow, VehicleModel } from '../../../../protocol/models/model.ts';
import { MODELS } from '../../../../protocol/models/models.ts';
import type { Quantity } from '../../../../protocol/models/quantities.ts';
import { rawSignalOf, type SensedValue } from '../../../../protocol/models/raw.ts';
import type { GnssFix, Signals } from '../../../../protocol/signals.ts';

/** The sensor value for which an enum value is reported: the row encodes it as a raw number in a separate frame. */
interface Situation {
  readonly property: string;
  readonly word: string | boolean;
  readonly quantity: Quantity;
  readonly sensed: SensedValue;
}

/** A situation for each enum value of the tables, for each property that is fed by signals of the vehicle. */
const SITUATIONS = Object.entries(PROPERTIES).flatMap(([name, row]) => situationsOf(name, row));

function situationsOf(property: string, row: PropertyRow | PropertyPart): readonly Situation[] {
  switch (row.shape) {
    case 'parts':
      return Object.entries(row.parts).flatMap(([part, one]) => situationsOf(`${property}.${part}`, one));
    case 'boolean':
      return [true, false].map((word) => ({ property, word, quantity: row.of, sensed: word }));
    case 'word':
      return [
        { property, word: row.yes, quantity: row.of, sensed: true },
        { property, word: row.no, quantity: row.of, sensed: false },
        ...(row.failed === undefined
          ? []
          : [{ property, word: row.failed, quantity: row.of, sensed: 'failed' as const }]),
      ];
    case 'choice':
      return [
        ...row.words.map((word) => ({ property, word, quantity: row.of, sensed: word as SensedValue })),
        ...(row.other === undefined
          ? []
          : [{ property, word: row.other, quantity: row.of, sensed: 'SPORT' as const }]),
      ];
    default:
      return [];
  }
}

/** One raw signal and nothing else. */
function signalOf(model: VehicleModel, { source }: SignalRow, raw: number): Signals {
  switch (source.from) {
    case 'can': {
      const shape = model.frames.find((frame) => frame.bus === source.bus && frame.id === source.id);
      const data = new Uint8Array(shape?.bytes ?? 0);
      writeBits(data, source.startBit, source.bits, source.order, raw);
      return { can: [{ bus: source.bus, id: source.id, data }] };
    }
    case 'obd': {
      const { pid, bytes, startBit = 7, bits = 8 * bytes, present } = source;
      const data = new Uint8Array(bytes);
      writeBits(data, startBit, bits, 'big', raw);
      if (present !== undefined) writeBits(data, present, 1, 'big', 1);
      return { obd: [{ pid, data }] };
    }
    case 'digital':
      return { digital: raw << source.port };
    case 'analog':
      return { analog: [{ port: source.port, millivolts: raw }] };
    default:
      return { troubleCodes: [raw] };
  }
}

function told(model: VehicleModel, signals: Signals, path: string): unknown {
  const said = translate(model, signals, { timestampMs: 0, maintenance: true });
  const [name = '', ...parts] = path.split('.');
  let here: unknown = said[name]?.value;
  for (const part of parts) here = (here as Readonly<Record<string, unknown>> | undefined)?.[part];
  return here;
}

/** The models whose own raw number for it leads to the word. */
function modelsThatTell({ property, word, quantity, sensed }: Situation): readonly string[] {
  const telling = [...MODELS.values()].filter((model) =>
    model.rows.some((row) => {
      if (row.quantity !== quantity || !row.feeds.includes(property)) return false;
      if (sensed === 'failed' && row.failure === undefined) return false;
      return told(model, signalOf(model, row, rawSignalOf(row, sensed)), property) === word;
    }),
  );
  return telling.map((model) => model.name);
}

describe('every listed value of every enumeration occurs', () => {
  test.each(SITUATIONS)('$property: $word, where $quantity is $sensed', (situation) => {
    expect(modelsThatTell(situation).length).toBeGreaterThan(0);
  });

  test('and all values of all properties have a situation', () => {
    const words = SITUATIONS.map(({ property, word }) => `${property}: ${word}`);
    expect(new Set(words).size).toBe(words.length);
    expect(words).toContain('gearshift_position: UNSUPPORTED_VALUE');
    expect(words).toContain('check_engine_indicator: SENSOR_FAILURE');
    expect(words).toContain('box_cardholder_cards.card_1: NOT_CONFIGURED');
    expect(words).toContain('seatbelts_status.row2_middle: NOT_FASTENED');
  });
});

describe('every listed value of what the box measures occurs', () => {
  const [model] = MODELS.values();
  const place = { latitude: 52, longitude: 13, altitudeM: 30, speedKph: 0, headingDegrees: 0 };
  const fix = (quality: GnssFix['quality']): Signals => ({
    gnss: { ...place, quality, satellites: 7, hdop: 1 },
  });
  const power = (backupCharging: boolean, backupPercent: number): Signals => ({
    power: { supplyMillivolts: 12_000, backupMillivolts: 4_000, backupCharging, backupPercent },
  });

  test.each<[string, string | number, Signals]>([
    ['gnss_position_fix_quality', 'NO_FIX', fix(0)],
    ['gnss_position_fix_quality', 'AUTONOMOUS_GNSS_FIX', fix(1)],
    ['gnss_position_fix_quality', 'DIFFERENTIAL_GNSS_FIX', fix(2)],
    ['gnss_position_fix_quality', 'DEAD_RECKONING_FIX', fix(6)],
    ['telematics_unit_backup_battery.charging_status', 'CHARGING', power(true, 60)],
    ['telematics_unit_backup_battery.charging_status', 'NOT_CHARGING', power(false, 60)],
    ['telematics_unit_backup_battery.charging_status', 'FULL', power(false, 100)],
    ...[0, 2, 6, 10, 15, 20].map((csq, grade): [string, number, Signals] => [
      'cellular_signal_quality',
      grade,
      { modem: { csq, network: 26201 } },
    ]),
  ])('%s: %s', (path, word, signals) => {
    if (model === undefined) throw new Error('no model');
    expect(told(model, signals, path)).toBe(word);
  });
});
