import fc from 'fast-check';
import { expect, test } from 'vitest';
import { faultsOfModel } from '../../backend/vehicles/check-models.ts';
import { proposalText } from '../../deployment/models/proposal/proposal-text.ts';
import { proposeModel } from '../../deployment/models/proposal/propose-model.ts';
import { readModel } from '../../deployment/models/read-model.ts';
import { asSigned, readBits, writeBits } from '../../protocol/can.ts';
import { readDbc } from '../../protocol/dbc/read-dbc.ts';
import { highestRaw, lowestRaw } from '../../protocol/models/model.ts';
import { rawSignalOf } from '../../protocol/models/raw.ts';
import { scaled } from '../../protocol/models/rows.ts';
import { smallVanDbc } from '../support/models/small-van.ts';

const NAMES = [
  'VehSpd',
  'ENGINE_RPM',
  'CoolantTemp',
  'DoorLock',
  'FuelLevel',
  'Gear',
  'Odometer',
  'Foo',
  'BattVolt',
];
const UNITS = ['km/h', 'rpm', '°C', '%', 'l', 'V', 'km', '', 'mph'];
const LABELS = ['P', 'R', 'N', 'D', 'Locked', 'Unlocked', 'SNA', 'Error', 'On', 'Off', 'Open "wide"', 'a;b'];

const anySignal = fc.record({
  name: fc.constantFrom(...NAMES),
  startBit: fc.nat(63),
  bits: fc.integer({ min: 1, max: 32 }),
  order: fc.constantFrom('little', 'big'),
  isSigned: fc.boolean(),
  factor: fc.constantFrom(1, 0.01, 0.5, -1, 2, 1e-5),
  offset: fc.constantFrom(0, -40, 0.25),
  unit: fc.constantFrom(...UNITS),
  under: fc.option(fc.nat(15), { nil: undefined }),
  values: fc.uniqueArray(fc.tuple(fc.integer({ min: -8, max: 300 }), fc.constantFrom(...LABELS)), {
    maxLength: 5,
    selector: ([raw]) => raw,
  }),
});
const anyMessage = fc.record({
  name: fc.constantFrom('Drive', 'DOOR_STATUS', 'X'),
  id: fc.oneof(fc.nat(0x7ff), fc.integer({ min: 0x800, max: 0x1fff_ffff })),
  bytes: fc.constantFrom(1, 4, 8, 64),
  signals: fc.uniqueArray(anySignal, { maxLength: 6, selector: ({ name }) => name }),
});
const anyDatabase = fc.uniqueArray(anyMessage, { maxLength: 5, selector: ({ id }) => id });

/** The number of a message as a file has it. */
const written = (id: number): number => (id > 0x7ff ? id + 0x8000_0000 : id);

/** A DBC file with that in it. */
function dbcText(
  messages: readonly (typeof anyMessage extends fc.Arbitrary<infer One> ? One : never)[],
): string {
  const quoted = (text: string): string => `"${text.replaceAll('"', '\\"')}"`;
  return messages
    .flatMap(({ name, id, bytes, signals }) => [
      `BO_ ${written(id)} ${name}: ${bytes} Node`,
      ...signals.map(
        (one) =>
          ` SG_ ${one.name} ${one.under === undefined ? '' : `m${one.under} `}: ${one.startBit}|${one.bits}@${one.order === 'big' ? 0 : 1}${one.isSigned ? '-' : '+'} (${one.factor},${one.offset}) [0|0] ${quoted(one.unit)} Other`,
      ),
      '',
      ...signals.map(
        (one) =>
          `VAL_ ${written(id)} ${one.name} ${one.values.map(([raw, label]) => `${raw} ${quoted(label)}`).join(' ')} ;`,
      ),
    ])
    .join('\n');
}

test('what is written as a DBC file is read as the same', () => {
  fc.assert(
    fc.property(anyDatabase, (messages) => {
      const { database, problems } = readDbc(dbcText(messages));
      expect(problems.filter(({ message }) => !message.includes('extends beyond'))).toEqual([]);
      expect(database.messages.map(({ id, name, bytes }) => ({ id, name, bytes }))).toEqual(
        messages.map(({ id, name, bytes }) => ({ id, name, bytes })),
      );
      for (const [index, { signals }] of messages.entries())
        expect(database.messages[index]?.signals).toMatchObject(
          signals.map(({ under, values, order, ...one }) => ({
            ...one,
            order,
            values: new Map(values),
            ...(under === undefined ? {} : { multiplexing: { selects: false, under: [[under, under]] } }),
          })),
        );
    }),
  );
});

test('a text of any kind is read without a throw, and a problem stands within it', () => {
  const dbc = smallVanDbc();
  const cut = fc
    .tuple(fc.nat(dbc.length), fc.nat(200), fc.string({ maxLength: 5 }))
    .map(([at, length, put]) => `${dbc.slice(0, at)}${put}${dbc.slice(at + length)}`);
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'grapheme' }), cut), (text) => {
      const lines = text.split('\n');
      for (const { line, column } of readDbc(text).problems) {
        expect(line >= 1 && line <= lines.length && column >= 1).toBe(true);
        expect(column <= (lines[line - 1]?.length ?? 0) + 1).toBe(true);
      }
    }),
  );
});

test('a model that is proposed passes the checks, and its file is read as the same model', () => {
  fc.assert(
    fc.property(anyDatabase, (messages) => {
      const proposal = proposeModel(readDbc(dbcText(messages)).database, 'drawn', 1);
      expect(faultsOfModel(proposal.model)).toEqual([]);
      const reading = readModel(proposalText(proposal, 'drawn.dbc'), 'drawn.yaml');
      expect(reading).toEqual({ ok: true, model: proposal.model });
      const signals = messages.reduce((sum, one) => sum + one.signals.length, 0);
      expect(proposal.matches.length + proposal.unmatched.length).toBe(signals);
    }),
  );
});

test('a signed signal holds every raw number of its range, and what is beyond becomes the nearest', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 2, max: 32 }),
      fc.constantFrom('little', 'big'),
      fc.double({ min: -1e10, max: 1e10, noNaN: true }),
      (bits, order, value) => {
        const startBit = order === 'big' ? 7 : 0;
        const source = {
          from: 'can',
          bus: 0,
          id: 1,
          startBit,
          bits,
          order,
          signed: true,
        } as const;
        const raw = rawSignalOf(scaled(source, 'serviceDueKm'), value);
        const data = new Uint8Array(4);
        writeBits(data, startBit, bits, order, raw);
        const read = asSigned(readBits(data, startBit, bits, order) ?? 0, bits);
        const nearest = Math.min(Math.max(Math.round(value), lowestRaw(source)), highestRaw(source));
        expect([read, read === raw]).toEqual([nearest + 0, true]);
      },
    ),
  );
});
