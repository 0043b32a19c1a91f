import { describe, expect, test } from 'vitest';
import { translate } from '../../../../backend/vehicles/translation/translate.ts';
import type { SignalRow, SignalSource, VehicleModel } from '../../../../protocol/models/model.ts';
import { MODELS } from '../../../../protocol/models/models.ts';
import { occupiedBits } from '../../../../protocol/models/occupied-bits.ts';
import { QUANTITIES } from '../../../../protocol/models/quantities.ts';
import type { Signals } from '../../../../protocol/signals.ts';
import { type Sensor, signalsBy } from '../../../../simulator/vehicle/sensing/signals.ts';
import {
  type GoldenFrame,
  givenBits,
  givenCodes,
  goldenFrames,
  signalsOf,
} from '../../../support/frames/golden-frames.ts';
import { smallVan } from '../../../support/models/small-van.ts';

const REPORT = { timestampMs: Date.parse('2027-03-01T08:00:00Z'), maintenance: true };

/** What a sensor of the box's vehicle gives; every other one has nothing to say. */
const sensing =
  (physical: GoldenFrame['physical']): Sensor =>
  (name) =>
    (physical[name] ?? 'unavailable') as ReturnType<Sensor>;

/** Whether a value is the one of a golden frame: null stands for none, and an object may have more parts. */
function isAsTold(value: unknown, told: unknown): boolean {
  if (told === null) return value === undefined || value === null;
  if (typeof told !== 'object' || Array.isArray(told)) return JSON.stringify(value) === JSON.stringify(told);
  const parts = (value ?? {}) as Readonly<Record<string, unknown>>;
  return Object.entries(told).every(([name, part]) => isAsTold(parts[name], part));
}

/** The data of a source among a vehicle's signals; undefined: it is silent. */
function dataOf(signals: Signals, source: string): Uint8Array | undefined {
  const [from, first = '', second = ''] = source.split(' ');
  if (from === 'obd')
    return signals.obd?.find(({ pid }) => pid === Number.parseInt(first, 16))?.data ?? undefined;
  return signals.can?.find(({ bus, id }) => bus === Number(first) && id === Number.parseInt(second, 16))
    ?.data;
}

/** The bits that a golden frame gives, as they are among a vehicle's signals; undefined: the source is silent. */
function writtenAt(signals: Signals, source: string, text: string): unknown {
  const [from, port] = source.split(' ');
  if (from === 'mode') return signals.troubleCodes;
  if (from === 'digital') return ((signals.digital ?? 0) >> Number(port)) & 1;
  if (from === 'analog') return signals.analog?.find((one) => one.port === Number(port))?.millivolts;
  const { mask, data } = givenBits(text);
  const found = dataOf(signals, source);
  return found?.length === data.length ? found.map((byte, at) => byte & (mask[at] ?? 0)) : found;
}

/** What a golden frame says there. */
function givenAt(source: string, text: string): unknown {
  if (source.startsWith('mode')) return givenCodes(text);
  return source.startsWith('digital') || source.startsWith('analog') ? Number(text) : givenBits(text).data;
}

/** One of the user's own, as a DBC file suggests it: the only one with signed signals. */
const ofDbc = smallVan().model;

describe.each([...MODELS.values(), ofDbc])('$name', (model: VehicleModel) => {
  const frames = goldenFrames(model.name);

  test('the box writes each golden frame, and nothing outside of the signal', () => {
    const silent = signalsBy(model, true, true, () => 'unavailable');
    for (const { label, physical, raw } of frames) {
      const written = signalsBy(model, true, true, sensing(physical));
      for (const [source, text] of raw) {
        expect(writtenAt(written, source, text), label).toEqual(givenAt(source, text));
        if (!source.startsWith('can')) continue;
        const { mask } = givenBits(text);
        const before = dataOf(silent, source) ?? [];
        const changed = [...(dataOf(written, source) ?? [])].map((byte, at) => byte ^ (before[at] ?? 0));
        expect(
          changed.map((bits, at) => bits & ~(mask[at] ?? 0)),
          label,
        ).toEqual(changed.map(() => 0));
      }
    }
  });

  test('the service reads each golden frame, whatever the other bits are', () => {
    for (const { label, raw, state } of frames) {
      for (const others of [0, 1] as const) {
        const told = translate(model, signalsOf(raw, others), REPORT);
        for (const [name, value] of Object.entries(state))
          if (!isAsTold(told[name]?.value, value))
            expect(told[name]?.value, `${label}: ${name} with ${others} in all other bits`).toEqual(value);
      }
    }
  });

  test('each signal feeds what its golden frames say, and nothing else', () => {
    for (const { label, physical, state } of frames) {
      const rows = model.rows.filter(({ quantity }) => quantity in physical);
      const fed = new Set(rows.flatMap(({ feeds }) => feeds));
      const paths = pathsOf(state);
      const isOf = (one: string, other: string) => one === other || one.startsWith(`${other}.`);
      expect([label, paths.filter((path) => ![...fed].some((one) => isOf(one, path)))]).toEqual([label, []]);
      expect([label, [...fed].filter((one) => !paths.some((path) => isOf(one, path)))]).toEqual([label, []]);
    }
  });

  test('no signal is without a golden frame: its bits, each of its words and codes, and two values', () => {
    for (const [index, row] of model.rows.entries()) {
      const own = frames.filter(
        ({ physical, raw }) => row.quantity in physical && raw.has(sourceName(row.source)),
      );
      const name = `${model.name} rows[${index}] ${row.quantity}`;
      const values = own.map(({ physical }) => physical[row.quantity]);
      expect([name, wantedOf(row).filter((one) => !values.includes(one))]).toEqual([name, []]);
      const plain = values.filter((one) => one !== 'unavailable' && one !== 'failed');
      expect([name, new Set(plain.map((one) => JSON.stringify(one))).size >= 2]).toEqual([name, true]);
      const covered = new Set(own.flatMap(({ raw }) => bitNames(row.source, raw)));
      expect([name, occupiedBits(row.source).filter((bit) => !covered.has(bit))]).toEqual([name, []]);
    }
  });
});

/** The properties of a state and their parts, by path. */
function pathsOf(state: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.entries(state).flatMap(([name, value]) =>
    typeof value === 'object' && value !== null && !Array.isArray(value)
      ? pathsOf(value as Readonly<Record<string, unknown>>).map((path) => `${name}.${path}`)
      : [name],
  );
}

/** Values that must be among the golden frames of a row. */
function wantedOf({ quantity, words, unavailable, failure }: SignalRow): readonly unknown[] {
  const { kind } = QUANTITIES[quantity];
  return [
    ...(kind === 'switch' ? [true, false] : []),
    ...(words === undefined ? [] : Object.values(words)),
    ...(unavailable === undefined ? [] : ['unavailable']),
    ...(failure === undefined ? [] : ['failed']),
  ];
}

function sourceName(source: SignalSource): string {
  switch (source.from) {
    case 'obd':
      return `obd ${hex(source.pid, 2)}`;
    case 'can':
      return `can ${source.bus} ${hex(source.id, source.id > 0x7ff ? 8 : 3)}`;
    case 'trouble-codes':
      return 'mode 03';
    default:
      return `${source.from} ${source.port}`;
  }
}

/** As the golden frames write it: PIDs with two digits, identifiers of 11 bits with three, of 29 bits with eight. */
function hex(number: number, digits: number): string {
  return number.toString(16).padStart(digits, '0');
}

/** The bits or ports that golden frames give of a source, by the names that occupied bits have. */
function bitNames(source: SignalSource, raw: GoldenFrame['raw']): readonly string[] {
  const text = raw.get(sourceName(source));
  if (text === undefined) return [];
  if (source.from === 'trouble-codes') return [source.from];
  if (source.from === 'digital' || source.from === 'analog') return [`${source.from}/${source.port}`];
  const place = source.from === 'can' ? `can/${source.bus}/${source.id}` : `obd/${source.pid}`;
  return [...givenBits(text).mask].flatMap((byte, at) =>
    [0, 1, 2, 3, 4, 5, 6, 7]
      .filter((bit) => ((byte >> bit) & 1) === 1)
      .map((bit) => `${place}/${8 * at + bit}`),
  );
}
