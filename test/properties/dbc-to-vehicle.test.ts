import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { translate } from '../../backend/vehicles/translation/translate.ts';
import { valueRow } from '../../contract/properties.ts';
import { proposeModel } from '../../deployment/models/proposal/propose-model.ts';
import { readDbc } from '../../protocol/dbc/read-dbc.ts';
import { signalsBy } from '../../simulator/vehicle/sensing/signals.ts';
import { anyBus, type BusFrame, type BusSignal, busText } from '../support/dbc/drawn-vehicle.ts';
import { plainRaw } from '../support/dbc/plain-dbc.ts';
import { START_MS } from '../support/vehicles/any-vehicle.ts';

const EXTENDED = 0x8000_0000;
const idOf = (number: number): number => (number >= EXTENDED ? number - EXTENDED : number);

/**
 * Whether a box can read the signal: always there, a whole number of up to 32 bits, in a frame of up to 8 bytes that has its
 * identifier for itself, with 11 or 29 bits.
 */
function isReadable(frames: readonly BusFrame[], frame: BusFrame, signal: BusSignal): boolean {
  const { page, valueType, bits } = signal;
  if (frames.some((other) => other !== frame && idOf(other.number) === idOf(frame.number))) return false;
  return frame.bytes <= 8 && !page.startsWith('m') && valueType === 0 && bits <= 32;
}

/** The physical value in the unit of its quantity; undefined: the frame is too short, or says that there is none. */
function valueIn(signal: BusSignal, data: Uint8Array): number | undefined {
  const raw = plainRaw(signal, data);
  if (raw === undefined || Number(raw) === signal.code) return undefined;
  const { per, plus } = signal.meaning;
  return (Number(raw) * signal.factor + signal.offset) * per + plus;
}

const proposed = (frames: readonly BusFrame[]) => {
  const { database, problems } = readDbc(busText(frames));
  expect(problems).toEqual([]);
  return proposeModel(database, 'drawn', 1);
};

const anyData = fc.array(fc.uint8Array({ minLength: 8, maxLength: 8 }), { minLength: 4, maxLength: 4 });

describe('a model of a database', () => {
  test('has the signals that a box can read, and no others', () => {
    let [readable, all] = [0, 0];
    fc.assert(
      fc.property(anyBus, (frames) => {
        const { matches } = proposed(frames);
        const wanted = frames.flatMap((frame) =>
          frame.signals
            .filter((signal) => isReadable(frames, frame, signal))
            .map(({ meaning }) => `${idOf(frame.number)} ${meaning.quantity}`),
        );
        readable += wanted.length;
        all += frames.reduce((sum, { signals }) => sum + signals.length, 0);
        const found = matches.map(({ message, row }) => `${message.id} ${row.quantity}`);
        expect(found.sort()).toEqual(wanted.sort());
      }),
      { numRuns: 150 },
    );
    expect(readable).toBeGreaterThan(all / 4);
    expect(readable).toBeLessThan((all * 3) / 4);
  });

  test('makes of any frame the vehicle state that its bits say, one by one', () => {
    let compared = 0;
    fc.assert(
      fc.property(anyBus, anyData, fc.array(fc.nat(8)), (frames, contents, lengths) => {
        const { model } = proposed(frames);
        const sent = frames.map((frame, index) => {
          const data = contents[index] ?? new Uint8Array();
          const length = Math.min(frame.bytes, lengths[index] ?? 8);
          return { frame, data: data.slice(0, length) };
        });
        const can = sent.map(({ frame, data }) => ({ bus: 1 as const, id: idOf(frame.number), data }));
        const state = translate(model, { can }, { timestampMs: START_MS, maintenance: true });
        for (const { frame, data } of sent)
          for (const signal of frame.signals)
            for (const property of signal.meaning.properties) {
              const reported = state[property]?.value;
              const value = isReadable(frames, frame, signal) ? valueIn(signal, data) : undefined;
              const row = valueRow(property);
              if (row?.shape !== 'number') throw new Error(`${property} is no number`);
              const digit = 10 ** -row.decimals / 2 + 1e-5 * Math.abs(value ?? 0) + 1e-6;
              if (value === undefined || value < row.minimum - digit || value > row.maximum + digit)
                expect(reported, property).toBeUndefined();
              else if (value > row.minimum + digit && value < row.maximum - digit) {
                compared += 1;
                expect(Math.abs(Number(reported) - value), property).toBeLessThanOrEqual(digit);
              }
            }
      }),
      { numRuns: 200 },
    );
    expect(compared).toBeGreaterThan(60);
  });

  test('lets a vehicle send frames whose bits say what its sensors say', () => {
    let compared = 0;
    fc.assert(
      fc.property(anyBus, fc.array(fc.double({ min: -0.2, max: 1.2, noNaN: true })), (frames, shares) => {
        const { model } = proposed(frames);
        const meant = new Map(
          frames.flatMap(({ signals }) =>
            signals.map(({ meaning: { quantity, span } }, index) => {
              const value = span[0] + (span[1] - span[0]) * (shares[index] ?? 0.5);
              return [quantity, value] as const;
            }),
          ),
        );
        const { can = [] } = signalsBy(model, true, true, (name) => meant.get(name));
        for (const frame of frames)
          for (const signal of frame.signals.filter((one) => isReadable(frames, frame, one))) {
            const data = can.find(({ id }) => id === idOf(frame.number))?.data ?? new Uint8Array();
            expect(data.length).toBe(frame.bytes);
            const value = valueIn(signal, data);
            const wanted = meant.get(signal.meaning.quantity) ?? Number.NaN;
            const { bits, isSigned, factor, offset, code } = signal;
            const { per, plus } = signal.meaning;
            const physical = (raw: number) => (raw * factor + offset) * per + plus;
            const top = 2 ** (isSigned ? bits - 1 : bits) - 1;
            const [low, high] = [
              physical(isSigned ? -(2 ** (bits - 1)) : 0),
              physical(top - (code === undefined ? 0 : 1)),
            ];
            const nearest = Math.min(Math.max(wanted, low), high);
            compared += 1;
            expect(Math.abs(Number(value) - nearest), signal.meaning.name).toBeLessThanOrEqual(
              factor * per * 0.501 + Math.abs(nearest) * 1e-6,
            );
          }
      }),
      { numRuns: 200 },
    );
    expect(compared).toBeGreaterThan(60);
  });
});
