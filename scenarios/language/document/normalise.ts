import { ALWAYS_ASKED, CHECKER_NAMES, EVERY_CHECKER } from '../../../judge/checkers.ts';
import type { JsonObject } from '../../../world/json.ts';
import { languageLimits } from '../../limits.ts';
import { EXPECTATIONS, type Expectation } from '../expectations/expectations.ts';
import type { Break, PartName } from '../steps/breaks.ts';
import { BREAKS } from '../steps/breaks.ts';
import { CALLS, type ScenarioCall } from '../steps/calls.ts';
import type { GeoPlace } from '../steps/geo-place.ts';
import { TRIGGERS, type Trigger } from '../steps/triggers.ts';
import { isActName } from '../steps/vehicle-acts.ts';
import { WEATHER, type Weather } from '../steps/weather.ts';
import { type Variation, variedValues } from '../vary/vary.ts';
import type { FleetGroup, Repeat, Scenario, Selection, Step, StepAction, StepStart } from './scenario.ts';
import type { ParsedDocument, ParsedGroup, ParsedStep } from './schema.ts';

/** The name of a group without `as`. */
export function usualGroupName(index: number): string {
  return `fleet-${index}`;
}

/** A document that passed its schema as a scenario to run. check.ts checks its consistency. */
export function normalise(document: ParsedDocument): Scenario {
  const { name, about, seed, clients, always, vary } = document;
  const { duration, heal } = document.limits;
  const wanted = always as readonly string[];
  return {
    name,
    about,
    seed,
    fleet: document.fleet.map(groupOf),
    clients: clients.map((one) => ({
      name: one.name,
      fleet: one.fleet,
      ...(one.permissions === undefined ? {} : { permissions: one.permissions }),
    })),
    steps: document.steps.map(stepOf),
    always: CHECKER_NAMES.filter(
      (one) => ALWAYS_ASKED.has(one) || wanted.includes(EVERY_CHECKER) || wanted.includes(one),
    ),
    vary: Object.entries(vary).flatMap(([path, given]): readonly Variation[] => {
      const values = variedValues(given);
      return values === undefined ? [] : [{ path, values }];
    }),
    ...(document.strict ? { isStrict: true } : {}),
    ...(document.backends > 1 ? { backends: document.backends } : {}),
    ...(document.rate_limit === undefined ? {} : { rateLimit: document.rate_limit }),
    limits: { ...(duration === undefined ? {} : { durationMs: duration }), healMs: heal },
  };
}

function groupOf(group: ParsedGroup, index: number): FleetGroup {
  const { as, count, model, firmware, sim, maker, generation, route, features, fleet } = group;
  return {
    as: as ?? usualGroupName(index),
    count,
    ...(model === undefined ? {} : { model }),
    ...(firmware === undefined ? {} : { firmware }),
    ...(sim === undefined ? {} : { sim }),
    ...(maker === undefined ? {} : { maker }),
    ...(generation === undefined ? {} : { generation }),
    ...(group.hardware_revision === undefined ? {} : { hardwareRevision: group.hardware_revision }),
    ...(route === undefined ? {} : { route }),
    ...(group.recorded_drive === undefined ? {} : { recordedDrive: group.recorded_drive }),
    ...(group.drive_columns === undefined ? {} : { driveColumns: group.drive_columns }),
    ...(group.driving === undefined ? {} : { isDriving: group.driving }),
    features: features === 'none' ? {} : (features as FleetGroup['features']),
    isMaintained: group.maintenance,
    isOnShelf: group.on_shelf,
    fleet,
    ...(group.journal_records === undefined ? {} : { journalRecords: group.journal_records }),
    ...(group.mqtt_session === undefined ? {} : { mqttSession: group.mqtt_session }),
    ...(group.radio === undefined ? {} : { radio: group.radio }),
  };
}

function stepOf(step: ParsedStep): Step {
  const { label } = step;
  const does = stepActionOf(step as JsonObject);
  return {
    ...(label === undefined ? {} : { label }),
    when: whenOf(step),
    ...(step.when === undefined ? {} : { trigger: triggerOf(step) }),
    ...(step.repeat === undefined ? {} : { repeat: repeatOf(step.repeat) }),
    ...(step.for === undefined ? {} : { forMs: step.for }),
    on: selectionOf((step.on ?? {}) as JsonObject),
    ...(step.in === undefined ? {} : { place: placeOf(step.in) }),
    ...(does === undefined ? {} : { does }),
    expect: expectationsOf(step.expect),
    never: expectationsOf(step.never),
    withinMs: step.within ?? languageLimits.usualWithinMs,
  };
}

function whenOf({ at, after, when, delay = 0 }: ParsedStep): StepStart {
  if (at !== undefined) return { atMs: at };
  const delayMs = when === undefined ? delay : 0;
  return after === undefined ? { afterAll: true, delayMs } : { after, delayMs };
}

function triggerOf({ when, delay = 0 }: ParsedStep): NonNullable<Step['trigger']> {
  const { of, within = languageLimits.usualTriggerMs, ...rest } = when as JsonObject;
  const chosen = only(rest, TRIGGERS);
  const whose = chosen.name === 'point' ? 'any' : (of ?? 'same');
  return { ...chosen, of: whose, withinMs: within, delayMs: delay } as Trigger & { readonly delayMs: number };
}

function repeatOf({ every, for: long, times = 1 }: NonNullable<ParsedStep['repeat']>): Repeat {
  return long === undefined ? { everyMs: every, times } : { everyMs: every, forMs: long };
}

function placeOf({ around, radius_m: radiusM = 0, polygon = [] }: NonNullable<ParsedStep['in']>): GeoPlace {
  const pointOf = ([latitude, longitude]: readonly [number, number]) => ({ latitude, longitude });
  return around === undefined ? { polygon: polygon.map(pointOf) } : { around: pointOf(around), radiusM };
}

function selectionOf({ group, box, count, fraction, same_as, others_than }: JsonObject): Selection {
  const pick =
    box !== undefined
      ? { box }
      : count !== undefined
        ? { count }
        : fraction !== undefined
          ? { fraction }
          : same_as !== undefined
            ? { sameAs: same_as }
            : others_than !== undefined
              ? { othersThan: others_than }
              : 'all';
  return { ...(group === undefined ? {} : { group }), pick } as Selection;
}

/** What the step does; the first action if it invalidly has several. */
function stepActionOf(step: JsonObject): StepAction | undefined {
  if (step['call'] !== undefined) {
    const { as, bearer, remember, ...rest } = step['call'] as JsonObject;
    const call = { ...only(rest, CALLS), ...given({ as, bearer, remember }) } as unknown as ScenarioCall;
    return { kind: 'call', call };
  }
  if (step['weather'] !== undefined) {
    return { kind: 'weather', weather: only(step['weather'] as JsonObject, WEATHER) as Weather };
  }
  if (step['break'] !== undefined) {
    const { name: part, settings } = only(step['break'] as JsonObject, BREAKS);
    const broken = { part, ...only(settings as JsonObject, BREAKS[part as PartName]) } as Break;
    return { kind: 'break', break: broken };
  }
  const name = Object.keys(step).find(isActName);
  return name === undefined ? undefined : { kind: 'vehicle', act: { name, settings: step[name] } };
}

function only(part: JsonObject, table: object): { readonly name: string; readonly settings: unknown } {
  const name = Object.keys(part).find((word) => Object.hasOwn(table, word)) ?? '';
  return { name, settings: part[name] };
}

function expectationsOf(list: unknown): readonly Expectation[] {
  return ((list ?? []) as readonly JsonObject[]).flatMap((words) =>
    Object.entries(EXPECTATIONS).flatMap(([kind, row]) => {
      const own = Object.keys(row.settings.shape).filter((word) => words[word] !== undefined);
      if (own.length === 0) return [];
      return [{ kind, ...Object.fromEntries(own.map((word) => [word, words[word]])) } as Expectation];
    }),
  );
}

function given(values: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
}
