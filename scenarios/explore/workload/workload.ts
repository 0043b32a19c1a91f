import { knownModelNames } from '../../../protocol/models/known-models.ts';
import type { ScenarioDocument } from '../../language/document/problem.ts';
import { formatSpan } from '../../language/document/quantity.ts';
import type { BreakKey } from '../../language/steps/breaks.ts';
import { COMMAND_FOLDERS } from '../../language/steps/calls.ts';
import type { RandomSource } from '../../language/vary/draw.ts';
import type { GeneratorOptions } from '../../language/vary/generate.ts';
import {
  type DrawnAction,
  type DrawnPart,
  drawnBreak,
  drawnOne,
  drawnWeather,
} from '../../language/vary/step-action.ts';
import { exploreLimits } from '../../limits.ts';
import type { DrawnGroup, OperationContext, TimedStep } from './operation.ts';
import { OPERATION_NAMES, type OperationName } from './operation-names.ts';
import { OPERATIONS } from './operations.ts';

/** How long a run is, and how dense its events are. */
export const PACES = {
  minutes: { lengthMs: 120_000, gapMs: 3_000, share: 4 },
  'half-hour': { lengthMs: 20 * 60_000, gapMs: 40_000, share: 4 },
  hours: { lengthMs: 2 * 3_600_000, gapMs: 300_000, share: 2 },
} as const;

export type PaceName = keyof typeof PACES;

/** The choices for the work of one run. */
export interface WorkMenu {
  readonly pace: PaceName;
  readonly operations: readonly OperationName[];
}

/** Draws a pace and some of the operations: each by its own coin, except for the requested one. */
export function drawWorkMenu(source: RandomSource, focus: OperationName | undefined): WorkMenu {
  const operations = OPERATION_NAMES.filter((name) => name === focus || source.whole(0, 1) === 1);
  return {
    pace: drawnByShare(source, Object.keys(PACES) as PaceName[], PACES),
    operations: operations.length === 0 ? ['commands'] : operations,
  };
}

/** The preferred model and command of a run: another pair in each run, until each command met each model. */
export interface PreferredCell {
  readonly model: string;
  readonly command: string;
}

/** The pair of a run, from 1. Chance alone would leave rare pairs out for thousands of runs. */
export function preferredCell(run: number): PreferredCell {
  const index = run - 1;
  const models = knownModelNames();
  const turn = Math.floor(index / models.length);
  return {
    model: models[index % models.length] ?? '',
    command: COMMANDS[((index % models.length) + turn * COMMAND_STEP) % COMMANDS.length] ?? '',
  };
}

/** Has no factor in common with the number of commands: so each model meets each, for any number of models. */
const COMMAND_STEP = 13;
const COMMANDS = [...COMMAND_FOLDERS.keys()].filter((name) => name !== 'request-sim-suspension');

/** Further clients of drawn scenarios. */
const CLIENTS = [
  { name: 'reader', permissions: ['vehicles.ro', 'vehicle-configuration.ro'] },
  { name: 'operator', permissions: ['vehicle-commands', 'vehicles.ro'] },
  { name: 'carrier', permissions: ['connectivity-commands'] },
  { name: 'manager', permissions: ['vehicles'] },
  { name: 'mechanic', permissions: ['vehicle-configuration', 'vehicle-configuration.ro'] },
] as const;

/**
 * The document with the work of a day in it: operations at a steady pace, and faults aimed at them, up to two at
 * each. All times are drawn in milliseconds. The content of the document stays.
 */
export function withWork(
  source: RandomSource,
  document: ScenarioDocument,
  menu: WorkMenu,
  options: GeneratorOptions,
  { focus, preferred }: { readonly focus: OperationName | undefined; readonly preferred: PreferredCell },
): ScenarioDocument {
  const fleet = (document['fleet'] as readonly DrawnPart[]).map((group, index) =>
    index === 0 && source.whole(0, 1) === 0 ? { ...group, model: preferred.model } : group,
  );
  // A large journal evicts nothing within hours.
  if (menu.operations.includes('outages'))
    for (const [index, group] of fleet.entries())
      if (!('journal_records' in group) && source.whole(0, 1) === 1)
        fleet[index] = { ...group, journal_records: source.whole(8, 40) };
  if (menu.operations.includes('onboarding')) fleet.push({ as: 'shelf', count: 2, on_shelf: true });
  if (menu.operations.includes('maker')) fleet.push({ as: 'maker', count: 1, maker: 'northwind' });
  if (source.whole(0, 2) === 2) fleet.push({ as: 'partner', count: 1, fleet: 'partner' });
  const groups = fleet.map(groupOf);
  const { lengthMs, gapMs } = PACES[menu.pace];
  const work: TimedStep[] = [];
  const count = source.whole(exploreLimits.leastOperations, exploreLimits.mostOperations);
  let atMs = 0;
  for (let number = 1; number <= count && atMs < lengthMs; number += 1) {
    // Often immediately, sometimes after a while: both happen.
    atMs += source.whole(0, source.whole(0, 3) === 0 ? gapMs * 4 : gapMs);
    const context = {
      atMs,
      gapMs,
      endMs: lengthMs,
      groups,
      acts: options.acts,
      breaks: options.breaks,
      number,
      preferred: preferred.command,
    };
    const steps = drawOperation(source, menu.operations, context, focus).filter(({ step }) =>
      isChosen(step, options),
    );
    work.push(...steps, ...aimedFaults(source, steps, gapMs, options));
  }
  const before = document['steps'] as readonly DrawnPart[];
  const steps = work
    .sort((one, other) => one.atMs - other.atMs)
    .slice(0, exploreLimits.swarmMostSteps)
    .map(({ atMs: ms, step }) => ({ at: formatSpan(Math.round(ms)), ...step }));
  const clients = CLIENTS.map(({ name, permissions }) => ({ name, permissions: [...permissions] }));
  return { ...document, fleet, clients, steps: [...before, ...steps] };
}

function groupOf(group: DrawnPart): DrawnGroup {
  const { as, count, maker, on_shelf, fleet } = group;
  const kind =
    maker !== undefined ? 'maker' : on_shelf === true ? 'shelf' : fleet === 'partner' ? 'partner' : 'box';
  return { as: String(as), count: Number(count ?? 1), kind };
}

function drawOperation(
  source: RandomSource,
  names: readonly OperationName[],
  context: OperationContext,
  focus: OperationName | undefined,
): readonly TimedStep[] {
  const among = names.filter((one) => suitable(one, context.groups).length > 0);
  if (among.length === 0) return [];
  const isFocus = focus !== undefined && among.includes(focus) && source.whole(0, 1) === 1;
  const name = isFocus ? focus : drawnByShare(source, among, OPERATIONS);
  const { as: group, count } = drawnOne(source, suitable(name, context.groups));
  const on = source.whole(0, 5) === 5 ? group : { group, box: source.whole(1, count) };
  return OPERATIONS[name].draw(source, context, { on });
}

/** Weather and breaks of an operation happen only in runs that have chosen them. */
export function isChosen(step: DrawnPart, { weather, breaks }: GeneratorOptions): boolean {
  const { weather: drawnWeatherPart, break: drawnBreakPart } = step as Readonly<
    Record<string, Readonly<Record<string, unknown>> | undefined>
  >;
  if (drawnWeatherPart !== undefined)
    return Object.keys(drawnWeatherPart).every((name) => weather.includes(name));
  return Object.entries(drawnBreakPart ?? {}).every(([part, names]) =>
    Object.keys(names as object).every((name) => breaks[part]?.includes(name) === true),
  );
}

/**
 * Reserved for operations: if a run could lose a queue or a client at any time, the service would promise nothing.
 * Breaks of one of several backends are where several are drawn.
 */
export const NOT_FOR_ANYBODY: ReadonlySet<string> = new Set<BreakKey>([
  'exchange queue-deleted',
  'access client-deleted',
  'access permissions-taken',
  'backend pause',
  'backend cut_off',
  'backend wake_ups_lost',
  'backend wake_ups_late',
]);

function suitable(name: OperationName, groups: readonly DrawnGroup[]): readonly DrawnGroup[] {
  return groups.filter(({ kind }) => OPERATIONS[name].needs.includes(kind));
}

/** One of the names, weighted by its share in the table. */
function drawnByShare<Name extends string>(
  source: RandomSource,
  names: readonly Name[],
  table: Readonly<Record<Name, { readonly share: number }>>,
): Name {
  return drawnOne(
    source,
    names.flatMap((name) => Array.from({ length: table[name].share }, () => name)),
  );
}

/**
 * Faults that coincide with the operation: just before it, so that they are active or armed when it comes (a message
 * to be lost, a point to crash at), or within the seconds after it began. They affect the same vehicle.
 */
function aimedFaults(
  source: RandomSource,
  steps: readonly TimedStep[],
  gapMs: number,
  { weather, breaks }: GeneratorOptions,
): readonly TimedStep[] {
  const [first] = steps;
  const kinds = [
    ...(weather.length > 0 ? ['weather'] : []),
    ...(Object.keys(breaks).length > 0 ? ['break'] : []),
  ];
  if (first === undefined || kinds.length === 0) return [];
  const count = [0, 0, 0, 1, 1, 2][source.whole(0, 5)] ?? 0;
  return Array.from({ length: count }, (): TimedStep => {
    const { atMs, step } = drawnOne(source, steps);
    const drawn: DrawnAction =
      drawnOne(source, kinds) === 'weather' ? drawnWeather(source, weather) : drawnBreak(source, breaks);
    const { on } = step;
    const lasting = drawn.lasts ? { for: formatSpan(source.whole(1, faultLengthMs(source, gapMs))) } : {};
    return {
      atMs: Math.max(0, atMs + momentMs(source)),
      step: { ...(on === undefined ? {} : { on }), ...drawn.action, ...lasting },
    };
  });
}

/** From just before the operation, in which case it is active, to a few seconds into it. */
function momentMs(source: RandomSource): number {
  switch (source.whole(0, 3)) {
    case 0:
      return -source.whole(1, 500);
    case 1:
      return source.whole(0, 100);
    case 2:
      return source.whole(0, 1_500);
    default:
      return source.whole(0, 8_000);
  }
}

/** Short ones are as likely as ones that outlast what they affect. */
function faultLengthMs(source: RandomSource, gapMs: number): number {
  return source.whole(0, 1) === 0 ? 5_000 : Math.min(gapMs * 3, exploreLimits.swarmLongestFaultMs);
}
