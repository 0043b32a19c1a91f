import { formatSpan, parseSpan } from '../../scenarios/language/document/quantity.ts';
import { readDocument } from '../../scenarios/language/document/read.ts';
import { writeDocument } from '../../scenarios/language/document/write.ts';
import { COMMAND_FOLDERS } from '../../scenarios/language/steps/calls.ts';
import {
  type FaultAction,
  isActName,
  type RewordedAction,
} from '../../scenarios/language/steps/vehicle-acts.ts';
import { ROUTES } from '../../simulator/routes/routes.ts';
import type { JsonObject } from '../../world/json.ts';
import type { ZonePoint, ZoneShape } from '../stream/map.ts';
import type { PastZone } from './dead-zones.ts';

/**
 * An action of a user: an act of the control API, a command of the API, or a fault in the words of the scenario
 * language.
 */
export interface DoneByHand {
  readonly atMs: number;
  /** The id of the vehicle or of its box; empty: all, or a shared part. */
  readonly to: string;
  readonly act:
    | { readonly name: string; readonly body: JsonObject }
    | { readonly command: string }
    /** Words of a step; a fault that lasts has an id. */
    | { readonly step: JsonObject; readonly id: string }
    | { readonly removed: string };
}

/** A vehicle that the user acted on, as it was before the first action. */
export interface MetVehicle {
  /** Its id, or that of its box. */
  readonly id: string;
  readonly model: string;
  readonly firmware: string;
  readonly route: string;
  /** Whether its ignition was on. */
  readonly isDriving: boolean;
}

/** All actions of the user since the console started. */
export interface Session {
  /** Of the scenario; absent: a default sentence. */
  readonly name?: string;
  readonly about?: string;
  readonly done: readonly DoneByHand[];
  readonly met: readonly MetVehicle[];
  readonly zones: readonly PastZone[];
  readonly nowMs: number;
}

/** A scenario that repeats the actions of the user. */
export interface SessionScenario {
  /** The file. */
  readonly text: string;
  /** Actions that the language has no word for, one line each; the file has them as comments. */
  readonly leftOut: readonly string[];
}

/** The time before the first action. */
const LEAD_MS = 10_000;

/** An act in a scenario: words of a step, the end of an earlier fault, or nothing. */
type InLanguage = JsonObject | 'ends' | undefined;

interface ActiveStep {
  readonly index: number;
  readonly atMs: number;
  readonly untilMs: number;
}

/** Acts of the control API that are weather or a break in the language, and what ends them. */
const FAULTS: Readonly<Record<FaultAction, (body: JsonObject) => InLanguage>> = {
  coverage: ({ available }) => (available === true ? 'ends' : { weather: { coverage: 'none' } }),
  signal: ({ csq }) => (csq === null ? 'ends' : { weather: { signal: csq } }),
  'cut-link': () => ({ weather: 'cut' }),
  sim: ({ state }) => (state === 'active' ? 'ends' : { weather: { sim: state } }),
  border: ({ abroad, gap_s = 20 }) =>
    abroad === true ? { weather: { roaming: { gap: `${Number(gap_s)}s` } } } : 'ends',
  'brown-out': () => ({ break: { box: 'brown-out' } }),
  reset: ({ reason }) => ({ break: { box: { reset: { reason } } } }),
  'box-error': ({ text, once }) =>
    text === undefined
      ? 'ends'
      : { break: { box: { error: { text, ...(once === undefined ? {} : { once }) } } } },
  silence: ({ seconds }) => (seconds === 0 ? 'ends' : { break: { box: 'hang' }, for: `${Number(seconds)}s` }),
  setup: ({ obstacle, duration_s }) =>
    obstacle === 'none'
      ? 'ends'
      : {
          break: { box: { installation: { obstacle } } },
          ...(duration_s === undefined ? {} : { for: `${Number(duration_s)}s` }),
        },
  'clock-jump': ({ seconds }) => ({ break: { box: { 'clock-jump': { by: `${Number(seconds)}s` } } } }),
  'flash-full': ({ full }) => (full === true ? { break: { box: 'flash-full' } } : 'ends'),
  wipe: () => ({ break: { box: 'wipe' } }),
  gnss: ({ available }) => (available === true ? 'ends' : { break: { box: 'gnss-lost' } }),
};

/** Acts for which the language has other words. */
const WORDS: Readonly<Record<RewordedAction, (body: JsonObject) => JsonObject | undefined>> = {
  drive: (body) => ({ drive: body }),
  doors: ({ open }) => (open === true ? { open: 'door' } : { close: 'door' }),
  openings: ({ what, open }) => (open === true ? { open: what } : { close: what }),
  'top-case': ({ open }) => (open === true ? { open: 'top-case' } : { close: 'top-case' }),
  charge: ({ connected }) => (connected === true ? { charge: {} } : { unplug: {} }),
  maneuver: ({ what, ...settings }) => {
    const word = {
      'heavy-braking': 'brake',
      'harsh-cornering': 'corner',
      'emergency-stop': 'emergency-stop',
    }[String(what)];
    return word === undefined ? undefined : { [word]: settings };
  },
};

/**
 * A scenario of the user's actions, in their order and with the same times between them: vehicles of the same models
 * and firmware, each in a group of its own. Total: an action that the language has no word for, or refuses, becomes a
 * comment.
 */
export function sessionScenario(
  { name = 'by-hand', about = 'Actions on the console.', done, met, zones, nowMs }: Session,
  seed: number,
): SessionScenario {
  const firstMs = Math.min(nowMs, ...done.map(({ atMs }) => atMs), ...zones.map(({ fromMs }) => fromMs));
  const beganMs = firstMs - LEAD_MS;
  const fleet = met.map(({ id, model, firmware, route, isDriving }) => ({
    as: groupOf(id),
    model,
    firmware,
    ...(ROUTES.has(route) ? { route } : {}),
    driving: isDriving,
  }));
  const documentWith = (steps: readonly JsonObject[]) => ({
    name,
    about,
    seed,
    fleet,
    steps,
    always: ['nothing-lost', 'nothing-doubled', 'order-per-box'],
  });
  const steps: JsonObject[] = [];
  /** Active faults: the step of each, when it began, and when its `for` is over. */
  const open = new Map<string, readonly ActiveStep[]>();
  const leftOut: string[] = [];
  for (const one of done) {
    const at = one.atMs - beganMs;
    const { said, name } = inScenario(one.act);
    const thing = 'removed' in one.act || 'step' in one.act ? name : `${one.to} ${name}`;
    if (said === 'ends') {
      for (const active of open.get(thing) ?? [])
        if (at < active.untilMs)
          steps[active.index] = { ...steps[active.index], for: formatSpan(at - active.atMs) };
      open.delete(thing);
      continue;
    }
    const on = one.to === '' ? {} : { on: groupOf(one.to) };
    const step: JsonObject | undefined =
      said === undefined ? undefined : { at: formatSpan(at), ...on, ...said };
    if (step === undefined || !readDocument(documentWith([...steps, step])).ok) {
      leftOut.push(
        `${formatSpan(at)} ${one.to} ${name} ${JSON.stringify('body' in one.act ? one.act.body : 'step' in one.act ? one.act.step : {})}`,
      );
      continue;
    }
    steps.push(step);
    const lastsMs = typeof step['for'] === 'string' ? parseSpan(step['for']) : undefined;
    const active = {
      index: steps.length - 1,
      atMs: at,
      untilMs: lastsMs === undefined ? Number.POSITIVE_INFINITY : at + lastsMs,
    };
    // A fault of several vehicles has a step for each.
    open.set(thing, 'step' in one.act ? [...(open.get(thing) ?? []), active] : [active]);
  }
  for (const { shape, fromMs, toMs } of zones) {
    const step = {
      at: formatSpan(fromMs - beganMs),
      weather: { coverage: 'none' },
      in: placeOf(shape),
      for: formatSpan(Math.max(1_000, (toMs ?? nowMs) - fromMs)),
    };
    // A scenario needs a vehicle, and the user acted on none.
    if (fleet.length > 0) steps.push(step);
    else leftOut.push(`${step.at} ${JSON.stringify(step)}, no vehicle was there`);
  }
  if (fleet.length === 0) {
    const nothing = '# Nothing to export yet: run an action on a vehicle, or draw a dead zone.\n';
    return { text: leftOut.length === 0 ? nothing : commentsOf(leftOut), leftOut };
  }
  return { text: `${commentsOf(leftOut)}${writeDocument(documentWith(steps))}`, leftOut };
}

function commentsOf(leftOut: readonly string[]): string {
  return leftOut.map((line) => `# left out: ${line}\n`).join('');
}

/** The act in the language, and the name by which a later act ends it. */
function inScenario(act: DoneByHand['act']): { readonly said: InLanguage; readonly name: string } {
  if ('command' in act) return { said: commandStep(act.command), name: act.command };
  if ('step' in act) return { said: act.step, name: `fault ${act.id}` };
  if ('removed' in act) return { said: 'ends', name: `fault ${act.removed}` };
  return { said: inLanguage(act.name, act.body), name: act.name };
}

function inLanguage(name: string, body: JsonObject): InLanguage {
  if (Object.hasOwn(FAULTS, name)) return FAULTS[name as FaultAction](body);
  if (Object.hasOwn(WORDS, name)) return WORDS[name as RewordedAction](body);
  return isActName(name) ? { [name]: body } : undefined;
}

function commandStep(command: string): JsonObject | undefined {
  return COMMAND_FOLDERS.has(command) ? { call: { command } } : undefined;
}

/** As `in` of a step has it: latitude and longitude, in five decimals of a degree. */
function placeOf(shape: ZoneShape): JsonObject {
  const pair = ({ latitude, longitude }: ZonePoint) => [
    Number(latitude.toFixed(5)),
    Number(longitude.toFixed(5)),
  ];
  return 'around' in shape
    ? { around: pair(shape.around), radius_m: Math.round(shape.radiusM) }
    : { polygon: shape.polygon.map(pair) };
}

function groupOf(id: string): string {
  return id.toLowerCase();
}
