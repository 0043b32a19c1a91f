import { formatSpan } from '../../scenarios/language/document/quantity.ts';
import { readDocument } from '../../scenarios/language/document/read.ts';
import { writeDocument } from '../../scenarios/language/document/write.ts';
import { COMMAND_FOLDERS } from '../../scenarios/language/steps/calls.ts';
import { VEHICLE_ACTS } from '../../scenarios/language/steps/vehicle-acts.ts';
import { ROUTES } from '../../simulator/routes/routes.ts';
import type { ZonePoint, ZoneShape } from '../stream/zones.ts';
import type { LaidZone } from './dead-zones.ts';

type Json = Readonly<Record<string, unknown>>;

/** Something that was done by hand: an act of the control API, a command of the API, or weather or a break by its words. */
export interface DoneByHand {
  readonly atMs: number;
  /** To whom: the vehicle's id, or that of its box; empty: to all, or to a part that all share. */
  readonly to: string;
  readonly act:
    | { readonly name: string; readonly body: Json }
    | { readonly command: string }
    /** Words of a step; what lasts has its id until it is lifted. */
    | { readonly step: Json; readonly id: string }
    | { readonly lifted: string };
}

/** A vehicle that something was done to, as it was when that first happened. */
export interface MetVehicle {
  /** Its id, or that of its box. */
  readonly id: string;
  readonly model: string;
  readonly firmware: string;
  readonly route: string;
  /** Whether its ignition was on. */
  readonly isDriving: boolean;
}

/** What was done on the console since it started. */
export interface Session {
  /** Of the scenario; absent: that it was done by hand. */
  readonly name?: string;
  readonly about?: string;
  readonly done: readonly DoneByHand[];
  readonly met: readonly MetVehicle[];
  readonly zones: readonly LaidZone[];
  readonly nowMs: number;
}

/** A scenario that does again what was done by hand. */
export interface SessionScenario {
  /** The file. */
  readonly text: string;
  /** What the language has no word for, one line each; they stand in the file as comments. */
  readonly leftOut: readonly string[];
}

/** So long the vehicles are by themselves before the first thing is done. */
const LEAD_MS = 10_000;

/** What an act is in a scenario: words of a step, the end of what was laid before, or nothing. */
type InLanguage = Json | 'ends' | undefined;

/** What of the control API is weather or a break in the language, and what ends it. */
const FAULTS: Readonly<Record<string, (body: Json) => InLanguage>> = {
  coverage: ({ available }) => (available === true ? 'ends' : { weather: { coverage: 'none' } }),
  signal: ({ csq }) => (csq === null ? 'ends' : { weather: { signal: csq } }),
  'cut-link': () => ({ weather: 'cut' }),
  sim: ({ state }) => (state === 'active' ? 'ends' : { weather: { sim: state } }),
  border: ({ abroad, gap_s = 20 }) =>
    abroad === true ? { weather: { roaming: { gap: `${Number(gap_s)}s` } } } : 'ends',
  'brown-out': () => ({ break: { box: 'brown-out' } }),
  reset: ({ reason }) => ({ break: { box: { reset: { reason } } } }),
  'box-error': ({ text, once }) =>
    text === null ? 'ends' : { break: { box: { error: { text, ...(once === undefined ? {} : { once }) } } } },
  silence: ({ seconds }) => ({ break: { box: 'hang' }, for: `${Number(seconds)}s` }),
  setup: ({ obstacle, duration_s }) =>
    obstacle === null
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

/** What the language says in words of its own. */
const WORDS: Readonly<Record<string, (body: Json) => Json | undefined>> = {
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
 * A scenario of what was done by hand, in its order and with its spans: vehicles of the same models and firmware, each in a
 * group of its own. Total: what the language has no word for, or refuses, becomes a comment.
 */
export function sessionScenario(
  { name = 'by-hand', about = 'What was done by hand on the console.', done, met, zones, nowMs }: Session,
  seed: number,
): SessionScenario {
  const firstMs = Math.min(nowMs, ...done.map(({ atMs }) => atMs), ...zones.map(({ fromMs }) => fromMs));
  const beganMs = firstMs - LEAD_MS;
  const fleet = met.map(({ id, model, firmware, route, isDriving }) => ({
    ...{ as: groupOf(id), model, firmware, ...(ROUTES.has(route) ? { route } : {}), driving: isDriving },
  }));
  const documentWith = (steps: readonly Json[]) => ({
    ...{ name, about, seed, fleet, steps },
    always: ['nothing-lost', 'nothing-doubled', 'order-per-box'],
  });
  const steps: Json[] = [];
  /** What was laid and lasts: its step, and when it began. */
  const open = new Map<string, readonly { readonly index: number; readonly atMs: number }[]>();
  const leftOut: string[] = [];
  for (const one of done) {
    const at = one.atMs - beganMs;
    const { said, name } = sayingOf(one.act);
    const thing = 'lifted' in one.act || 'step' in one.act ? name : `${one.to} ${name}`;
    if (said === 'ends') {
      for (const laid of open.get(thing) ?? [])
        steps[laid.index] = { ...steps[laid.index], for: formatSpan(at - laid.atMs) };
      open.delete(thing);
      continue;
    }
    const on = one.to === '' ? {} : { on: groupOf(one.to) };
    const step = said === undefined ? undefined : { at: formatSpan(at), ...on, ...said };
    if (step === undefined || !readDocument(documentWith([...steps, step])).ok) {
      leftOut.push(
        `${formatSpan(at)} ${one.to} ${name} ${JSON.stringify('body' in one.act ? one.act.body : 'step' in one.act ? one.act.step : {})}`,
      );
      continue;
    }
    steps.push(step);
    // One that was lifted before its time was over was there for less.
    if ('for' in step && !('step' in one.act)) continue;
    const laid = { index: steps.length - 1, atMs: at };
    // What was laid on several by one word has a step for each.
    open.set(thing, 'step' in one.act ? [...(open.get(thing) ?? []), laid] : [laid]);
  }
  for (const { shape, fromMs, toMs } of zones) {
    const step = {
      ...{ at: formatSpan(fromMs - beganMs), weather: { coverage: 'none' }, in: placeOf(shape) },
      for: formatSpan(Math.max(1_000, (toMs ?? nowMs) - fromMs)),
    };
    // A scenario has a vehicle, and the console knows of none that this happened to.
    if (fleet.length > 0) steps.push(step);
    else leftOut.push(`${step.at} ${JSON.stringify(step)}, no vehicle was there`);
  }
  if (fleet.length === 0) {
    const nothing = '# Nothing was done by hand yet: act on a vehicle, or draw a dead zone.\n';
    return { text: leftOut.length === 0 ? nothing : commentsOf(leftOut), leftOut };
  }
  return { text: `${commentsOf(leftOut)}${writeDocument(documentWith(steps))}`, leftOut };
}

function commentsOf(leftOut: readonly string[]): string {
  return leftOut.map((line) => `# left out: ${line}\n`).join('');
}

/** What it is in the language, and by which name what it begins is ended. */
function sayingOf(act: DoneByHand['act']): { readonly said: InLanguage; readonly name: string } {
  if ('command' in act) return { said: commandStep(act.command), name: act.command };
  if ('step' in act) return { said: act.step, name: `fault ${act.id}` };
  if ('lifted' in act) return { said: 'ends', name: `fault ${act.lifted}` };
  return { said: inLanguage(act.name, act.body), name: act.name };
}

function inLanguage(name: string, body: Json): InLanguage {
  const fault = FAULTS[name];
  if (fault !== undefined) return fault(body);
  const word = WORDS[name];
  if (word !== undefined) return word(body);
  return name in VEHICLE_ACTS ? { [name]: body } : undefined;
}

function commandStep(command: string): Json | undefined {
  return COMMAND_FOLDERS.has(command) ? { call: { command } } : undefined;
}

/** As `in` of a step has it: latitude and longitude, in five decimals of a degree. */
function placeOf(shape: ZoneShape): Json {
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
