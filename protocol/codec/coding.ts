import type { RecordField } from '../layouts/layout.ts';
import { LAYOUTS } from '../layouts/layouts.ts';
import type { Generation } from '../message.ts';
import { MESSAGE_KINDS, type MessageKindName } from '../message-kinds.ts';
import { messageReader } from './read.ts';
import { messageWriter } from './write.ts';

/**
 * The reader and the writer of each kind of message, compiled from the layouts when this module is loaded.
 */
export const READERS = each(messageReader);
export const WRITERS = each(messageWriter);

function each<F>(
  make: (record: RecordField) => F,
): Readonly<Record<Generation, Readonly<Record<MessageKindName, F>>>> {
  return { 1: ofGeneration(1, make), 2: ofGeneration(2, make) };
}

function ofGeneration<F>(
  generation: Generation,
  make: (record: RecordField) => F,
): Readonly<Record<MessageKindName, F>> {
  const made = MESSAGE_KINDS.map(({ name }) => [name, make(LAYOUTS[generation][name])] as const);
  return Object.fromEntries(made) as Record<MessageKindName, F>;
}
