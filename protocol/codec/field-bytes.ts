import type { Message } from '../message.ts';
import { CHECKSUM_BYTES, HEADER_BYTES } from './envelope.ts';
import { type DecodedFrame, encodeFrame } from './frame.ts';
import { describeFrame } from './frame-description.ts';
import { isObject } from './value.ts';

/** The position of a field in its frame: bytes from `start` up to but not including `end`. */
export type ByteRange = readonly [start: number, end: number];

/**
 * The bytes of each field that `describeFrame` names, in its order, counted from the begin of the frame; undefined
 * where no byte is the field's own. Found by writing the frame again with another value in that place: the bytes that
 * differ are the field, in any layout. Total.
 */
export function fieldBytes({ frame }: Pick<DecodedFrame, 'frame'>): readonly (ByteRange | undefined)[] {
  const own = encodeFrame(frame);
  const { fields } = describeFrame({ frame });
  const changed = [...changedMessages(frame.message)];
  return fields.map(([name], index) => {
    let range: ByteRange | undefined;
    for (const message of changed) {
      const other = { ...frame, message };
      const described = describeFrame({ frame: other }).fields[index];
      // Of another field, or of one whose text stays the same.
      if (described?.[0] !== name || described[1] === fields[index]?.[1]) continue;
      if (
        describeFrame({ frame: other }).fields.filter(([, text], at) => text !== fields[at]?.[1]).length > 1
      )
        continue;
      range = together(range, difference(own, encodeFrame(other)));
    }
    return range;
  });
}

/** The message with one value in it changed, for each value and in two ways: a step may be coarser than one. */
function* changedMessages(message: Message): Generator<Message> {
  for (const changed of changes(message, 0)) yield changed as Message;
}

function* changes(value: unknown, depth: number): Generator<unknown> {
  if (value instanceof Uint8Array) {
    for (let at = 0; at < value.length; at += 1)
      yield value.map((byte, index) => (index === at ? byte ^ 0xff : byte));
    return;
  }
  if (Array.isArray(value)) {
    for (const [at, item] of value.entries())
      for (const changed of changes(item, depth + 1)) yield value.with(at, changed);
    return;
  }
  if (isObject(value)) {
    for (const [name, item] of Object.entries(value)) {
      if (depth === 0 && name === 'kind') continue;
      for (const changed of changes(item, depth + 1)) yield { ...value, [name]: changed };
    }
    return;
  }
  if (typeof value === 'boolean') yield !value;
  if (typeof value === 'number') yield* [value + 1, value - 1, value / 2 + 1, value * 2];
  if (typeof value === 'string' && value !== '') yield `${value[0] === 'a' ? 'b' : 'a'}${value.slice(1)}`;
}

/**
 * From the first byte that differs to the last, between header and checksum; undefined where none does, or the frame has
 * another length.
 */
function difference(one: Uint8Array, other: Uint8Array): ByteRange | undefined {
  if (one.length !== other.length) return undefined;
  const differs = (index: number) => one[index] !== other[index];
  let first = HEADER_BYTES;
  let end = one.length - CHECKSUM_BYTES;
  while (first < end && !differs(first)) first += 1;
  while (end > first && !differs(end - 1)) end -= 1;
  return first < end ? [first, end] : undefined;
}

function together(one: ByteRange | undefined, other: ByteRange | undefined): ByteRange | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return [Math.min(one[0], other[0]), Math.max(one[1], other[1])];
}
