import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { ALWAYS_ASKED, CHECKER_NAMES, EVERY_CHECKER } from '../../../judge/checkers.ts';
import type { JsonObject } from '../../../world/json.ts';
import { languageLimits } from '../../limits.ts';
import { EXPECTATIONS, type Expectation } from '../expectations/expectations.ts';
import { BREAKS } from '../steps/breaks.ts';
import { CALLS, features } from '../steps/calls.ts';
import type { GeoPlace } from '../steps/geo-place.ts';
import { TRIGGERS, type Trigger } from '../steps/triggers.ts';
import { VEHICLE_ACTS } from '../steps/vehicle-acts.ts';
import { WEATHER } from '../steps/weather.ts';
import { printVaried } from '../vary/vary.ts';
import { takesNothing } from './keyed.ts';
import { usualGroupName } from './normalise.ts';
import type { ScenarioDocument } from './problem.ts';
import { formatSpan } from './quantity.ts';
import type { FleetGroup, Repeat, Scenario, Selection, Step, StepAction } from './scenario.ts';
import type { WordRow } from './word-row.ts';

/**
 * A scenario as written by hand: spans as text, defaults omitted. Reading it gives the same scenario again. Throws
 * for a scenario that reading could not have given.
 */
export function toDocument(scenario: Scenario): ScenarioDocument {
  const { name, about, seed, clients, always, vary } = scenario;
  const { durationMs, healMs } = scenario.limits;
  const bounds = {
    ...(durationMs === undefined ? {} : { duration: formatSpan(durationMs) }),
    ...(healMs === languageLimits.usualHealMs ? {} : { heal: formatSpan(healMs) }),
  };
  return {
    name,
    about,
    seed,
    fleet: scenario.fleet.map(writtenGroup),
    ...(clients.length === 0
      ? {}
      : {
          clients: clients.map(({ fleet, ...rest }) => ({ ...rest, ...(fleet === 'own' ? {} : { fleet }) })),
        }),
    steps: scenario.steps.map(writtenStep),
    always:
      always.length === CHECKER_NAMES.length ? EVERY_CHECKER : always.filter((one) => !ALWAYS_ASKED.has(one)),
    ...(vary.length === 0
      ? {}
      : { vary: Object.fromEntries(vary.map(({ path, values }) => [path, printVaried(values)])) }),
    ...(scenario.isStrict === true ? { strict: true } : {}),
    ...(scenario.backends === undefined ? {} : { backends: scenario.backends }),
    ...(scenario.rateLimit === undefined ? {} : { rate_limit: scenario.rateLimit }),
    ...(Object.keys(bounds).length === 0 ? {} : { limits: bounds }),
  };
}

function writtenGroup(group: FleetGroup, index: number): JsonObject {
  const { as, count, model, firmware, sim, maker, generation, route } = group;
  const given = group.features;
  const active = given === 'demo' || Object.keys(given).length === 0 ? undefined : written(features, given);
  return defined({
    as: as === usualGroupName(index) ? undefined : as,
    count,
    model,
    firmware,
    sim,
    maker,
    generation,
    hardware_revision: group.hardwareRevision,
    route,
    recorded_drive: group.recordedDrive,
    drive_columns: group.driveColumns,
    driving: group.isDriving,
    features: given === 'demo' ? undefined : (active ?? 'none'),
    maintenance: group.isMaintained ? true : undefined,
    on_shelf: group.isOnShelf ? true : undefined,
    fleet: group.fleet === 'own' ? undefined : group.fleet,
    journal_records: group.journalRecords,
    mqtt_session: group.mqttSession,
    radio: group.radio,
  });
}

function writtenStep(step: Step): JsonObject {
  const { label, when, trigger, repeat, forMs, on, place, does, expect, never, withinMs } = step;
  const { delayMs } = { delayMs: 0, ...when, ...trigger };
  const expects = expect.length + never.length > 0;
  return defined({
    label,
    at: 'atMs' in when ? formatSpan(when.atMs) : undefined,
    after: 'after' in when ? when.after : undefined,
    when: trigger === undefined ? undefined : writtenTrigger(trigger),
    delay: delayMs > 0 ? formatSpan(delayMs) : undefined,
    repeat: repeat === undefined ? undefined : writtenRepeat(repeat),
    within: expects && withinMs !== languageLimits.usualWithinMs ? formatSpan(withinMs) : undefined,
    on: writtenSelection(on),
    in: place === undefined ? undefined : writtenPlace(place),
    ...(does === undefined ? {} : writtenAction(does)),
    for: forMs === undefined ? undefined : formatSpan(forMs),
    expect: writtenExpectations(expect),
    never: writtenExpectations(never),
  });
}

function writtenTrigger({ name, settings, of, withinMs }: Trigger): JsonObject {
  return defined({
    [name]: written(TRIGGERS[name].settings, settings),
    of: of === 'same' || name === 'point' ? undefined : of,
    within: withinMs === languageLimits.usualTriggerMs ? undefined : formatSpan(withinMs),
  });
}

function writtenRepeat(repeat: Repeat): JsonObject {
  return {
    every: formatSpan(repeat.everyMs),
    ...('times' in repeat ? { times: repeat.times } : { for: formatSpan(repeat.forMs) }),
  };
}

function writtenSelection({ group, pick }: Selection): unknown {
  if (pick === 'all') return group;
  const { sameAs, othersThan, ...rest } = pick as JsonObject;
  return defined({ group, ...rest, same_as: sameAs, others_than: othersThan });
}

function writtenPlace(place: GeoPlace): JsonObject {
  if ('polygon' in place)
    return { polygon: place.polygon.map(({ latitude, longitude }) => [latitude, longitude]) };
  const { latitude, longitude } = place.around;
  return { around: [latitude, longitude], radius_m: place.radiusM };
}

function writtenAction(action: StepAction): JsonObject {
  switch (action.kind) {
    case 'vehicle': {
      const { name, settings } = action.act;
      return { [name]: written(VEHICLE_ACTS[name].settings, settings) };
    }
    case 'call': {
      const { name, settings, as, bearer, remember } = action.call;
      const call = writtenRow(CALLS[name], name, settings);
      if (as === undefined && bearer === undefined && remember === undefined) return { call };
      return {
        call: defined({
          ...(typeof call === 'string' ? { [call]: {} } : (call as JsonObject)),
          as,
          bearer,
          remember,
        }),
      };
    }
    case 'weather': {
      const { name, settings } = action.weather;
      return { weather: writtenRow(WEATHER[name], name, settings) };
    }
    case 'break': {
      const { part, name, settings } = action.break;
      const table: Readonly<Record<string, WordRow>> = BREAKS[part];
      return { break: { [part]: writtenRow(table[name], name, settings) } };
    }
    default:
      return action satisfies never;
  }
}

/** A word with its settings, or the word alone where all of them are at their defaults. */
function writtenRow(row: WordRow | undefined, name: string, settings: unknown): unknown {
  if (row === undefined) throw new Error(`There is no ${name} in the scenario language.`);
  const given = written(row.settings, settings);
  const isEmpty = typeof given === 'object' && given !== null && Object.keys(given).length === 0;
  return isEmpty && takesNothing(row) ? name : { [name]: given };
}

function writtenExpectations(list: readonly Expectation[]): unknown {
  const kinds = Object.keys(EXPECTATIONS);
  const maps = list.map(({ kind, ...words }) => written(EXPECTATIONS[kind].settings, words) as JsonObject);
  // Of different kinds, in the order of the table: the reader takes them from one map in that order.
  const isOneMap = list.every(({ kind }, index) => {
    const next = list[index + 1];
    return next === undefined || kinds.indexOf(kind) < kinds.indexOf(next.kind);
  });
  if (list.length === 0) return undefined;
  return isOneMap ? Object.assign({}, ...maps) : maps;
}

/** A value as read, as it is written; defaults are omitted. */
function written(schema: z.ZodType, value: unknown): unknown {
  const whole: unknown = z.encode(schema, value);
  const isSame = (candidate: unknown): boolean => {
    const read = schema.safeParse(candidate);
    return read.success && isDeepStrictEqual(read.data, value);
  };
  return isSame(whole) ? pruned(whole, isSame) : whole;
}

function pruned(value: unknown, isSame: (candidate: unknown) => boolean): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  let left: JsonObject = value as JsonObject;
  for (const [key, one] of Object.entries(value)) {
    const { [key]: _, ...others } = left;
    if (isSame(others)) left = others;
    else left = { ...left, [key]: pruned(one, (candidate) => isSame({ ...left, [key]: candidate })) };
  }
  return left;
}

function defined(values: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}
