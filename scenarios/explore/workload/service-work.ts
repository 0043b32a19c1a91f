import type { ScenarioDocument } from '../../language/document/problem.ts';
import { formatSpan } from '../../language/document/quantity.ts';
import type { RandomSource } from '../../language/vary/draw.ts';
import type { GeneratorOptions } from '../../language/vary/generate.ts';
import { type DrawnPart, drawnOne } from '../../language/vary/step-action.ts';
import { exploreLimits } from '../../limits.ts';
import { HALF_DAY } from './job-operations.ts';
import type { TimedStep } from './operation.ts';
import type { ServiceOperationRow } from './service-operation.ts';
import { SERVICE_OPERATION_NAMES, SERVICE_OPERATIONS } from './service-operations.ts';

/**
 * The document with work that tests a promise of the service. In most runs it is one operation among all other drawn
 * work. Every third run is a quiet one: nothing else happens in it, so that a wrong result is not attributed to a
 * fault; and some of these last half a day. The first operation changes with each run: none depends on chance.
 */
export function withServiceWork(
  source: RandomSource,
  document: ScenarioDocument,
  { run, lengthMs }: { readonly run: number; readonly lengthMs: number },
): ScenarioDocument {
  const turn = Math.floor(run / exploreLimits.quietEvery);
  if (run % exploreLimits.quietEvery !== 0) {
    const [first] = named(run + turn);
    return joined(document, [
      drawn(
        source,
        first,
        source.whole(exploreLimits.settledMs, Math.max(lengthMs, 2 * exploreLimits.settledMs)),
        1,
      ),
    ]);
  }
  const { fleet: _fleet, clients: _clients, steps: _steps, ...rest } = document;
  const empty = { ...rest, fleet: [], clients: [], steps: [] };
  if (turn % exploreLimits.longEvery === 0)
    return joined(empty, [drawn(source, HALF_DAY, exploreLimits.settledMs, 1)]);
  const others = Array.from({ length: exploreLimits.quietOperations - 1 }, () =>
    drawnOne(source, SERVICE_OPERATION_NAMES),
  );
  const rows = [...named(turn), ...others.map((name) => SERVICE_OPERATIONS[name])];
  // In sequence, with some time between: the effects of one are over when the next begins.
  let atMs: number = exploreLimits.settledMs;
  const all = rows.map((row, index) => {
    const part = drawn(source, row, atMs, index + 1);
    const endMs = Math.max(...part.steps.map(({ atMs: beginsMs, step }) => beginsMs + lastsMs(step)));
    atMs = endMs + exploreLimits.quietGapMs;
    return part;
  });
  return joined(empty, all);
}

function named(place: number): readonly [ServiceOperationRow] {
  const name = SERVICE_OPERATION_NAMES[place % SERVICE_OPERATION_NAMES.length];
  return [name === undefined ? HALF_DAY : SERVICE_OPERATIONS[name]];
}

interface DrawnWork {
  readonly group: DrawnPart;
  readonly clients: readonly DrawnPart[];
  readonly steps: readonly TimedStep[];
}

function drawn(source: RandomSource, row: ServiceOperationRow, atMs: number, number: number): DrawnWork {
  const as = `service-${number}`;
  const {
    group,
    clients = [],
    steps,
  } = row.draw({
    source,
    atMs,
    on: { on: { group: as } },
    nameOf: (what) => `${what}${number}`,
  });
  return { group: { as, ...group }, clients, steps };
}

function joined(document: ScenarioDocument, work: readonly DrawnWork[]): ScenarioDocument {
  const list = (name: string): readonly DrawnPart[] => (document[name] ?? []) as readonly DrawnPart[];
  const steps = work
    .flatMap((one) => one.steps)
    .toSorted((one, other) => one.atMs - other.atMs)
    .map(({ atMs, step }) => ({ at: formatSpan(atMs), ...step }));
  return {
    ...document,
    fleet: [...list('fleet'), ...work.map(({ group }) => group)],
    clients: [...list('clients'), ...work.flatMap(({ clients }) => clients)],
    steps: [...list('steps'), ...steps],
  };
}

function lastsMs(step: DrawnPart): number {
  const span = /^(\d+)(ms|s)$/.exec(String(step['for'] ?? ''));
  return span === null ? 0 : Number(span[1]) * (span[2] === 's' ? 1_000 : 1);
}

/** The options with the faults of the document. */
export function withFaultsOf(options: GeneratorOptions, document: ScenarioDocument): GeneratorOptions {
  const weather = new Set(options.weather);
  const breaks = new Map(Object.entries(options.breaks).map(([part, names]) => [part, new Set(names)]));
  for (const step of document['steps'] as readonly Readonly<Record<string, DrawnPart | undefined>>[]) {
    for (const name of Object.keys(step['weather'] ?? {})) weather.add(name);
    for (const [part, names] of Object.entries(step['break'] ?? {}))
      for (const name of Object.keys(names as object))
        breaks.set(part, (breaks.get(part) ?? new Set()).add(name));
  }
  return {
    ...options,
    weather: [...weather],
    breaks: Object.fromEntries([...breaks].map(([part, names]) => [part, [...names]])),
  };
}
