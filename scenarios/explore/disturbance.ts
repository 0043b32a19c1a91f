import { BOX_ACTIONS, type BoxActionName } from '../../simulator/control/box-actions.ts';
import type { FaultWord } from '../../simulator/control/fault-api.ts';
import { formatSpan, parseSpan } from '../language/document/quantity.ts';
import type { BreakKey } from '../language/steps/breaks.ts';
import type { FaultAction } from '../language/steps/vehicle-acts.ts';
import type { RandomSource } from '../language/vary/draw.ts';
import {
  type DrawnPart,
  drawnBreak,
  drawnOne,
  drawnSettings,
  drawnWeather,
} from '../language/vary/step-action.ts';
import { exploreLimits } from '../limits.ts';

/** What can happen to a running fleet. */
export interface DisturbanceMenu {
  /** The vehicles that it may affect, at least one. */
  readonly vehicleIds: readonly string[];
  /** As `GET /faults` of the simulator lists them; `unavailable` ones are not drawn. */
  readonly words: readonly FaultWord[];
}

/** One disturbance by networks, people or parts, and the pause before it. */
export type Disturbance = { readonly gapMs: number } & (
  | { readonly kind: 'act'; readonly vehicleId: string; readonly action: string; readonly body: DrawnPart }
  /** In the words of the scenario language, including `for`. `on`: vehicle ids; absent: all, or a shared part. */
  | { readonly kind: 'fault'; readonly on?: readonly string[]; readonly fault: DrawnPart }
);

/**
 * Whether a disturbance draws the action: what people do to vehicles, and what happens to these, where it is temporary
 * or needs no repair. The control API's faults are drawn as weather and breaks.
 */
const IS_DRAWN: Readonly<Record<Exclude<BoxActionName, FaultAction>, boolean>> = {
  drive: true,
  maneuver: true,
  park: true,
  doors: true,
  ignition: true,
  'top-case': true,
  'shut-battery-compartment': false,
  'center-stand': false,
  mechanics: false,
  firmware: false,
  update: false,
  supply: false,
  crash: true,
  shock: true,
  bump: true,
  tow: true,
  smoke: true,
  openings: true,
  charge: true,
  refuel: true,
  'swap-battery': false,
  belts: true,
  key: true,
  cards: true,
  gear: true,
  'driving-aids': true,
  wear: false,
  due: false,
  'trouble-code': false,
  workshop: false,
  sensor: false,
};
const ACT_ROWS = Object.entries(BOX_ACTIONS).filter(([name]) => IS_DRAWN[name as keyof typeof IS_DRAWN]);

/** A box loses data then, as the contract allows: a search for losses would find these. */
const FORGETS: ReadonlySet<string> = new Set<BreakKey>([
  'box wipe',
  'box flash-full',
  'box torn-write',
  'box lost-write',
]);

/** Draws the next disturbance. Total; where no fault is available, acts alone. */
export function drawDisturbance(source: RandomSource, { vehicleIds, words }: DisturbanceMenu): Disturbance {
  const gapMs = source.whole(exploreLimits.disturbanceGapLeastMs, exploreLimits.disturbanceGapMostMs);
  const weather = words.filter(({ of, unavailable }) => of === 'weather' && unavailable === undefined);
  const breaks = words.filter(
    ({ of, name, unavailable }) =>
      of !== 'weather' && unavailable === undefined && !FORGETS.has(`${of} ${name}`),
  );
  const kinds = [
    'act',
    'act',
    ...(weather.length > 0 ? ['weather', 'weather'] : []),
    ...(breaks.length > 0 ? ['break'] : []),
  ];
  const kind = drawnOne(source, kinds);
  const vehicleId = drawnOne(source, vehicleIds);
  if (kind === 'act') {
    const [action, { body: settings, example }] = drawnOne(source, ACT_ROWS);
    const body = drawnSettings(source, { settings, example }) as DrawnPart;
    return { gapMs, kind: 'act', vehicleId, action, body };
  }
  const drawn =
    kind === 'weather'
      ? drawnWeather(
          source,
          weather.map(({ name }) => name),
        )
      : drawnBreak(source, namesByPart(breaks));
  // One in four affects all boxes at once, as a failed mast or network does; a shared part affects all.
  const isOfBox = kind === 'weather' || 'box' in (drawn.action['break'] as object);
  const isOfOne = isOfBox && source.whole(0, 3) < 3;
  const lasts = drawn.lasts
    ? { for: formatSpan(source.whole(exploreLimits.disturbanceLeastMs, exploreLimits.disturbanceMostMs)) }
    : {};
  return {
    gapMs,
    kind: 'fault',
    ...(isOfOne ? { on: [vehicleId] } : {}),
    fault: { ...(withShortSpans(drawn.action) as DrawnPart), ...lasts },
  };
}

/**
 * Its spans do not exceed a disturbance: a message that is delayed for minutes continues when all faults are removed.
 */
function withShortSpans(value: unknown): unknown {
  if (typeof value === 'string') {
    const ms = parseSpan(value);
    return ms === undefined || ms <= exploreLimits.disturbanceMostMs
      ? value
      : formatSpan(1 + (ms % exploreLimits.disturbanceMostMs));
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, withShortSpans(part)]));
}

function namesByPart(breaks: readonly FaultWord[]): Readonly<Record<string, readonly string[]>> {
  return Object.fromEntries(
    [...new Set(breaks.map(({ of }) => of))].map((part) => [
      part,
      breaks.filter(({ of }) => of === part).map(({ name }) => name),
    ]),
  );
}
