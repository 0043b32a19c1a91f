import { ROUTE_TABLES } from '../../../simulator/routes/routes.ts';
import type { ScenarioDocument } from '../../language/document/problem.ts';
import { formatSpan } from '../../language/document/quantity.ts';
import type { RandomSource } from '../../language/vary/draw.ts';
import type { GeneratorOptions } from '../../language/vary/generate.ts';
import { type DrawnPart, drawnOne } from '../../language/vary/step-action.ts';
import { exploreLimits } from '../../limits.ts';
import { AIMED_AT_ABSENCES } from './aimed-absences.ts';
import { AIMED_AT_PAIRS } from './aimed-at-pairs.ts';
import { type AimedRow, command, setOff } from './aimed-row.ts';
import type { TimedStep } from './operation.ts';
import { BOX_COMMANDS, RESETS, VEHICLE_COMMANDS } from './uses.ts';
import { isChosen } from './workload.ts';

const ROUTES = ROUTE_TABLES.map(({ name }) => name);
/** Calls that move nothing: only the reply of the box shows whether one is executed late. */
const STILL = ['request-vehicle-state', 'request-system-status', 'ble-reset', 'activate-workshop-mode'];

/**
 * Work that tests one promise of a box each, in steps that chance alone would hardly draw: some rows in each run, in
 * addition to the work of the day.
 */
export const AIMED_WORK: readonly AimedRow[] = [
  ...AIMED_AT_ABSENCES,
  ...AIMED_AT_PAIRS,
  {
    does: 'Parts of the box are reset one after the other; the box is asked within the second in which it is away, and for its status when it is back.',
    draw(source, { atMs, on }) {
      const resets = [...RESETS, 'ble-reset'];
      const begun = source.whole(0, resets.length - 1);
      const names = source.whole(0, 1) === 0 ? VEHICLE_COMMANDS : BOX_COMMANDS;
      return Array.from({ length: source.whole(2, resets.length) }, (_, round): readonly TimedStep[] => {
        const ms = atMs + round * 70_000;
        return [
          { atMs: ms, step: { ...on, ...command(resets[(begun + round) % resets.length] ?? '') } },
          { atMs: ms + source.whole(170, 450), step: { ...on, ...command(drawnOne(source, names)) } },
          { atMs: ms + source.whole(450, 1_000), step: { ...on, ...command(drawnOne(source, STILL)) } },
          { atMs: ms + source.whole(30_000, 60_000), step: { ...on, ...command('request-system-status') } },
        ];
      }).flat();
    },
  },
  {
    does: 'A driver speeds, brakes hard and corners sharply.',
    draw(source, { atMs, on }) {
      const feature = { configure: { 'driving-events': {} } };
      const drive = { route: drawnOne(source, ROUTES), pace: source.whole(14, 20) / 10 };
      const maneuver = (): DrawnPart =>
        drawnOne<DrawnPart>(source, [
          { brake: { acceleration_in_mg: source.whole(460, 750) } },
          { corner: { acceleration_in_mg: source.whole(460, 700) } },
          { 'emergency-stop': { acceleration_in_mg: source.whole(500, 750) } },
          { brake: { acceleration_in_mg: source.whole(460, 750) } },
        ]);
      const moments = Array.from({ length: source.whole(2, 5) }, () => source.whole(25_000, 100_000));
      return [
        { atMs, step: { ...on, call: feature } },
        { atMs: atMs + 1, step: { ...on, park: {} } },
        // A parked vehicle can be moved to another route.
        ...setOff(atMs + 12_000, on, drive),
        ...moments.map((ms) => ({ atMs: atMs + ms, step: { ...on, ...maneuver() } })),
        { atMs: atMs + 110_000, step: { ...on, park: {} } },
      ];
    },
  },
  {
    does: 'A request is so long under way that it comes to its box past its expiry.',
    draw(source, { atMs, on }) {
      const by = `${source.whole(21, 50)}s`;
      const asks = drawnOne<DrawnPart>(source, [
        command(drawnOne(source, STILL)),
        command(drawnOne(source, STILL)),
        command(drawnOne(source, VEHICLE_COMMANDS)),
      ]);
      return [
        {
          atMs,
          step: { ...on, weather: { delay: { message: 'command-request', by, count: 1 } }, for: '1s' },
        },
        { atMs: atMs + 5, step: { ...on, ...asks } },
        { atMs: atMs + 60_000, step: { ...on, ...command('request-vehicle-state') } },
      ];
    },
  },
  {
    does: 'A box is configured in one vehicle, built into the next one, and reset there; a phone has a token of before.',
    group: () => ({ as: 'moved', count: 1, on_shelf: true }),
    draw(source, { atMs, on }) {
      const feature = drawnOne<DrawnPart>(source, [
        { tracking: { time_interval_in_seconds: source.whole(5, 60) } },
        { 'driving-events': {} },
        { 'parking-events': {} },
        { 'box-settings': { standby_report_interval_in_seconds: source.whole(60, 600) } },
      ]);
      const phone = { ...on, bluetooth: { action: 'unlock', token: 'right', keeps: 'phone-3' } };
      const soldMs = atMs + source.whole(30_000, 50_000);
      const resetMs = soldMs + source.whole(25_000, 40_000);
      return [
        { atMs, step: { ...on, call: { onboard: {} } } },
        { atMs: atMs + 15_000, step: { ...on, call: { configure: feature } } },
        { atMs: atMs + 20_000, step: phone },
        { atMs: soldMs, step: { ...on, call: { offboard: {} } } },
        { atMs: soldMs + source.whole(500, 8_000), step: { ...on, call: { onboard: {} } } },
        { atMs: resetMs, step: { ...on, ...command('board-reset') } },
        { atMs: resetMs + 20_000, step: phone },
        { atMs: resetMs + 25_000, step: { ...on, ...command('request-vehicle-state') } },
      ];
    },
  },
  {
    does: 'A vehicle that has just been set up is asked more often than its box remembers requests.',
    group: () => ({ as: 'asked', count: 1, on_shelf: true }),
    draw(source, { atMs, on }) {
      const every = formatSpan(source.whole(1_000, 2_000));
      const repeat = { every, times: source.whole(34, 45) };
      return [
        { atMs, step: { ...on, call: { onboard: {} } } },
        { atMs: atMs + 20_000, step: { ...on, ...command('request-vehicle-state'), repeat } },
      ];
    },
  },
  {
    does: 'A box with a small journal is off the air for minutes, while its vehicle drives, stops and is opened.',
    group: (source) => ({
      as: 'small',
      count: 1,
      journal_records: source.whole(8, 16),
      driving: true,
      features: { tracking: { time_interval_in_seconds: source.whole(2, 8) } },
    }),
    draw(source, { atMs, on }) {
      const lengthMs = source.whole(60_000, 150_000);
      const lasts = { for: formatSpan(lengthMs) };
      const happenings: readonly DrawnPart[] = [
        { open: 'door' },
        { close: 'door' },
        { park: {} },
        { drive: {} },
        { ignition: { on: false } },
        { ignition: { on: true } },
      ];
      const silence = drawnOne<readonly TimedStep[]>(source, [
        [{ atMs, step: { ...on, weather: { coverage: 'none' }, ...lasts } }],
        [{ atMs, step: { break: { broker: { restart: {} } }, ...lasts } }],
        [
          { atMs, step: { ...on, ...command('request-sim-suspension') } },
          { atMs: atMs + lengthMs, step: { ...on, ...command('request-sim-activation') } },
        ],
      ]);
      return [
        ...silence,
        ...Array.from({ length: source.whole(3, 10) }, () => ({
          atMs: atMs + source.whole(0, lengthMs),
          step: { ...on, ...drawnOne(source, happenings) },
        })),
        { atMs: atMs + lengthMs + 30_000, step: { ...on, ...command('request-vehicle-state') } },
      ];
    },
  },
  {
    does: 'A vehicle that drives has a crash, and its box is reset while it records it.',
    draw(source, { atMs, on }) {
      const crashMs = atMs + source.whole(12_000, 30_000);
      const direction = drawnOne(source, ['front', 'rear', 'left', 'right']);
      const blow = {
        acceleration_in_mg: source.whole(2_600, 12_000),
        duration_ms: source.whole(31, 120),
        direction,
      };
      const reset = drawnOne<DrawnPart>(source, [
        command('board-reset'),
        command('board-reset'),
        { break: { box: { 'brown-out': {} } } },
        { break: { box: { watchdog: {} } } },
      ]);
      return [
        { atMs, step: { ...on, call: { configure: { 'driving-events': {} } } } },
        ...setOff(atMs + 2_000, on, {}),
        { atMs: crashMs, step: { ...on, crash: blow } },
        { atMs: crashMs + source.whole(3_000, 9_000), step: { ...on, ...reset } },
        { atMs: crashMs + 60_000, step: { ...on, ...command('request-vehicle-state') } },
      ];
    },
  },
];

/** The document with some of the aimed work after all other steps. */
export function withAimedWork(
  source: RandomSource,
  document: ScenarioDocument,
  lengthMs: number,
  options: GeneratorOptions,
): ScenarioDocument {
  const fleet = [...(document['fleet'] as readonly DrawnPart[])];
  const ofBoxes = fleet.filter(
    ({ maker, on_shelf, fleet: of }) => maker === undefined && on_shelf !== true && of !== 'partner',
  );
  const begun = source.whole(0, AIMED_WORK.length - 1);
  const count = source.whole(1, exploreLimits.mostAimed);
  const steps: TimedStep[] = [];
  for (let index = 0; index < count; index += 1) {
    const row = AIMED_WORK[(begun + index * exploreLimits.aimedStride) % AIMED_WORK.length] as AimedRow;
    const own = row.group?.(source);
    if (own !== undefined) fleet.push(own);
    const group = own ?? (ofBoxes.length === 0 ? undefined : drawnOne(source, ofBoxes));
    if (group === undefined) continue;
    const box = source.whole(1, Number(group['count'] ?? 1));
    const atMs = source.whole(10_000, Math.max(10_000, Math.floor(lengthMs / 2)));
    const on = { on: { group: group['as'], box } };
    steps.push(...row.draw(source, { atMs, on }).filter(({ step }) => isChosen(step, options)));
  }
  const timed = steps
    .sort((one, other) => one.atMs - other.atMs)
    .map(({ atMs, step }) => ({ at: formatSpan(Math.round(Math.max(0, atMs))), ...step }));
  return { ...document, fleet, steps: [...(document['steps'] as readonly DrawnPart[]), ...timed] };
}
