import { BREAKS } from './breaks.ts';
import { CALLERS, CALLS } from './calls.ts';
import { CHECKER_NAMES } from './checkers.ts';
import type { Chance } from './draw.ts';
import { EXPECTATIONS, type ExpectationKind } from './expectations.ts';
import { fromSchema } from './from-schema.ts';
import type { Document } from './problem.ts';
import { formatSpan } from './quantity.ts';
import type { Row, Table } from './row.ts';
import { groupSchema } from './schema.ts';
import { VEHICLE_ACTS } from './vehicle-acts.ts';
import { WEATHER } from './weather.ts';

type Loose = Readonly<Record<string, unknown>>;

/** What a drawn scenario may be made of. Names are those of the tables. */
export interface Menu {
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
export const WHOLE_MENU: Menu = {
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
export function generateDocument(chance: Chance, name: string, menu: Menu = WHOLE_MENU): Document {
  const fleet = Array.from({ length: chance.whole(1, 3) }, (_, index) => groupOf(chance, index, menu));
  const labels: string[] = [];
  const steps: Loose[] = [];
  const count = chance.whole(1, menu.mostSteps);
  for (let index = 0; index < count; index += 1) {
    const step = stepOf(chance, { menu, labels: [...labels], groups: fleet.map(({ as }) => String(as)) });
    const label = chance.whole(0, 2) === 2 ? `step-${index}` : undefined;
    if (label !== undefined) labels.push(label);
    steps.push(label === undefined ? step : { label, ...step });
  }
  const seed = chance.whole(0, 0xffff_ffff);
  const always = chance.whole(0, 3) > 0 ? ['all'] : some(chance, CHECKER_NAMES);
  // Drawn last: scenarios of before there were roads stay what they were.
  const onRoad = fleet.map((group) => (chance.whole(0, 3) === 3 ? { ...group, radio: 'road' } : group));
  return { name, about: 'Drawn from a seed.', seed, fleet: onRoad, steps, always };
}

const groupBesideRadio = groupSchema.omit({ radio: true });

function groupOf(chance: Chance, index: number, menu: Menu): Loose {
  const drawn = fromSchema(groupBesideRadio, chance) as Loose;
  const { maker: _maker, hardware_revision: _revision, count: _count, model, ...rest } = drawn;
  const models = Object.keys(drawn).includes('model') && !MAKERS_OWN.has(String(model)) ? { model } : {};
  return { ...rest, ...models, as: `group-${index}`, count: chance.whole(1, menu.mostVehicles) };
}

const MAKERS_OWN: ReadonlySet<string> = new Set(['electric-estate', 'electric-scooter']);

interface Context {
  readonly menu: Menu;
  /** Of the steps before. */
  readonly labels: readonly string[];
  readonly groups: readonly string[];
}

function stepOf(chance: Chance, context: Context): Loose {
  const { menu, labels, groups } = context;
  const { deed, lasts, answers } = deedOf(chance, menu);
  const after = labels.length > 0 && chance.whole(0, 3) === 3 ? pick(chance, labels) : undefined;
  const begins = chance.whole(0, 4);
  const delay = begins === 4 ? { delay: spanOf(chance, 60_000) } : {};
  const when =
    after !== undefined ? { after, ...delay } : begins < 3 ? { at: spanOf(chance, menu.longestMs) } : delay;
  const kinds = menu.expectations.filter((kind) => answers.has(kind));
  const expects = kinds.length > 0 && chance.whole(0, 3) === 3;
  return {
    ...when,
    ...onOf(chance, labels, groups),
    ...deed,
    ...(lasts && chance.whole(0, 4) > 0 ? { for: spanOf(chance, 600_000) } : {}),
    ...(expects
      ? { within: spanOf(chance, 120_000), expect: expectationOf(chance, pick(chance, kinds)) }
      : {}),
  };
}

function onOf(chance: Chance, labels: readonly string[], groups: readonly string[]): Loose {
  switch (chance.whole(0, 6)) {
    case 2:
      return { on: pick(chance, groups) };
    case 3:
      return { on: { box: 1 } };
    case 4:
      return { on: { fraction: chance.whole(1, 10) / 10 } };
    case 5:
      return { on: { group: pick(chance, groups), count: chance.whole(1, 3) } };
    case 6:
      return labels.length === 0 ? {} : { on: { same_as: pick(chance, labels) } };
    default:
      return {};
  }
}

interface DrawnDeed {
  readonly deed: Loose;
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

function deedOf(chance: Chance, menu: Menu): DrawnDeed {
  const kinds = [
    ...(menu.acts.length > 0 ? ['act'] : []),
    ...(menu.weather.length > 0 ? ['weather'] : []),
    ...(menu.calls.length > 0 ? ['call'] : []),
    ...(Object.keys(menu.breaks).length > 0 ? ['break'] : []),
  ];
  const answers = new Set<string>([...ALWAYS_POSSIBLE, 'message', 'vehicle', 'feature']);
  switch (pick(chance, kinds)) {
    case 'act': {
      const names = menu.acts.filter((name) => VEHICLE_ACTS[name]?.of.includes('box'));
      const name = pick(chance, names);
      if (name === 'bluetooth') answers.add('phone');
      return { deed: { [name]: settingsOf(VEHICLE_ACTS[name], chance) }, lasts: false, answers };
    }
    case 'weather': {
      const { name, row } = rowOf(chance, WEATHER, menu.weather);
      return { deed: { weather: { [name]: settingsOf(row, chance) } }, lasts: row?.lasts === true, answers };
    }
    case 'call': {
      const { name, row } = rowOf(chance, CALLS, menu.calls);
      const as = chance.whole(0, 4) === 4 ? { as: pick(chance, Object.keys(CALLERS)) } : {};
      const settings = name === 'share' ? 'partner' : settingsOf(row, chance);
      for (const kind of ['answer', 'took']) answers.add(kind);
      return { deed: { call: { [name]: settings, ...as } }, lasts: false, answers };
    }
    default: {
      const part = pick(chance, Object.keys(menu.breaks)) as keyof typeof BREAKS;
      const { name, row } = rowOf(chance, BREAKS[part], menu.breaks[part] ?? []);
      const deed = { break: { [part]: { [name]: settingsOf(row, chance) } } };
      return { deed, lasts: row?.lasts === true, answers };
    }
  }
}

/** Settings of a row: its example as often as something drawn, since texts are meant for something. */
function settingsOf(row: Row | undefined, chance: Chance): unknown {
  if (row === undefined) return {};
  return chance.whole(0, 1) === 0 ? row.example : fromSchema(row.settings, chance, row.example);
}

function expectationOf(chance: Chance, kind: string): unknown {
  const row = EXPECTATIONS[kind as ExpectationKind];
  if (chance.whole(0, 1) === 0) return row.example;
  const expectation = withoutLabels(fromSchema(row.settings, chance, row.example) as Loose);
  return Object.keys(expectation).length === 0 ? row.example : expectation;
}

/** Without the names of other steps, of which a schema knows nothing. */
function withoutLabels({ of: _of, ...expectation }: Loose): Loose {
  const { with: condition, bulk } = expectation as Readonly<Record<string, Loose | undefined>>;
  const { occurred_during: _during, ...conditions } = condition ?? {};
  const { job: _job, ...counts } = bulk ?? {};
  return {
    ...expectation,
    ...(condition === undefined ? {} : { with: conditions }),
    ...(bulk === undefined ? {} : { bulk: counts }),
  };
}

function rowOf(
  chance: Chance,
  table: Table,
  names: readonly string[],
): { readonly name: string; readonly row: Row | undefined } {
  const name = pick(chance, names);
  return { name, row: table[name] };
}

function spanOf(chance: Chance, mostMs: number): string {
  return formatSpan(chance.whole(0, Math.floor(mostMs / 1_000)) * 1_000);
}

function some<T>(chance: Chance, items: readonly T[]): readonly T[] {
  const chosen = items.filter(() => chance.whole(0, 1) === 1);
  return chosen.length === 0 ? items.slice(0, 1) : chosen;
}

function pick<T>(chance: Chance, items: readonly T[]): T {
  const item = items[chance.whole(0, items.length - 1)];
  if (item === undefined) throw new Error('There is nothing to draw from.');
  return item;
}
