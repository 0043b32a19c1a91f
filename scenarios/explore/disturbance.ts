import { BOX_ACTIONS } from '../../simulator/control/box-actions.ts';
import type { FaultWord } from '../../simulator/control/fault-face.ts';
import { formatSpan, parseSpan } from '../language/document/quantity.ts';
import type { RandomSource } from '../language/vary/draw.ts';
import {
  type DrawnPart,
  drawnBreak,
  drawnOne,
  drawnSettings,
  drawnWeather,
} from '../language/vary/step-action.ts';
import { limits } from './limits.ts';

/** What can be done to a fleet that runs. */
export interface DisturbanceMenu {
  /** Of the vehicles that it may befall, at least one. */
  readonly vehicleIds: readonly string[];
  /** As `GET /faults` of the simulator tells them; what is `unavailable` is not drawn. */
  readonly words: readonly FaultWord[];
}

/** One thing that networks, people or parts do, and how long nothing is done before it. */
export type Disturbance = { readonly gapMs: number } & (
  | { readonly kind: 'act'; readonly vehicleId: string; readonly action: string; readonly body: DrawnPart }
  /** By the words of the scenario language, `for` among them. `on`: vehicle ids; absent: all, or a part that all share. */
  | { readonly kind: 'fault'; readonly on?: readonly string[]; readonly fault: DrawnPart }
);

/** What people do to vehicles, and what happens to these: all of it passes, or leaves nothing that has to be mended. */
const ACTS: ReadonlySet<string> = new Set([
  ...[
    'drive',
    'maneuver',
    'park',
    'doors',
    'ignition',
    'openings',
    'charge',
    'refuel',
    'belts',
    'key',
    'cards',
  ],
  ...['gear', 'driving-aids', 'top-case', 'crash', 'shock', 'bump', 'smoke', 'tow'],
]);
const ACT_ROWS = BOX_ACTIONS.filter(({ name }) => ACTS.has(name));

/** What a box forgets then is lost, by the contract too: whoever looks for losses would look for these. */
const FORGETS: ReadonlySet<string> = new Set([
  'box wipe',
  'box flash-full',
  'box torn-write',
  'box lost-write',
]);

/** Draws what is done next. Total; with words of which none is available, acts alone. */
export function drawDisturbance(source: RandomSource, { vehicleIds, words }: DisturbanceMenu): Disturbance {
  const gapMs = source.whole(limits.disturbanceGapLeastMs, limits.disturbanceGapMostMs);
  const weather = words.filter(({ of, unavailable }) => of === 'weather' && unavailable === undefined);
  const breaks = words.filter(
    ({ of, name, unavailable }) =>
      of !== 'weather' && unavailable === undefined && !FORGETS.has(`${of} ${name}`),
  );
  const kinds = [
    ...['act', 'act'],
    ...(weather.length > 0 ? ['weather', 'weather'] : []),
    ...(breaks.length > 0 ? ['break'] : []),
  ];
  const kind = drawnOne(source, kinds);
  const vehicleId = drawnOne(source, vehicleIds);
  if (kind === 'act') {
    const row = drawnOne(source, ACT_ROWS);
    const body = drawnSettings(source, { settings: row.body, example: row.example }) as DrawnPart;
    return { gapMs, kind: 'act', vehicleId, action: row.name, body };
  }
  const drawn =
    kind === 'weather'
      ? drawnWeather(
          source,
          weather.map(({ name }) => name),
        )
      : drawnBreak(source, namesByPart(breaks));
  // One in four befalls all boxes at once, as what comes from a mast or a network does; a shared part is everybody's.
  const isOfBox = kind === 'weather' || 'box' in (drawn.action['break'] as object);
  const isOfOne = isOfBox && source.whole(0, 3) < 3;
  const lasts = drawn.lasts
    ? { for: formatSpan(source.whole(limits.disturbanceLeastMs, limits.disturbanceMostMs)) }
    : {};
  return {
    gapMs,
    kind: 'fault',
    ...(isOfOne ? { on: [vehicleId] } : {}),
    fault: { ...(withShortSpans(drawn.action) as DrawnPart), ...lasts },
  };
}

/** Its spans are no longer than a disturbance: a message that is held up for minutes goes on when all is lifted. */
function withShortSpans(value: unknown): unknown {
  if (typeof value === 'string') {
    const ms = parseSpan(value);
    return ms === undefined || ms <= limits.disturbanceMostMs
      ? value
      : formatSpan(1 + (ms % limits.disturbanceMostMs));
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
