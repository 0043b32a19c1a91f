import { counted } from '../../judge/wording.ts';
import type { ScenarioDocument } from '../language/document/problem.ts';
import { formatSpan } from '../language/document/quantity.ts';
import { traceLimits } from '../limits.ts';
import type { ConnectionGap, Connectivity, PartOutage } from './connectivity.ts';
import type { TracedRun } from './read.ts';
import type { RowOf } from './rows.ts';

/** A scenario made of a trace. */
export interface ScenarioOfTrace {
  readonly document: ScenarioDocument;
  /** The number of omitted spans. */
  readonly leftOut: number;
  /** What happened in the run and is not in the scenario, in lines for people. */
  readonly notTaken: readonly string[];
}

type VehicleRow = RowOf<'vehicle'>;

interface TracedGroup {
  readonly vehicles: readonly VehicleRow[];
  readonly document: Readonly<Record<string, unknown>>;
}

/**
 * All actions of a run as a scenario that repeats them; undefined: the trace lacks them, as those of earlier versions
 * do. For a virtual run it is the same run, to the hash. Over sockets a step begins when it really began: its waits
 * there took a time of their own.
 */
export function wholeScenarioOf({ header, beginMs, stepsBeganMs }: TracedRun): ScenarioDocument | undefined {
  const { document, scenario, seed, world } = header;
  if (document === undefined) return undefined;
  const steps = (document['steps'] as readonly Readonly<Record<string, unknown>>[]).map((step, index) => {
    const beganMs = stepsBeganMs.get(index);
    if (world === 'virtual' || beganMs === undefined) return step;
    const { label, at: _at, after: _after, delay, ...rest } = step;
    // Of a step with a trigger it is counted from that.
    const late = rest['when'] === undefined || delay === undefined ? {} : { delay };
    const at = formatSpan(Math.max(0, Math.round(beganMs - beginMs)));
    return { ...(label === undefined ? {} : { label }), at, ...late, ...rest };
  });
  return {
    ...document,
    name: fromTraceName(scenario),
    about: `All that was done in a run of ${scenario} with the seed ${seed}, made from its trace.`,
    steps,
  };
}

function fromTraceName(scenario: string): string {
  return `${scenario.slice(0, 52)}-from-trace`;
}

/** The connectivity of a run as a scenario: the same fleet, with the same outages of the same length. */
export function scenarioOfRun({ header, beginMs, endMs, connectivity: seen }: TracedRun): ScenarioOfTrace {
  const groups = groupsOf(seen.vehicles, seen.droveOff);
  const numbers = new Map(
    groups.flatMap(({ vehicles }) => vehicles).map(({ vehicle }, at) => [vehicle, at + 1]),
  );
  const spans = [...groupedGaps(seen.gaps), ...seen.outages.map((down) => ({ ...down, vehicles: [] }))]
    .filter(({ toMs }) => toMs >= beginMs)
    .map((span) => ({ ...span, fromMs: Math.max(span.fromMs, beginMs) }));
  const steps = spans
    .flatMap((span) => {
      const atMs = span.fromMs - beginMs;
      const lastsMs = span.toMs - span.fromMs;
      return selectionsOf(span.vehicles, groups, numbers).map((on) => ({
        atMs,
        lastsMs,
        on,
        deed: faultActionOf(span, lastsMs),
      }));
    })
    .sort((one, other) => other.lastsMs - one.lastsMs);
  const kept = steps.slice(0, traceLimits.steps).sort((one, other) => one.atMs - other.atMs);
  return {
    leftOut: steps.length - kept.length,
    notTaken: notTakenOf(seen, steps.length - kept.length),
    document: {
      name: fromTraceName(header.scenario),
      about: `The connectivity of a run of ${header.scenario} with the seed ${header.seed}, made from its trace.`,
      seed: Math.min(header.seed, 0xffff_ffff),
      fleet: groups.map(({ document }) => document),
      steps: [
        ...kept.map(({ atMs, on, deed }) => ({ at: formatSpan(atMs), ...on, ...deed })),
        seen.areAllReady
          ? { within: '10m', expect: { connected: true } }
          : { within: '10m', expect: { journal: { below: 1_000_000 } } },
      ],
      always: 'all',
      limits: { duration: formatSpan(Math.max(0, endMs - beginMs)) },
    },
  };
}

function notTakenOf({ otherFaults: others, acts, calls }: Connectivity, leftOut: number): readonly string[] {
  const listed = (of: ReadonlyMap<string, number>): string =>
    [...of].map(([name, count]) => (count === 1 ? name : `${name} (${count} times)`)).join(', ');
  return [
    ...(others.size === 0
      ? []
      : [`Not taken over, but for the connections that it cost: ${listed(others)}.`]),
    ...(acts.size === 0 ? [] : [`Not taken over, what was done to the vehicles: ${listed(acts)}.`]),
    ...(calls === 0 ? [] : [`Not taken over, what was asked of the service: ${counted(calls, 'call')}.`]),
    ...(leftOut === 0 ? [] : [`Not taken over, for want of room: ${leftOut} shorter losses of connections.`]),
  ];
}

/** Vehicles that are alike, as far as a scenario has room for groups. */
function groupsOf(vehicles: readonly VehicleRow[], drove: ReadonlySet<number>): readonly TracedGroup[] {
  const whole = (one: VehicleRow) => ({
    model: one.model,
    ...(one.firmware === undefined ? {} : { firmware: one.firmware }),
    ...rest(one),
  });
  const rest = (one: VehicleRow) => ({
    ...(one.box_id === undefined ? { maker: 'northwind' } : {}),
    ...(one.fleet === 'own' ? {} : { fleet: one.fleet }),
    ...(one.box_id !== undefined && (drove.has(one.vehicle) || one.driving === true)
      ? { driving: true }
      : {}),
  });
  const ways = [whole, (one: VehicleRow) => ({ model: one.model, ...rest(one) }), rest];
  for (const way of ways) {
    const groups = Map.groupBy(vehicles, (one) => JSON.stringify(way(one)));
    if (groups.size > traceLimits.groups && way !== rest) continue;
    return [...groups].map(([key, alike]) => ({
      vehicles: alike,
      document: { count: alike.length, ...(JSON.parse(key) as object) },
    }));
  }
  return [];
}

/** Those that lost it at the same time, to a tenth of a second, and regained it together. */
function groupedGaps(gaps: readonly ConnectionGap[]) {
  const tenth = (ms: number): number => Math.round(ms / 100);
  const alike = Map.groupBy(gaps, ({ word, fromMs, toMs }) => `${word} ${tenth(fromMs)} ${tenth(toMs)}`);
  return [...alike.values()].flatMap((some) => {
    const [first] = some;
    return first === undefined
      ? []
      : [{ ...first, name: first.word, detail: '', vehicles: some.map((one) => one.vehicle) }];
  });
}

/** As `on` names them: all, whole groups, and else one by one. None: a part of the service, which has no vehicle. */
function selectionsOf(
  vehicles: readonly number[],
  groups: readonly TracedGroup[],
  numbers: ReadonlyMap<number, number>,
): readonly Readonly<Record<string, unknown>>[] {
  if (vehicles.length === 0 || new Set(vehicles).size === numbers.size) return [{}];
  const left = new Set(vehicles);
  const whole = groups.flatMap((group, at) => {
    if (!group.vehicles.every(({ vehicle }) => left.has(vehicle))) return [];
    for (const { vehicle } of group.vehicles) left.delete(vehicle);
    return [{ on: `fleet-${at}` }];
  });
  return [...whole, ...[...left].map((vehicle) => ({ on: { box: numbers.get(vehicle) ?? 1 } }))];
}

function faultActionOf({ name, detail }: Pick<PartOutage, 'name' | 'detail'>, lastsMs: number) {
  if (name === 'cut') return { weather: 'cut' };
  const lasts = { for: formatSpan(Math.max(1, lastsMs)) };
  if (name === 'coverage') return { weather: { coverage: 'none' }, ...lasts };
  const [part = '', word = ''] = name.split(' ');
  const settings = settingsOf(detail);
  return { break: { [part]: { [word]: settings } }, ...(lastsMs === 0 ? {} : lasts) };
}

/** The settings of a fault, from its row; none where they are no map. */
function settingsOf(detail: string): object {
  try {
    const value: unknown = JSON.parse(detail);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {};
  } catch {
    return {};
  }
}
