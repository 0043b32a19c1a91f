import { fromSchema } from '../document/from-schema.ts';
import type { WordRow } from '../document/word-row.ts';
import { BREAKS, type PartName } from '../steps/breaks.ts';
import { CALLERS, CALLS } from '../steps/calls.ts';
import { type ActName, VEHICLE_ACTS } from '../steps/vehicle-acts.ts';
import { WEATHER } from '../steps/weather.ts';
import type { RandomSource } from './draw.ts';

/** Part of a document. */
export type DrawnPart = Readonly<Record<string, unknown>>;

/** The action of a step, as written: `{ weather: { cut: {} } }`. */
export interface DrawnAction {
  readonly action: DrawnPart;
  /** Whether it lasts until a `for`. */
  readonly lasts: boolean;
}

/** An act of a vehicle with a box, one of these names. */
export function drawnAct(source: RandomSource, names: readonly ActName[]): DrawnAction {
  const name = drawnOne(source, names);
  return { action: { [name]: drawnSettings(source, VEHICLE_ACTS[name]) }, lasts: false };
}

/** Weather, one of these names. */
export function drawnWeather(source: RandomSource, names: readonly string[]): DrawnAction {
  const name = drawnOne(source, names);
  const row: WordRow | undefined = WEATHER[name as keyof typeof WEATHER];
  return { action: { weather: { [name]: drawnSettings(source, row) } }, lasts: row?.lasts === true };
}

/** A call, one of these names, by any caller. */
export function drawnCall(source: RandomSource, names: readonly string[]): DrawnAction {
  const name = drawnOne(source, names);
  const as = source.whole(0, 4) === 4 ? { as: drawnOne(source, Object.keys(CALLERS)) } : {};
  const settings = name === 'share' ? 'partner' : drawnSettings(source, CALLS[name as keyof typeof CALLS]);
  return { action: { call: { [name]: settings, ...as } }, lasts: false };
}

/** A break, by part: `{ box: ['brown-out'] }`. */
export function drawnBreak(
  source: RandomSource,
  namesByPart: Readonly<Record<string, readonly string[]>>,
): DrawnAction {
  const part = drawnOne(source, Object.keys(namesByPart));
  const name = drawnOne(source, namesByPart[part] ?? []);
  const row = (BREAKS[part as PartName] as Readonly<Record<string, WordRow>>)[name];
  return {
    action: { break: { [part]: { [name]: drawnSettings(source, row) } } },
    lasts: row?.lasts === true,
  };
}

/** Settings of a row: its example as often as something drawn, since texts are meant for something. */
export function drawnSettings(
  source: RandomSource,
  row: Pick<WordRow, 'settings' | 'example'> | undefined,
): unknown {
  if (row === undefined) return {};
  return source.whole(0, 1) === 0 ? row.example : fromSchema(row.settings, source, row.example);
}

/** One of the items; the first is the simplest. Throws where there is none. */
export function drawnOne<T>(source: RandomSource, items: readonly T[]): T {
  const item = items[source.whole(0, items.length - 1)];
  if (item === undefined) throw new Error('There is nothing to draw from.');
  return item;
}
