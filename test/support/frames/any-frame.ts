import fc from 'fast-check';
import { endsOf, numberOf } from '../../../protocol/codec/value.ts';
import type { FieldData, ListField, NumberField, RecordField } from '../../../protocol/layouts/layout.ts';
import { LAYOUTS } from '../../../protocol/layouts/layouts.ts';
import { wireLimits } from '../../../protocol/limits.ts';
import type { Frame, Generation, Message } from '../../../protocol/message.ts';
import { MESSAGE_KINDS, type MessageKindName, type MessageKindRow } from '../../../protocol/message-kinds.ts';
import { ulidText } from '../../../protocol/ulid.ts';

/** Frames of any kind, on the grid of their generation, drawn from the very tables that encode and decode. */
export function anyFrame(generation: Generation): fc.Arbitrary<Frame> {
  return fc.oneof(...MESSAGE_KINDS.map((kind) => anyFrameOf(generation, kind.name)));
}

/** Frames that boxes send. */
export function anyUpFrame(generation: Generation): fc.Arbitrary<Frame> {
  return fc.oneof(...kindsGoing('up').map((kind) => anyFrameOf(generation, kind.name)));
}

/** Frames that the backend sends. */
export function anyDownFrame(generation: Generation): fc.Arbitrary<Frame> {
  return fc.oneof(...kindsGoing('down').map((kind) => anyFrameOf(generation, kind.name)));
}

/** Frames of one kind. */
export function anyFrameOf(generation: Generation, kind: MessageKindName): fc.Arbitrary<Frame> {
  const row: MessageKindRow = rowOf(kind);
  return fc.record(
    {
      generation: fc.constant(generation),
      epoch: fc.integer({ min: 0, max: 0xffff_ffff }),
      boot: row.direction === 'up' ? fc.integer({ min: 0, max: 0xffff }) : fc.constant(0),
      sequence: row.kept ? fc.integer({ min: 1, max: wireLimits.highestSequence }) : fc.constant(0),
      clockMs: fc.integer({ min: 0, max: 0xffff_ffff_ffff }),
      message: anyMessage(generation, kind),
    },
    { noNullPrototype: true },
  );
}

/** Messages of one kind. */
export function anyMessage(generation: Generation, kind: MessageKindName): fc.Arbitrary<Message> {
  // The layouts are checked by the compiler against the messages, so what is drawn from one is one.
  return anyRecord(LAYOUTS[generation][kind]).map((fields) => ({ kind, ...fields }) as unknown as Message);
}

function kindsGoing(direction: MessageKindRow['direction']): readonly MessageKindRow[] {
  return MESSAGE_KINDS.filter((kind) => kind.direction === direction);
}

function rowOf(kind: MessageKindName): MessageKindRow {
  return MESSAGE_KINDS.find((row) => row.name === kind) ?? MESSAGE_KINDS[0];
}

function anyRecord(record: RecordField): fc.Arbitrary<Record<string, unknown>> {
  const model = Object.fromEntries(record.rows.map((row) => [row.name, anyField(row.field)]));
  const requiredKeys = record.rows.filter((row) => !row.optional).map((row) => row.name);
  return fc.record(model, { requiredKeys, noNullPrototype: true }).map((fields) => {
    const settled: Record<string, unknown> = { ...fields };
    for (const row of record.rows) {
      if (row.notBelow === undefined) continue;
      const pair = [numberOf(settled[row.notBelow]), numberOf(settled[row.name])];
      settled[row.notBelow] = Math.min(...pair);
      settled[row.name] = Math.max(...pair);
    }
    return settled;
  });
}

function anyField(field: FieldData): fc.Arbitrary<unknown> {
  switch (field.type) {
    case 'number':
      return anyNumber(field);
    case 'boolean':
      return fc.boolean();
    case 'choice':
      return fc.constantFrom(...field.values);
    case 'names':
      return fc.constantFrom(...field.codeOf.keys());
    case 'text':
      return fc.string({ unit: 'grapheme-ascii', maxLength: field.most });
    case 'bytes':
      return fc.uint8Array({ minLength: field.least, maxLength: field.most });
    case 'ulid':
      return fc.uint8Array({ minLength: 16, maxLength: 16 }).map((bytes) => ulidText(bytes, 0));
    case 'setting':
      return fc
        .constantFrom(...field.rows)
        .chain(({ name, minimum, maximum }) =>
          fc.record(
            { name: fc.constant(name), value: fc.integer({ min: minimum, max: maximum }) },
            { noNullPrototype: true },
          ),
        );
    case 'tuple': {
      const numbers = fc.tuple(...field.items.map(anyNumber));
      return field.rising ? numbers.map((values) => [...values].sort((one, other) => one - other)) : numbers;
    }
    case 'list':
      return anyList(field);
    case 'record':
      return anyRecord(field);
    default:
      return field satisfies never;
  }
}

function anyNumber(field: NumberField): fc.Arbitrary<number> {
  const within = fc.integer({ min: field.minimum, max: field.maximum });
  const raw =
    field.special === undefined
      ? within
      : fc.oneof({ weight: 9, arbitrary: within }, { weight: 1, arbitrary: fc.constant(field.special) });
  return raw.map((value) => (value * field.multiplier) / field.divisor);
}

function anyList(field: ListField): fc.Arbitrary<unknown[]> {
  const elements = fc.array(anyField(field.element), { maxLength: field.most });
  const { rising } = field;
  if (rising === undefined) return elements;
  return elements.map((drawn) => {
    const sorted = drawn
      .map((element) => ({ element, ...endsOf(element, rising.name) }))
      .sort((one, other) => one.low - other.low);
    let before = Number.NEGATIVE_INFINITY;
    return sorted.flatMap(({ element, low, high }) => {
      if (low <= before) return [];
      before = high;
      return [element];
    });
  });
}
