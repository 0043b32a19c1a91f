import type { JsonObject } from '../../world/json.ts';
import { valueAt, withValueAt } from '../language/document/place.ts';
import type { ScenarioDocument } from '../language/document/problem.ts';
import { formatSpan, parseSpan, SPAN_PATTERN } from '../language/document/quantity.ts';
import type { BREAKS } from '../language/steps/breaks.ts';
import type { DocumentPlace } from '../language/vary/vary.ts';
import type { Baseline } from './baseline.ts';
import type { FailureReason } from './reason.ts';

/** One way to make a document smaller. Its candidates are never larger, but may be invalid. */
export type ShrinkPass = (
  document: ScenarioDocument,
  reason: FailureReason,
  baseline: Baseline | undefined,
) => Iterable<ScenarioDocument>;

/**
 * Ordered from the largest reductions to the smallest. With a baseline only the first pass changes drawn
 * values.
 */
export const PASSES: readonly ShrinkPass[] = [
  lessDrawn,
  onlyTheReason,
  upToTheFinding,
  oneBackend,
  onlyTheGroup,
  fewerGroups,
  fewerSteps,
  fewerVehicles,
  fewerRounds,
  fewerFeatures,
  earlierSteps,
  fewerWords,
  shorterGaps,
  shorterSpans,
];

/** Candidates nearer to the unchanged file, which passes. */
export function* lessDrawn(
  document: ScenarioDocument,
  _reason: FailureReason,
  baseline: Baseline | undefined,
): Iterable<ScenarioDocument> {
  if (baseline !== undefined) yield* baseline.closer(document);
}

/** With only the checker that found the failure, or none, and without other expectations. */
function* onlyTheReason(
  document: ScenarioDocument,
  { checker, expectation }: FailureReason,
): Iterable<ScenarioDocument> {
  const always = checker === undefined ? [] : [checker];
  const watched = { ...document, always };
  if (expectation === undefined) {
    const steps = listOf(document, 'steps').map(({ expect: _e, never: _n, within: _w, ...step }) => step);
    // A step with expectations only is removed.
    yield { ...watched, steps: steps.filter(doesSomething) };
  }
  yield watched;
}

const STEP_FRAME: ReadonlySet<string> = new Set([
  'label',
  'at',
  'after',
  'delay',
  'when',
  'repeat',
  'for',
  'within',
  'on',
  'in',
]);

function doesSomething(step: JsonObject): boolean {
  return Object.keys(step).some((word) => !STEP_FRAME.has(word));
}

/** Without the steps that begin after the finding. Those without a time of their own stay. */
function* upToTheFinding(
  document: ScenarioDocument,
  { sinceStartMs }: FailureReason,
): Iterable<ScenarioDocument> {
  if (sinceStartMs === undefined) return;
  const later = listOf(document, 'steps').flatMap(({ at }, index) =>
    typeof at === 'string' && (parseSpan(at) ?? 0) > sinceStartMs ? [index] : [],
  );
  if (later.length > 0) yield* ifAnyStep(withoutSteps(document, new Set(later)));
}

/** With one backend, and without the breaks of one of several, which renew their leases throughout a run. */
function* oneBackend(document: ScenarioDocument): Iterable<ScenarioDocument> {
  if (document['backends'] === undefined) return;
  const ofOne = listOf(document, 'steps').flatMap(({ break: broken }, index) => {
    const { backend } = (broken ?? {}) as JsonObject;
    return backend === undefined || isOfAnyBackend(backend) ? [] : [index];
  });
  yield* ifAnyStep(withoutSteps(without(document, ['backends']), new Set(ofOne)));
}

/** Whether a single backend may have that break too. */
function isOfAnyBackend(backend: unknown): boolean {
  if (typeof backend !== 'object' || backend === null) return true;
  return Object.entries(backend).every(
    ([name, settings]) =>
      !ONLY_OF_SEVERAL.has(name) && (settings as JsonObject | null)?.['which'] === undefined,
  );
}

const ONLY_OF_SEVERAL: ReadonlySet<string> = new Set<`${keyof typeof BREAKS.backend}`>([
  'pause',
  'cut_off',
  'wake_ups_lost',
  'wake_ups_late',
]);

/** With the group of the vehicle that the finding is about, and the steps that select no other group. */
function* onlyTheGroup(document: ScenarioDocument, { group }: FailureReason): Iterable<ScenarioDocument> {
  const fleet = listOf(document, 'fleet');
  const kept = fleet.filter((one, index) => groupName(one, index) === group);
  if (kept.length !== 1 || fleet.length === 1) return;
  const others = new Set(fleet.map(groupName).filter((name) => name !== group));
  const ofOthers = listOf(document, 'steps').flatMap((step, index) =>
    others.has(selectedGroup(step)) ? [index] : [],
  );
  yield* ifAnyStep(withoutSteps({ ...document, fleet: kept }, new Set(ofOthers)));
}

function groupName({ as }: JsonObject, index: number): unknown {
  return as ?? `fleet-${index}`;
}

/** Undefined: the step is about no group. */
function selectedGroup({ on }: JsonObject): unknown {
  return typeof on === 'string' ? on : (on as JsonObject | undefined)?.['group'];
}

/** A document has steps. */
function* ifAnyStep(document: ScenarioDocument): Iterable<ScenarioDocument> {
  if (listOf(document, 'steps').length > 0) yield document;
}

/** Without half of the steps, a quarter, ... one. Steps that refer to a removed one are removed too. */
function* fewerSteps(document: ScenarioDocument): Iterable<ScenarioDocument> {
  const steps = listOf(document, 'steps');
  for (const indices of chunks(steps.length)) {
    const rest = withoutOrphans(steps, new Set(indices));
    if (rest.length > 0) yield { ...document, steps: rest };
  }
}

/** The document without the steps at these places, and without those that refer to them. */
export function withoutSteps(document: ScenarioDocument, gone: ReadonlySet<number>): ScenarioDocument {
  return { ...document, steps: withoutOrphans(listOf(document, 'steps'), gone) };
}

function withoutOrphans(steps: readonly JsonObject[], gone: ReadonlySet<number>): readonly JsonObject[] {
  const lost = new Set(steps.filter((_, index) => gone.has(index)).map(({ label }) => label));
  lost.delete(undefined);
  const forgotten = new Set(steps.filter((_, index) => gone.has(index)).flatMap(namesKept));
  for (const name of steps.filter((_, index) => !gone.has(index)).flatMap(namesKept)) forgotten.delete(name);
  return steps.filter((step, index) => {
    if (gone.has(index)) return false;
    const { after, on, expect, never, call } = step;
    const { same_as, others_than } = (on ?? {}) as JsonObject;
    const mentioned = JSON.stringify([expect, never]);
    const isOrphan =
      [after, same_as, others_than].some((label) => lost.has(label)) ||
      [...lost].some((label) => mentioned.includes(`:${JSON.stringify(label)}`)) ||
      [...forgotten].some((name) => JSON.stringify([call, expect, never])?.includes(`{${name}}`));
    if (isOrphan && step['label'] !== undefined) lost.add(step['label']);
    return !isOrphan;
  });
}

/** The names under which a step keeps parts of an answer. */
function namesKept({ call }: JsonObject): readonly string[] {
  return Object.keys((call as JsonObject | undefined)?.['remember'] ?? {});
}

/** Without a group and the steps that select it. */
function* fewerGroups(document: ScenarioDocument): Iterable<ScenarioDocument> {
  const fleet = listOf(document, 'fleet');
  const steps = listOf(document, 'steps');
  for (const [index, group] of fleet.entries()) {
    if (fleet.length === 1) return;
    const name = groupName(group, index);
    const about = new Set(steps.flatMap((step, at) => (selectedGroup(step) === name ? [at] : [])));
    yield* ifAnyStep(withoutSteps({ ...document, fleet: fleet.toSpliced(index, 1) }, about));
  }
}

function* fewerVehicles(document: ScenarioDocument): Iterable<ScenarioDocument> {
  for (const [index, { count }] of listOf(document, 'fleet').entries()) {
    if (typeof count !== 'number') continue;
    for (const fewer of closer(count, 1)) yield replaced(document, ['fleet', index, 'count'], fewer);
  }
}

/** A repeated step with fewer rounds, if a number limits them. `shorterSpans` shortens a time. */
function* fewerRounds(document: ScenarioDocument): Iterable<ScenarioDocument> {
  for (const [index, { repeat }] of listOf(document, 'steps').entries()) {
    const { times } = (repeat ?? {}) as JsonObject;
    if (typeof times !== 'number') continue;
    for (const fewer of closer(times, 1))
      yield replaced(document, ['steps', index, 'repeat', 'times'], fewer);
  }
}

/** Without features, or with one less. */
function* fewerFeatures(document: ScenarioDocument): Iterable<ScenarioDocument> {
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
 * Words that are never removed: times and durations, without which more would happen, required words, and
 * descriptions for readers.
 */
const KEPT: ReadonlySet<string> = new Set([
  'name',
  'about',
  'seed',
  'fleet',
  'steps',
  'always',
  'heal',
  'at',
  'after',
  'delay',
  'for',
  'within',
  'features',
]);

/** Without a word, from the outermost to the innermost, or without an item of a list. */
function* fewerWords(document: ScenarioDocument): Iterable<ScenarioDocument> {
  for (const place of placesOf(document)) {
    const word = place.at(-1);
    const isStep = place.length === 2 && (place[0] === 'steps' || place[0] === 'fleet');
    if (isStep || (typeof word === 'string' && KEPT.has(word))) continue;
    if (isUsed(document, place)) continue;
    // An expectation is kept or removed as a whole: part of it would be another expectation.
    const of = place.findIndex((key) => key === 'expect' || key === 'never');
    const isWithin = of >= 0 && place.length > of + (typeof place[of + 1] === 'number' ? 2 : 1);
    if (!isWithin) yield withoutIdleWithin(without(document, place), place);
  }
}

/** Whether it is a remembered value that another step uses: without it that step would make another request. */
function isUsed(document: ScenarioDocument, place: DocumentPlace): boolean {
  const at = place.indexOf('remember');
  if (at < 0) return false;
  const [name] = place.slice(at + 1);
  const names = name === undefined ? Object.keys(valueAt(document, place) ?? {}) : [name];
  const steps = JSON.stringify(listOf(document, 'steps'));
  return names.some((one) => steps.includes(`{${one}}`));
}

/** `within` is only valid in a step that expects something. */
function withoutIdleWithin(document: ScenarioDocument, [list, index]: DocumentPlace): ScenarioDocument {
  if (list !== 'steps' || typeof index !== 'number') return document;
  const steps = listOf(document, 'steps');
  const { within, ...step } = steps[index] ?? {};
  if (within === undefined || step['expect'] !== undefined || step['never'] !== undefined) return document;
  return { ...document, steps: steps.with(index, step) };
}

/** A step that waits for another one gets that one's time, so that the other one can be removed. */
function* earlierSteps(document: ScenarioDocument): Iterable<ScenarioDocument> {
  const steps = listOf(document, 'steps');
  for (const [index, { after, delay: _, ...step }] of steps.entries()) {
    if (after === undefined) continue;
    const at = steps.find(({ label }) => label === after)?.['at'] ?? '0s';
    yield { ...document, steps: steps.with(index, { at, ...step }) };
  }
}

/** A step and all later ones begin earlier, in the same order. */
function* shorterGaps(document: ScenarioDocument): Iterable<ScenarioDocument> {
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

const NEVER_SHORTER: ReadonlySet<unknown> = new Set(['at', 'within', 'heal', 'took', 'every']);

function* shorterSpans(document: ScenarioDocument): Iterable<ScenarioDocument> {
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

/** Whole numbers from `least` up to but not including `value`, ever closer to it. */
export function closer(value: number, least: number): readonly number[] {
  return below(value, least, () => 1);
}

/**
 * Spans from 0 up to but not including `spanMs`, in round units: minutes, ten seconds, seconds, tenths of a
 * second.
 */
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
  // Below the smallest unit, one less is tried.
  return [...new Set([...rounded, ...(unitOf(value) === 1 ? [value - 1] : [])])].filter(
    (one) => one >= least && one < value,
  );
}

/**
 * Ranges of indices: both halves, then the quarters, ... each alone; the last first, since later steps depend
 * on earlier ones.
 */
function* chunks(count: number): Iterable<readonly number[]> {
  for (let size = Math.ceil(count / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let end = count; end > 0; end -= size) {
      const start = Math.max(0, end - size);
      yield Array.from({ length: end - start }, (_, index) => start + index);
    }
  }
}

/** Every place in the document, from the outermost to the innermost. */
function placesOf(value: unknown, from: DocumentPlace = []): readonly DocumentPlace[] {
  if (typeof value !== 'object' || value === null) return [];
  const keys = Array.isArray(value) ? value.map((_, index) => index) : Object.keys(value);
  const here = keys.map((key): DocumentPlace => [...from, key]);
  const inner = keys.flatMap((key) => placesOf((value as JsonObject)[key], [...from, key]));
  return [...here, ...inner];
}

function replaced(document: ScenarioDocument, place: DocumentPlace, value: unknown): ScenarioDocument {
  return withValueAt(document, place, value) as ScenarioDocument;
}

function without(document: ScenarioDocument, place: DocumentPlace): ScenarioDocument {
  const parent = place.slice(0, -1);
  const key = place.at(-1);
  const value = valueAt(document, parent);
  if (Array.isArray(value)) return replaced(document, parent, value.toSpliced(Number(key), 1));
  const rest = Object.entries((parent.length === 0 ? document : value) as JsonObject).filter(
    ([name]) => name !== key,
  );
  return replaced(document, parent, Object.fromEntries(rest));
}

function listOf(document: ScenarioDocument, name: 'steps' | 'fleet'): readonly JsonObject[] {
  return document[name] as readonly JsonObject[];
}

/** The size of a document, for reports. */
export function sizeOf(document: ScenarioDocument): { readonly steps: number; readonly vehicles: number } {
  const vehicles = listOf(document, 'fleet').reduce((sum, { count = 1 }) => sum + Number(count), 0);
  return { steps: listOf(document, 'steps').length, vehicles };
}
