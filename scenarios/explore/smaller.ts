import { valueAt, withValueAt } from '../language/place.ts';
import type { Document } from '../language/problem.ts';
import { formatSpan, parseSpan, SPAN_PATTERN } from '../language/quantity.ts';
import type { Place } from '../language/vary.ts';
import type { Contrast } from './contrast.ts';
import type { Reason } from './reason.ts';

type Loose = Readonly<Record<string, unknown>>;

/** One way to make a document smaller. Not all that comes out can be read; none of it is larger. */
export type Pass = (document: Document, reason: Reason, contrast: Contrast | undefined) => Iterable<Document>;

/** From what takes most away to what takes least. Where there is a contrast, only the first changes what was drawn. */
export const PASSES: readonly Pass[] = [
  lessDrawn,
  onlyTheReason,
  fewerSteps,
  fewerGroups,
  fewerVehicles,
  fewerFeatures,
  earlierSteps,
  fewerWords,
  shorterGaps,
  shorterSpans,
];

/** Nearer to the file as it stands, which passes. */
export function* lessDrawn(
  document: Document,
  _reason: Reason,
  contrast: Contrast | undefined,
): Iterable<Document> {
  if (contrast !== undefined) yield* contrast.closer(document);
}

/** Only the checker that found it, or none; nothing that is expected beside it. */
function* onlyTheReason(document: Document, { checker, expectation }: Reason): Iterable<Document> {
  const always = checker === undefined ? [] : [checker];
  const watched = { ...document, always };
  if (expectation === undefined) {
    const steps = listOf(document, 'steps').map(({ expect: _e, never: _n, within: _w, ...step }) => step);
    // A step that only expects has nothing left to do.
    yield { ...watched, steps: steps.filter(doesSomething) };
  }
  yield watched;
}

const FRAME: ReadonlySet<string> = new Set(['label', 'at', 'after', 'delay', 'for', 'within', 'on']);

function doesSomething(step: Loose): boolean {
  return Object.keys(step).some((word) => !FRAME.has(word));
}

/** Without a half of the steps, a quarter, ... one. Where others refer to one that goes, these go with it. */
function* fewerSteps(document: Document): Iterable<Document> {
  const steps = listOf(document, 'steps');
  for (const indices of chunks(steps.length)) {
    const rest = withoutOrphans(steps, new Set(indices));
    if (rest.length > 0) yield { ...document, steps: rest };
  }
}

function withoutOrphans(steps: readonly Loose[], gone: ReadonlySet<number>): readonly Loose[] {
  const lost = new Set(steps.filter((_, index) => gone.has(index)).map(({ label }) => label));
  lost.delete(undefined);
  return steps.filter((step, index) => {
    if (gone.has(index)) return false;
    const { after, on, expect, never } = step;
    const { same_as, others_than } = (on ?? {}) as Loose;
    const mentioned = JSON.stringify([expect, never]);
    const isOrphan =
      [after, same_as, others_than].some((label) => lost.has(label)) ||
      [...lost].some((label) => mentioned.includes(`:${JSON.stringify(label)}`));
    if (isOrphan && step['label'] !== undefined) lost.add(step['label']);
    return !isOrphan;
  });
}

/** Without a group, and without the steps that are about it. */
function* fewerGroups(document: Document): Iterable<Document> {
  const fleet = listOf(document, 'fleet');
  const steps = listOf(document, 'steps');
  for (const [index, group] of fleet.entries()) {
    if (fleet.length === 1) return;
    const name = group['as'] ?? `fleet-${index}`;
    const about = new Set(
      steps.flatMap(({ on }, at) =>
        on === name || (on as Loose | undefined)?.['group'] === name ? [at] : [],
      ),
    );
    const rest = withoutOrphans(steps, about);
    if (rest.length > 0) yield { ...document, fleet: fleet.toSpliced(index, 1), steps: rest };
  }
}

function* fewerVehicles(document: Document): Iterable<Document> {
  for (const [index, { count }] of listOf(document, 'fleet').entries()) {
    if (typeof count !== 'number') continue;
    for (const fewer of closer(count, 1)) yield replaced(document, ['fleet', index, 'count'], fewer);
  }
}

/** No features at all, or one less. */
function* fewerFeatures(document: Document): Iterable<Document> {
  for (const [index, group] of listOf(document, 'fleet').entries()) {
    const { features = 'demo' } = group;
    if (features === 'none') continue;
    const fleet = listOf(document, 'fleet').with(index, { ...group, features: 'none' });
    yield { ...document, fleet };
    if (typeof features !== 'object' || features === null) continue;
    for (const name of Object.keys(features)) yield without(document, ['fleet', index, 'features', name]);
  }
}

/**
 * Words without which a scenario means less or more happens: when something begins and how long it lasts, what has to be
 * there anyway, and what a reader is told.
 */
const KEPT: ReadonlySet<string> = new Set([
  ...['name', 'about', 'seed', 'fleet', 'steps', 'always', 'heal', 'at', 'after', 'delay', 'for', 'within'],
  'features',
]);

/** Without a word, from the outside to the inside, or without an item of a list. */
function* fewerWords(document: Document): Iterable<Document> {
  for (const place of placesOf(document)) {
    const word = place.at(-1);
    const isStep = place.length === 2 && (place[0] === 'steps' || place[0] === 'fleet');
    if (isStep || (typeof word === 'string' && KEPT.has(word))) continue;
    // What is expected is changed as a whole, or it would be another expectation.
    const of = place.findIndex((key) => key === 'expect' || key === 'never');
    const isWithin = of >= 0 && place.length > of + (typeof place[of + 1] === 'number' ? 2 : 1);
    if (!isWithin) yield withoutIdleWithin(without(document, place), place);
  }
}

/** `within` cannot stand where nothing is expected any more. */
function withoutIdleWithin(document: Document, [list, index]: Place): Document {
  if (list !== 'steps' || typeof index !== 'number') return document;
  const steps = listOf(document, 'steps');
  const { within, ...step } = steps[index] ?? {};
  if (within === undefined || step['expect'] !== undefined || step['never'] !== undefined) return document;
  return { ...document, steps: steps.with(index, step) };
}

/** A step that waited for another one begins at that one's time, so that the other one may go. */
function* earlierSteps(document: Document): Iterable<Document> {
  const steps = listOf(document, 'steps');
  for (const [index, { after, delay: _, ...step }] of steps.entries()) {
    if (after === undefined) continue;
    const at = steps.find(({ label }) => label === after)?.['at'] ?? '0s';
    yield { ...document, steps: steps.with(index, { at, ...step }) };
  }
}

/** A step, and all that begin later, begin sooner: their order stays. */
function* shorterGaps(document: Document): Iterable<Document> {
  const steps = listOf(document, 'steps');
  const times = steps.flatMap(({ at }) => (typeof at === 'string' ? [parseSpan(at) ?? 0] : []));
  const rising = [...new Set(times)].sort((one, other) => one - other);
  for (const [index, fromMs] of rising.entries()) {
    const gapMs = fromMs - (rising[index - 1] ?? 0);
    for (const shorterMs of closerSpans(gapMs)) {
      const sooner = steps.map((step) => {
        const atMs = typeof step['at'] === 'string' ? parseSpan(step['at']) : undefined;
        if (atMs === undefined || atMs < fromMs) return step;
        return { ...step, at: formatSpan(atMs - gapMs + shorterMs) };
      });
      yield { ...document, steps: sooner };
    }
  }
}

const NEVER_SHORTER: ReadonlySet<unknown> = new Set(['at', 'within', 'heal', 'took']);

function* shorterSpans(document: Document): Iterable<Document> {
  for (const place of placesOf(document)) {
    const value = valueAt(document, place);
    const isExpected = place.includes('expect') || place.includes('never');
    if (typeof value !== 'string' || isExpected || NEVER_SHORTER.has(place.at(-1))) continue;
    if (place[0] !== 'steps' && place[0] !== 'limits') continue;
    const spanMs = SPAN_PATTERN.test(value) ? parseSpan(value) : undefined;
    if (spanMs === undefined) continue;
    for (const shorterMs of closerSpans(spanMs)) yield replaced(document, place, formatSpan(shorterMs));
  }
}

/** Whole numbers from `least` up to `value`, without it: ever closer to it. */
export function closer(value: number, least: number): readonly number[] {
  return below(value, least, () => 1);
}

/** Spans from 0 up to `spanMs`, without it, in what people write: minutes, ten seconds, seconds, tenths of one. */
function closerSpans(spanMs: number): readonly number[] {
  return below(spanMs, 0, (ms) => [60_000, 10_000, 1_000, 100].find((one) => ms >= one * 2) ?? 100);
}

function below(value: number, least: number, unitOf: (exact: number) => number): readonly number[] {
  const steps = [0, 1, 2, 4, 8, 12, 14, 16].map((sixteenths) => {
    const exact = least + ((value - least) * sixteenths) / 16;
    const unit = unitOf(exact);
    return Math.max(least, Math.floor(exact / unit) * unit);
  });
  const rounded = steps.filter((one) => one < value);
  // Where the last unit is reached already, one less is tried.
  return [...new Set([...rounded, ...(unitOf(value) === 1 ? [value - 1] : [])])].filter(
    (one) => one >= least && one < value,
  );
}

/** Runs of indices: both halves, then the quarters, ... each alone; the last first, since it rests on the others. */
function* chunks(count: number): Iterable<readonly number[]> {
  for (let size = Math.ceil(count / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let end = count; end > 0; end -= size) {
      const start = Math.max(0, end - size);
      yield Array.from({ length: end - start }, (_, index) => start + index);
    }
  }
}

/** Every place below the document, from the outside to the inside. */
function placesOf(value: unknown, from: Place = []): readonly Place[] {
  if (typeof value !== 'object' || value === null) return [];
  const keys = Array.isArray(value) ? value.map((_, index) => index) : Object.keys(value);
  const here = keys.map((key): Place => [...from, key]);
  const inner = keys.flatMap((key) => placesOf((value as Loose)[key], [...from, key]));
  return [...here, ...inner];
}

function replaced(document: Document, place: Place, value: unknown): Document {
  return withValueAt(document, place, value) as Document;
}

function without(document: Document, place: Place): Document {
  const parent = place.slice(0, -1);
  const key = place.at(-1);
  const value = valueAt(document, parent);
  if (Array.isArray(value)) return replaced(document, parent, value.toSpliced(Number(key), 1));
  const rest = Object.entries((parent.length === 0 ? document : value) as Loose).filter(
    ([name]) => name !== key,
  );
  return replaced(document, parent, Object.fromEntries(rest));
}

function listOf(document: Document, name: 'steps' | 'fleet'): readonly Loose[] {
  return document[name] as readonly Loose[];
}

/** How large a document is, for whoever tells of it. */
export function sizeOf(document: Document): { readonly steps: number; readonly vehicles: number } {
  const vehicles = listOf(document, 'fleet').reduce((sum, { count = 1 }) => sum + Number(count), 0);
  return { steps: listOf(document, 'steps').length, vehicles };
}
