import { fromSchema } from '../document/from-schema.ts';
import type { ScenarioDocument } from '../document/problem.ts';
import { formatSpan } from '../document/quantity.ts';
import { groupSchema } from '../document/schema.ts';
import type { WordRow, WordTable } from '../document/word-row.ts';
import { CHECKER_NAMES } from '../expectations/checkers.ts';
import { EXPECTATIONS, type ExpectationKind } from '../expectations/expectations.ts';
import { BREAKS } from '../steps/breaks.ts';
import { CALLERS, CALLS } from '../steps/calls.ts';
import { VEHICLE_ACTS } from '../steps/vehicle-acts.ts';
import { WEATHER } from '../steps/weather.ts';
import type { RandomSource } from './draw.ts';

type JsonObject = Readonly<Record<string, unknown>>;

/** What a drawn scenario may be made of. Names are those of the tables. */
export interface GeneratorOptions {
  readonly acts: readonly string[];
  readonly calls: readonly string[];
  readonly weather: readonly string[];
  /** By part: `{ box: ['brown-out'] }`. */
  readonly breaks: Readonly<Record<string, readonly string[]>>;
  readonly expectations: readonly string[];
  readonly mostSteps: number;
  readonly mostVehicles: number;
  /** The last step begins this late at most. */
  readonly longestMs: number;
}

/** Everything that there is. */
export const ALL_GENERATOR_OPTIONS: GeneratorOptions = {
  acts: Object.keys(VEHICLE_ACTS),
  calls: Object.keys(CALLS),
  weather: Object.keys(WEATHER),
  breaks: Object.fromEntries(Object.entries(BREAKS).map(([part, table]) => [part, Object.keys(table)])),
  expectations: Object.keys(EXPECTATIONS),
  mostSteps: 12,
  mostVehicles: 8,
  longestMs: 3_600_000,
};

/**
 * A whole scenario, drawn from the tables: a new row is drawn without anything being written here. It can always be
 * read; whether a fleet can do all of it, the run shows. Lower numbers of `chance` give simpler scenarios.
 */
export function generateDocument(
  source: RandomSource,
  name: string,
  options: GeneratorOptions = ALL_GENERATOR_OPTIONS,
): ScenarioDocument {
  const fleet = Array.from({ length: source.whole(1, 3) }, (_, index) => groupOf(source, index, options));
  const labels: string[] = [];
  const steps: JsonObject[] = [];
  const count = source.whole(1, options.mostSteps);
  for (let index = 0; index < count; index += 1) {
    const step = stepOf(source, { options, labels: [...labels], groups: fleet.map(({ as }) => String(as)) });
    const label = source.whole(0, 2) === 2 ? `step-${index}` : undefined;
    if (label !== undefined) labels.push(label);
    steps.push(label === undefined ? step : { label, ...step });
  }
  const seed = source.whole(0, 0xffff_ffff);
  const always = source.whole(0, 3) > 0 ? ['all'] : some(source, CHECKER_NAMES);
  // Drawn last: scenarios of before there were roads stay what they were.
  const onRoad = fleet.map((group) => (source.whole(0, 3) === 3 ? { ...group, radio: 'road' } : group));
  return { name, about: 'Drawn from a seed.', seed, fleet: onRoad, steps, always };
}

const groupBesideRadio = groupSchema.omit({ radio: true });

function groupOf(source: RandomSource, index: number, options: GeneratorOptions): JsonObject {
  const drawn = fromSchema(groupBesideRadio, source) as JsonObject;
  const { maker: _maker, hardware_revision: _revision, count: _count, model, ...rest } = drawn;
  const models = Object.keys(drawn).includes('model') && !MAKERS_OWN.has(String(model)) ? { model } : {};
  return { ...rest, ...models, as: `group-${index}`, count: source.whole(1, options.mostVehicles) };
}

const MAKERS_OWN: ReadonlySet<string> = new Set(['electric-estate', 'electric-scooter']);

interface GeneratorContext {
  readonly options: GeneratorOptions;
  /** Of the steps before. */
  readonly labels: readonly string[];
  readonly groups: readonly string[];
}

function stepOf(source: RandomSource, context: GeneratorContext): JsonObject {
  const { options, labels, groups } = context;
  const { action, lasts, answers } = stepActionOf(source, options);
  const after = labels.length > 0 && source.whole(0, 3) === 3 ? pick(source, labels) : undefined;
  const begins = source.whole(0, 4);
  const delay = begins === 4 ? { delay: spanOf(source, 60_000) } : {};
  const when =
    after !== undefined
      ? { after, ...delay }
      : begins < 3
        ? { at: spanOf(source, options.longestMs) }
        : delay;
  const kinds = options.expectations.filter((kind) => answers.has(kind));
  const expects = kinds.length > 0 && source.whole(0, 3) === 3;
  return {
    ...when,
    ...onOf(source, labels, groups),
    ...action,
    ...(lasts && source.whole(0, 4) > 0 ? { for: spanOf(source, 600_000) } : {}),
    ...(expects
      ? { within: spanOf(source, 120_000), expect: expectationOf(source, pick(source, kinds)) }
      : {}),
  };
}

function onOf(source: RandomSource, labels: readonly string[], groups: readonly string[]): JsonObject {
  switch (source.whole(0, 6)) {
    case 2:
      return { on: pick(source, groups) };
    case 3:
      return { on: { box: 1 } };
    case 4:
      return { on: { fraction: source.whole(1, 10) / 10 } };
    case 5:
      return { on: { group: pick(source, groups), count: source.whole(1, 3) } };
    case 6:
      return labels.length === 0 ? {} : { on: { same_as: pick(source, labels) } };
    default:
      return {};
  }
}

interface DrawnAction {
  readonly action: JsonObject;
  readonly lasts: boolean;
  /** Kinds of expectations that go with it. */
  readonly answers: ReadonlySet<string>;
}

/** Of steps that neither call nor present a phone. */
const ALWAYS_POSSIBLE: readonly ExpectationKind[] = [
  'state',
  'life_status',
  'setup_status',
  'journal',
  'connected',
];

function stepActionOf(source: RandomSource, options: GeneratorOptions): DrawnAction {
  const kinds = [
    ...(options.acts.length > 0 ? ['act'] : []),
    ...(options.weather.length > 0 ? ['weather'] : []),
    ...(options.calls.length > 0 ? ['call'] : []),
    ...(Object.keys(options.breaks).length > 0 ? ['break'] : []),
  ];
  const answers = new Set<string>([...ALWAYS_POSSIBLE, 'message', 'vehicle', 'feature']);
  switch (pick(source, kinds)) {
    case 'act': {
      const names = options.acts.filter((name) => VEHICLE_ACTS[name]?.of.includes('box'));
      const name = pick(source, names);
      if (name === 'bluetooth') answers.add('phone');
      return { action: { [name]: settingsOf(VEHICLE_ACTS[name], source) }, lasts: false, answers };
    }
    case 'weather': {
      const { name, row } = rowOf(source, WEATHER, options.weather);
      return {
        action: { weather: { [name]: settingsOf(row, source) } },
        lasts: row?.lasts === true,
        answers,
      };
    }
    case 'call': {
      const { name, row } = rowOf(source, CALLS, options.calls);
      const as = source.whole(0, 4) === 4 ? { as: pick(source, Object.keys(CALLERS)) } : {};
      const settings = name === 'share' ? 'partner' : settingsOf(row, source);
      for (const kind of ['answer', 'took']) answers.add(kind);
      return { action: { call: { [name]: settings, ...as } }, lasts: false, answers };
    }
    default: {
      const part = pick(source, Object.keys(options.breaks)) as keyof typeof BREAKS;
      const { name, row } = rowOf(source, BREAKS[part], options.breaks[part] ?? []);
      const action = { break: { [part]: { [name]: settingsOf(row, source) } } };
      return { action, lasts: row?.lasts === true, answers };
    }
  }
}

/** Settings of a row: its example as often as something drawn, since texts are meant for something. */
function settingsOf(row: WordRow | undefined, source: RandomSource): unknown {
  if (row === undefined) return {};
  return source.whole(0, 1) === 0 ? row.example : fromSchema(row.settings, source, row.example);
}

function expectationOf(source: RandomSource, kind: string): unknown {
  const row = EXPECTATIONS[kind as ExpectationKind];
  if (source.whole(0, 1) === 0) return row.example;
  const expectation = withoutLabels(fromSchema(row.settings, source, row.example) as JsonObject);
  return Object.keys(expectation).length === 0 ? row.example : expectation;
}

/** Without the names of other steps, of which a schema knows nothing. */
function withoutLabels({ of: _of, ...expectation }: JsonObject): JsonObject {
  const { with: condition, bulk } = expectation as Readonly<Record<string, JsonObject | undefined>>;
  const { occurred_during: _during, ...conditions } = condition ?? {};
  const { job: _job, ...counts } = bulk ?? {};
  return {
    ...expectation,
    ...(condition === undefined ? {} : { with: conditions }),
    ...(bulk === undefined ? {} : { bulk: counts }),
  };
}

function rowOf(
  source: RandomSource,
  table: WordTable,
  names: readonly string[],
): { readonly name: string; readonly row: WordRow | undefined } {
  const name = pick(source, names);
  return { name, row: table[name] };
}

function spanOf(source: RandomSource, mostMs: number): string {
  return formatSpan(source.whole(0, Math.floor(mostMs / 1_000)) * 1_000);
}

function some<T>(source: RandomSource, items: readonly T[]): readonly T[] {
  const chosen = items.filter(() => source.whole(0, 1) === 1);
  return chosen.length === 0 ? items.slice(0, 1) : chosen;
}

function pick<T>(source: RandomSource, items: readonly T[]): T {
  const item = items[source.whole(0, items.length - 1)];
  if (item === undefined) throw new Error('There is nothing to draw from.');
  return item;
}
