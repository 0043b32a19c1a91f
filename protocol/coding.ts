import { KINDS, type KindName } from './kinds.ts';
import type { RecordField } from './layout.ts';
import { LAYOUTS } from './layouts.ts';
import type { Generation } from './message.ts';
import { messageReader } from './read.ts';
import { messageWriter } from './write.ts';

/** What reads and what writes each kind of message, made of the layouts when this is loaded. */
export const READERS = each(messageReader);
export const WRITERS = each(messageWriter);

function each<F>(
  make: (record: RecordField) => F,
): Readonly<Record<Generation, Readonly<Record<KindName, F>>>> {
  return { 1: ofGeneration(1, make), 2: ofGeneration(2, make) };
}

function ofGeneration<F>(
  generation: Generation,
  make: (record: RecordField) => F,
): Readonly<Record<KindName, F>> {
  const made = KINDS.map(({ name }) => [name, make(LAYOUTS[generation][name])] as const);
  return Object.fromEntries(made) as Record<KindName, F>;
}
