import { CHECKER_NAMES } from '../../../judge/checkers.ts';
import { languageLimits } from '../../limits.ts';
import { fromSchema } from '../document/from-schema.ts';
import { normalise } from '../document/normalise.ts';
import type { ScenarioDocument } from '../document/problem.ts';
import { formatSpan } from '../document/quantity.ts';
import { documentSchema, groupSchema } from '../document/schema.ts';
import type { WordRow } from '../document/word-row.ts';
import { checkPatterns } from '../expectations/check-patterns.ts';
import { EXPECTATIONS, type ExpectationKind } from '../expectations/expectations.ts';
import { BREAKS } from '../steps/breaks.ts';
import { CALLS } from '../steps/calls.ts';
import { hasArrived, pickedBy } from '../steps/message-frames.ts';
import { TRIGGER_OF, TRIGGERS } from '../steps/triggers.ts';
import { ACT_NAMES, type ActName, canDo } from '../steps/vehicle-acts.ts';
import { WEATHER } from '../steps/weather.ts';
import type { RandomSource } from './draw.ts';
import {
  type DrawnAction,
  type DrawnPart,
  drawnAct,
  drawnBreak,
  drawnCall,
  drawnOne,
  drawnWeather,
} from './step-action.ts';

/** The possible contents of a drawn scenario. Names are those of the tables. */
export interface GeneratorOptions {
  readonly acts: readonly ActName[];
  readonly calls: readonly string[];
  readonly weather: readonly string[];
  /** By part: `{ box: ['brown-out'] }`. */
  readonly breaks: Readonly<Record<string, readonly string[]>>;
  readonly expectations: readonly string[];
  readonly mostSteps: number;
  readonly mostVehicles: number;
  /** The latest time of the last step. */
  readonly longestMs: number;
  /** Some steps are repeated, or have a trigger. */
  readonly isTriggered?: true;
}

/** Everything. */
export const ALL_GENERATOR_OPTIONS: GeneratorOptions = {
  acts: ACT_NAMES,
  calls: Object.keys(CALLS),
  weather: Object.keys(WEATHER),
  breaks: Object.fromEntries(Object.entries(BREAKS).map(([part, table]) => [part, Object.keys(table)])),
  expectations: Object.keys(EXPECTATIONS),
  mostSteps: 12,
  mostVehicles: 8,
  longestMs: 3_600_000,
  isTriggered: true,
};

/**
 * A whole scenario, drawn from the tables: a new row is drawn without changes here. It can always be read; the run
 * shows whether a fleet can do all of it. Lower numbers of `chance` give simpler scenarios.
 */
export function generateDocument(
  source: RandomSource,
  name: string,
  options: GeneratorOptions = ALL_GENERATOR_OPTIONS,
): ScenarioDocument {
  const fleet = Array.from({ length: source.whole(1, 3) }, (_, index) => groupOf(source, index, options));
  const labels: string[] = [];
  const steps: DrawnPart[] = [];
  const count = source.whole(1, options.mostSteps);
  for (let index = 0; index < count; index += 1) {
    const groups = fleet.map(({ as }) => String(as));
    const step = stepOf(source, { options, labels: [...labels], groups, fleet });
    const label = source.whole(0, 2) === 2 ? `step-${index}` : undefined;
    if (label !== undefined) labels.push(label);
    steps.push(label === undefined ? step : { label, ...step });
  }
  const seed = source.whole(0, 0xffff_ffff);
  const always = source.whole(0, 3) > 0 ? ['all'] : some(source, CHECKER_NAMES);
  // Drawn last, so that seeds from before there were roads give the same scenarios.
  const onRoad = fleet.map((group) => (source.whole(0, 3) === 3 ? { ...group, radio: 'road' } : group));
  const all =
    options.isTriggered === true
      ? steps.map((step) => ({
          ...step,
          ...rememberOf(source, step),
          ...placeOf(source, step),
          ...beginOf(source, step),
        }))
      : steps;
  return {
    name,
    about: 'Drawn from a seed.',
    seed,
    fleet: onRoad,
    ...(steps.some(namesBackend) ? { backends: languageLimits.backends } : {}),
    steps: all,
    always,
  };
}

/** Whether a step names one of several backends. */
function namesBackend(step: DrawnPart): boolean {
  return JSON.stringify(step['break'] ?? {}).includes('"which":');
}

/** A drawn scenario has no other files. */
const drawnGroupSchema = groupSchema.omit({ radio: true, recorded_drive: true, drive_columns: true });

function groupOf(source: RandomSource, index: number, options: GeneratorOptions): DrawnPart {
  const drawn = fromSchema(drawnGroupSchema, source) as DrawnPart;
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
  readonly fleet: readonly DrawnPart[];
}

function stepOf(source: RandomSource, context: GeneratorContext): DrawnPart {
  const { options, labels, groups, fleet } = context;
  const { action, lasts, answers } = stepActionOf(source, options);
  const after = labels.length > 0 && source.whole(0, 3) === 3 ? drawnOne(source, labels) : undefined;
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
      ? {
          within: spanOf(source, 120_000),
          expect: expectationOf(source, drawnOne(source, kinds), { fleet, action }),
        }
      : {}),
  };
}

function onOf(source: RandomSource, labels: readonly string[], groups: readonly string[]): DrawnPart {
  switch (source.whole(0, 6)) {
    case 2:
      return { on: drawnOne(source, groups) };
    case 3:
      return { on: { box: 1 } };
    case 4:
      return { on: { fraction: source.whole(1, 10) / 10 } };
    case 5:
      return { on: { group: drawnOne(source, groups), count: source.whole(1, 3) } };
    case 6:
      return labels.length === 0 ? {} : { on: { same_as: drawnOne(source, labels) } };
    default:
      return {};
  }
}

/** The step's call, of which some keep parts of the answer. */
function rememberOf(source: RandomSource, { call }: DrawnPart): DrawnPart {
  if (typeof call !== 'object' || source.whole(0, 2) < 2) return {};
  const part = drawnOne(source, ['status', 'headers.etag', 'body', 'body.items[0].id']);
  return { call: { ...call, remember: { [`part-${source.whole(1, 3)}`]: part } } };
}

/** The place of the step's weather, for some that lasts. */
function placeOf(source: RandomSource, { weather }: DrawnPart): DrawnPart {
  const [name = ''] = Object.keys(weather ?? {});
  const row: WordRow | undefined = WEATHER[name as keyof typeof WEATHER];
  if (row?.lasts !== true || source.whole(0, 2) < 2) return {};
  const point = () => [source.whole(-9_000, 9_000) / 100, source.whole(-18_000, 18_000) / 100];
  const places = [
    { around: point(), radius_m: source.whole(1, 5_000) },
    { polygon: [point(), point(), point()] },
  ];
  return { in: drawnOne(source, places) };
}

/** How a step begins and repeats, apart from its time. */
function beginOf(source: RandomSource, { weather }: DrawnPart): DrawnPart {
  const every = { every: formatSpan(source.whole(1, 60_000)) };
  const rounds = [{ repeat: { ...every, times: source.whole(1, 5) } }, { repeat: { ...every, for: '2m' } }];
  const repeat = source.whole(0, 3) === 3 ? drawnOne(source, rounds) : {};
  if (source.whole(0, 3) < 3) return repeat;
  const name = drawnOne(source, Object.keys(TRIGGERS)) as keyof typeof TRIGGERS;
  const of =
    name === 'point' || source.whole(0, 1) === 0 ? {} : { of: drawnOne(source, Object.keys(TRIGGER_OF)) };
  const within = source.whole(0, 1) === 0 ? {} : { within: spanOf(source, 1_200_000) };
  const what = fromSchema(TRIGGERS[name].settings, source);
  // The reader refuses a file with it.
  if (name === 'frame' && hasArrived(String(what), pickedBy(weather))) return repeat;
  return { ...repeat, when: { [name]: what, ...of, ...within } };
}

interface AnsweredAction extends DrawnAction {
  /** Kinds of expectations that are valid with it. */
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

function stepActionOf(source: RandomSource, options: GeneratorOptions): AnsweredAction {
  const kinds = [
    ...(options.acts.length > 0 ? ['act'] : []),
    ...(options.weather.length > 0 ? ['weather'] : []),
    ...(options.calls.length > 0 ? ['call'] : []),
    ...(Object.keys(options.breaks).length > 0 ? ['break'] : []),
  ];
  const usual = new Set<string>([...ALWAYS_POSSIBLE, 'message', 'vehicle', 'feature']);
  switch (drawnOne(source, kinds)) {
    case 'act': {
      const drawn = drawnAct(
        source,
        options.acts.filter((name) => canDo('box', name)),
      );
      return { ...drawn, answers: 'bluetooth' in drawn.action ? usual.add('phone') : usual };
    }
    case 'weather':
      return { ...drawnWeather(source, options.weather), answers: usual };
    case 'call':
      return { ...drawnCall(source, options.calls), answers: usual.add('answer').add('took') };
    default:
      return { ...drawnBreak(source, options.breaks), answers: usual };
  }
}

/** The step of a drawn expectation. */
interface DrawnStep {
  readonly fleet: readonly DrawnPart[];
  readonly action: DrawnPart;
}

function expectationOf(source: RandomSource, kind: string, step: DrawnStep): unknown {
  const row = EXPECTATIONS[kind as ExpectationKind];
  // A fleet of two-wheelers alone has no central lock.
  const example = canBe(row.example as DrawnPart, step) ? row.example : EXPECTATIONS.connected.example;
  if (source.whole(0, 1) === 0) return example;
  const expectation = withoutLabels(fromSchema(row.settings, source, row.example) as DrawnPart);
  const isSomething = Object.keys(expectation).length > 0;
  return isSomething && canBe(expectation, step) ? expectation : example;
}

/** Whether a drawn value is possible: where any JSON is valid, its schema does not know the compared value. */
function canBe(expectation: DrawnPart, { fleet, action }: DrawnStep): boolean {
  const document = {
    name: 'drawn',
    about: 'One step.',
    fleet,
    steps: [{ ...action, expect: expectation }],
  };
  const parsed = documentSchema.safeParse(document);
  return parsed.success && checkPatterns(document, normalise(parsed.data)).length === 0;
}

/** Without the names of other steps, which a schema does not know. */
function withoutLabels({ of: _of, ...expectation }: DrawnPart): DrawnPart {
  const { with: condition, bulk } = expectation as Readonly<Record<string, DrawnPart | undefined>>;
  const { occurred_during: _during, ...conditions } = condition ?? {};
  const { job: _job, ...counts } = bulk ?? {};
  return {
    ...expectation,
    ...(condition === undefined ? {} : { with: conditions }),
    ...(bulk === undefined ? {} : { bulk: counts }),
  };
}

function spanOf(source: RandomSource, mostMs: number): string {
  return formatSpan(source.whole(0, mostMs));
}

function some<T>(source: RandomSource, items: readonly T[]): readonly T[] {
  const chosen = items.filter(() => source.whole(0, 1) === 1);
  return chosen.length === 0 ? items.slice(0, 1) : chosen;
}
