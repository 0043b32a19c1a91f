import type { ProblemKind } from '../../../contract/problems.ts';
import { GOOD, NO_FAULT, type Phase, UNANSWERED } from '../../coverage/tables.ts';
import type { ScenarioDocument } from '../../language/document/problem.ts';
import { formatSpan } from '../../language/document/quantity.ts';
import type { WordTable } from '../../language/document/word-row.ts';
import { BREAKS } from '../../language/steps/breaks.ts';
import { CALLS, COMMAND_FOLDERS } from '../../language/steps/calls.ts';
import { WEATHER } from '../../language/steps/weather.ts';
import type { RandomSource } from '../../language/vary/draw.ts';
import { type DrawnPart, drawnOne, drawnSettings } from '../../language/vary/step-action.ts';
import { exploreLimits } from '../../limits.ts';
import type { CanLead, CellAim } from '../unmet-cells.ts';
import { command } from './aimed-row.ts';
import { firmwareOf, type LeadContext, PROBLEM_LEADS, type StateLead, stateLeadOf } from './cell-leads.ts';
import type { TimedStep } from './operation.ts';
import { READ_PATHS } from './uses.ts';
import { NOT_FOR_ANYBODY } from './workload.ts';

/**
 * The document with further steps that aim at cells of the coverage that no run has met so far. Each aim has a
 * vehicle of its own, so that its steps affect nothing else.
 */
export function withUnmetCells(
  source: RandomSource,
  document: ScenarioDocument,
  aims: readonly CellAim[],
  lengthMs: number,
): ScenarioDocument {
  const fleet = [...(document['fleet'] as readonly DrawnPart[])];
  const steps: DrawnPart[] = [...(document['steps'] as readonly DrawnPart[])];
  for (const [index, aim] of aims.entries()) {
    const as = `led-${index + 1}`;
    const group = { as, count: 1, ...groupOf(source, aim) };
    fleet.push(group);
    const atMs = source.whole(
      exploreLimits.settledMs,
      Math.max(exploreLimits.settledMs, Math.floor(lengthMs / 2)),
    );
    const led = stepsOf(source, aim, { atMs, on: { on: { group: as, box: 1 } } });
    const inOrder = led.toSorted((one, other) => one.atMs - other.atMs);
    steps.push(
      ...inOrder.map(({ atMs: ms, step }) => ({ at: formatSpan(Math.max(0, Math.round(ms))), ...step })),
    );
  }
  return { ...document, fleet, steps };
}

/** Whether steps can aim at a cell at all. The result, such as the answer of a box, depends on chance. */
export const canLead: CanLead = (table, led, other) => {
  switch (table) {
    case 'model':
    case 'firmware':
      return isAsked(other);
    case 'problem':
      return isAsked(other) && (led === GOOD || led === UNANSWERED || led in PROBLEM_LEADS);
    case 'cause':
      return other in PROBLEM_LEADS && (led === NO_FAULT || faultOf(led) !== undefined);
    case 'phase':
      return faultOf(led) !== undefined;
    default:
      return isAsked(other) && stateLeadOf(table, led) !== undefined;
  }
};

/** A suspended card stays suspended: only a step that activates it again may suspend it. */
function isAsked(name: string): boolean {
  return COMMAND_FOLDERS.has(name) && name !== 'request-sim-suspension';
}

/** A vehicle that drives and reports each second: without receipts its journal fills within a minute. */
const OFTEN_TOLD = { driving: true, features: { tracking: { time_interval_in_seconds: 1 } } };

function groupOf(source: RandomSource, { table, led }: CellAim): DrawnPart {
  if (table === 'model') return { model: led };
  if (table === 'firmware') return { firmware: firmwareOf(source, led) };
  if (table === 'phase') return OFTEN_TOLD;
  return stateLeadOf(table, led)?.group?.(source, led) ?? {};
}

function stepsOf(source: RandomSource, aim: CellAim, context: LeadContext): readonly TimedStep[] {
  switch (aim.table) {
    case 'problem':
      return answersOf(source, aim, context);
    case 'cause':
      return causesOf(source, aim, context);
    case 'phase':
      return phasesOf(source, aim, context);
    default:
      return commandsIn(source, stateLeadOf(aim.table, aim.led) ?? {}, aim.others, context);
  }
}

/** Steps for each of these names, in sequence, with some time between them. */
function inTurn(
  source: RandomSource,
  firstMs: number,
  names: readonly string[],
  stepsAt: (atMs: number, name: string) => readonly TimedStep[],
): readonly TimedStep[] {
  let atMs = firstMs;
  const times = names.map((_, index) => {
    if (index > 0) atMs += source.whole(exploreLimits.cellGapLeastMs, exploreLimits.cellGapMostMs);
    return atMs;
  });
  return names.flatMap((name, index) => stepsAt(times[index] ?? firstMs, name));
}

/** Commands for a vehicle in a state. */
function commandsIn(
  source: RandomSource,
  { begin, each, firstMs = 0 }: StateLead,
  names: readonly string[],
  { atMs, on }: LeadContext,
): readonly TimedStep[] {
  const asked = inTurn(source, atMs + firstMs, names, (ms, name) => [
    ...(each?.(source, { atMs: ms, on }) ?? []),
    { atMs: ms, step: { ...on, ...command(name) } },
  ]);
  const untilMs = (asked.at(-1)?.atMs ?? atMs) + exploreLimits.cellGapMostMs;
  return [...(begin?.(source, { atMs, on }, untilMs) ?? []), ...asked];
}

/** Commands that get one kind of answer. */
function answersOf(
  source: RandomSource,
  { led, others }: CellAim,
  { atMs, on }: LeadContext,
): readonly TimedStep[] {
  return inTurn(source, atMs, others, (ms, name) => {
    const call = { atMs: ms, step: { ...on, ...command(name) } };
    if (led === UNANSWERED) {
      const crash = { break: { backend: { crash: {} } }, for: '2s' };
      return [call, { atMs: ms + source.whole(1, 30), step: crash }];
    }
    return PROBLEM_LEADS[led as ProblemKind]?.({ atMs: ms, on }, name, source) ?? [call];
  });
}

/** Calls that are answered with problems while one fault is active, or just after it. */
function causesOf(
  source: RandomSource,
  { led, others }: CellAim,
  { atMs, on }: LeadContext,
): readonly TimedStep[] {
  return inTurn(source, atMs, others, (ms, problem) => {
    const asked = drawnOne(source, ['request-vehicle-state', 'lock-central-lock', 'activate-workshop-mode']);
    return [
      ...faultAt(source, led, { atMs: ms - source.whole(1, 1_500), on }),
      ...(PROBLEM_LEADS[problem as ProblemKind]?.({ atMs: ms, on }, asked, source) ?? []),
    ];
  });
}

/** One fault, repeatedly, each time in another state of the run. */
function phasesOf(
  source: RandomSource,
  { led, others }: CellAim,
  { atMs, on }: LeadContext,
): readonly TimedStep[] {
  return inTurn(source, atMs, others, (ms, phase) => {
    const { steps, mostMs } = UNDER_WAY[phase as Phase](source, { atMs: ms, on });
    return [...steps, ...faultAt(source, led, { atMs: ms + source.whole(1, mostMs), on })];
  });
}

/**
 * The start of something that lasts about this long. A slow store keeps calls open that are otherwise answered
 * immediately.
 */
interface UnderWay {
  readonly steps: readonly TimedStep[];
  readonly mostMs: number;
}

const UNDER_WAY: Readonly<Record<Phase, (source: RandomSource, context: LeadContext) => UnderWay>> = {
  'a command': (_, { atMs, on }) => ({
    steps: [{ atMs, step: { ...on, ...command('request-vehicle-state') } }],
    mostMs: 120,
  }),
  'a configuration': (source, { atMs, on }) => ({
    steps: [
      {
        atMs,
        step: { ...on, call: { configure: { tracking: { time_interval_in_seconds: source.whole(5, 60) } } } },
      },
    ],
    mostMs: 120,
  }),
  'a bulk job': (source, { atMs, on }) => ({
    steps: [slowStore(atMs), { atMs, step: { ...on, call: { bulk: drawnSettings(source, CALLS.bulk) } } }],
    mostMs: 500,
  }),
  'another call': (_, { atMs, on }) => ({
    steps: [slowStore(atMs), { atMs, step: { ...on, call: { get: READ_PATHS[0] } } }],
    mostMs: 500,
  }),
  connecting: (_, { atMs, on }) => ({
    steps: [
      { atMs: atMs - 500, step: { ...on, weather: { latency: { base: '1500ms' } }, for: '10s' } },
      { atMs, step: { ...on, weather: { cut: {} } } },
    ],
    mostMs: 5_000,
  }),
  'frames without receipt': (_, { atMs }) => ({
    steps: [{ atMs: atMs - 30_000, step: { break: { backend: { stall: {} } }, for: '40s' } }],
    mostMs: 10_000,
  }),
  nothing: () => ({ steps: [], mostMs: 5_000 }),
};

function slowStore(atMs: number): TimedStep {
  return { atMs: atMs - 200, step: { break: { store: { slow: { by: '400ms' } } }, for: '2s' } };
}

/**
 * A fault by its name in the coverage, `weather cut` or `broker restart`, on this vehicle if it applies to vehicles.
 */
function faultAt(source: RandomSource, name: string, { atMs, on }: LeadContext): readonly TimedStep[] {
  const fault = faultOf(name);
  if (fault === undefined) return [];
  const { part, word, row } = fault;
  const settings = drawnSettings(source, row);
  const lasts =
    row.lasts === true
      ? { for: formatSpan(source.whole(exploreLimits.cellFaultLeastMs, exploreLimits.cellFaultMostMs)) }
      : {};
  const action =
    part === 'weather' ? { weather: { [word]: settings } } : { break: { [part]: { [word]: settings } } };
  return [{ atMs, step: { ...(part === 'weather' || part === 'box' ? on : {}), ...action, ...lasts } }];
}

/** A fault that any run may have: not one that breaks promises to others, or needs several backends. */
function faultOf(name: string) {
  const [part = '', word = ''] = name.split(' ');
  if (NOT_FOR_ANYBODY.has(name)) return undefined;
  const table = (part === 'weather' ? WEATHER : BREAKS[part as keyof typeof BREAKS]) as WordTable | undefined;
  const row = table?.[word];
  return row?.worlds.virtual === true ? { part, word, row } : undefined;
}
