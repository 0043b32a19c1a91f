import fc from 'fast-check';
import type { AmqpField, AmqpTable } from '../../../brokers/amqp/codec/fields.ts';
import { METHODS, type MethodName } from '../../../brokers/amqp/codec/methods.ts';
import { anyCharacter } from '../run/any-character.ts';

const bytes = fc.uint8Array({ maxLength: 40 });
/** At most 255 bytes as UTF-8. */
export const anyShortText = fc.string({ unit: anyCharacter, maxLength: 60 });

export const { table } = fc.letrec<{ field: AmqpField; table: AmqpTable }>((tie) => ({
  field: fc.oneof(
    { maxDepth: 3 },
    fc.record({ type: fc.constant('V') }),
    fc.record({ type: fc.constant('t'), value: fc.boolean() }),
    fc.record({ type: fc.constant('b'), value: fc.integer({ min: -128, max: 127 }) }),
    fc.record({ type: fc.constant('B'), value: fc.integer({ min: 0, max: 255 }) }),
    fc.record({ type: fc.constant('s'), value: fc.integer({ min: -32_768, max: 32_767 }) }),
    fc.record({ type: fc.constant('u'), value: fc.integer({ min: 0, max: 65_535 }) }),
    fc.record({ type: fc.constant('I'), value: fc.integer() }),
    fc.record({ type: fc.constant('i'), value: fc.nat() }),
    fc.record({ type: fc.constant('l'), value: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }) }),
    fc.record({ type: fc.constant('T'), value: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }) }),
    fc.record({ type: fc.constant('f'), value: fc.float({ noNaN: true }) }),
    fc.record({ type: fc.constant('d'), value: fc.double({ noNaN: true }) }),
    fc.record({ type: fc.constant('D'), scale: fc.nat({ max: 255 }), value: fc.nat() }),
    fc.record({ type: fc.constant('S'), value: bytes }),
    fc.record({ type: fc.constant('x'), value: bytes }),
    fc.record({ type: fc.constant('A'), value: fc.array(tie('field'), { maxLength: 4 }) }),
    fc.record({ type: fc.constant('F'), value: tie('table') }),
  ) as fc.Arbitrary<AmqpField>,
  table: fc
    .dictionary(
      anyShortText.filter((name) => name !== '__proto__'),
      tie('field'),
      { maxKeys: 4 },
    )
    .map((fields) => new Map(Object.entries(fields))),
}));

const VALUES: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  bit: fc.boolean(),
  octet: fc.nat({ max: 255 }),
  short: fc.nat({ max: 65_535 }),
  long: fc.nat(),
  longlong: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
  shortstr: anyShortText,
  longstr: bytes,
  table,
};

/** A method's name with arguments that fit its row. */
export const anyMethod = fc
  .constantFrom(...(Object.keys(METHODS) as MethodName[]))
  .chain((name) =>
    fc
      .record(
        Object.fromEntries(
          Object.entries(METHODS[name].fields).map(([key, kind]) => [key, VALUES[kind] ?? fc.constant(0)]),
        ),
      )
      .map((args) => ({ name, args })),
  );
