import { type DrawnPart, drawnOne } from '../../language/vary/step-action.ts';
import { type AimedRow, command } from './aimed-row.ts';
import type { TimedStep } from './operation.ts';

const NO_COVERAGE: DrawnPart = { weather: { coverage: 'none' } };
/** From 2.12 on a box is updated over the air; below 2.20 an interrupted download begins again. */
const UPDATED_FROM = ['2.12', '2.15', '2.19', '2.20', '2.28'] as const;

/** What a box missed, or could not finish, while it was offline, and the result after its return. */
export const AIMED_AT_ABSENCES: readonly AimedRow[] = [
  {
    does: 'The token of a phone is withdrawn, with the box off the air or not; the phone asks before the box is back, and after.',
    draw(source, { atMs, on }) {
      const action = drawnOne(source, ['unlock', 'lock', 'unlock-and-enable-driving']);
      const keeps = `phone-${source.whole(4, 5)}`;
      const ask = (token: string): DrawnPart => ({ ...on, bluetooth: { action, token, keeps } });
      const awayMs = source.whole(20_000, 90_000);
      const isAway = source.whole(0, 3) > 0;
      const backMs = atMs + 10_000 + awayMs;
      return [
        { atMs, step: ask('right') },
        ...(isAway ? [{ atMs: atMs + 10_000, step: { ...on, ...NO_COVERAGE, for: `${awayMs}ms` } }] : []),
        { atMs: atMs + 15_000, step: ask('withdrawn') },
        { atMs: backMs + source.whole(30_000, 60_000), step: ask('right') },
        { atMs: backMs + 90_000, step: ask('right') },
      ];
    },
  },
  {
    does: 'A box is updated over the air, and its connection breaks once or twice while it downloads.',
    group: (source) => ({
      as: 'updated',
      count: 1,
      driving: false,
      features: 'none',
      firmware: drawnOne(source, UPDATED_FROM),
    }),
    draw(source, { atMs, on }) {
      const version = drawnOne(source, ['2.30', '2.36', '2.40']);
      const breaks = Array.from({ length: source.whole(1, 2) }, (_, index): TimedStep => {
        const length = `${source.whole(2, 20)}s`;
        const how = drawnOne<DrawnPart>(source, [
          { ...NO_COVERAGE, for: length },
          command('data-connection-reset'),
          { break: { box: { 'brown-out': {} } } },
        ]);
        return { atMs: atMs + 3_000 + index * 40_000 + source.whole(0, 12_000), step: { ...on, ...how } };
      });
      return [
        { atMs, step: { ...on, update: { version, image: 'right' } } },
        ...breaks,
        { atMs: atMs + 240_000, step: { ...on, ...command('request-system-status') } },
      ];
    },
  },
  {
    does: 'Reports of a drive wait in the journal, and what happens when the network is back overtakes them; sometimes the box is reset at once.',
    group: (source) => ({
      as: 'overtaken',
      count: 1,
      driving: true,
      model: drawnOne(source, ['petrol-compact', 'electric-hatchback', 'electric-moped']),
      features: { tracking: { time_interval_in_seconds: source.whole(1, 5) } },
    }),
    draw(source, { atMs, on }) {
      const awayMs = source.whole(40_000, 120_000);
      const backMs = atMs + awayMs;
      const happens = (): DrawnPart =>
        drawnOne<DrawnPart>(source, [{ open: 'door' }, { close: 'door' }, { park: {} }, { drive: {} }]);
      const reset = drawnOne<DrawnPart>(source, [
        { break: { box: { 'brown-out': {} } } },
        { break: { box: { reset: { reason: 'WATCHDOG' } } } },
        command('board-reset'),
      ]);
      return [
        { atMs, step: { ...on, ...NO_COVERAGE, for: `${awayMs}ms` } },
        { atMs: backMs - source.whole(0, 3_000), step: { ...on, ...happens() } },
        { atMs: backMs + source.whole(500, 4_000), step: { ...on, ...happens() } },
        { atMs: backMs + source.whole(500, 4_000), step: { ...on, ...command('request-vehicle-state') } },
        ...(source.whole(0, 1) === 1
          ? [{ atMs: backMs + source.whole(1_000, 8_000), step: { ...on, ...reset } }]
          : []),
        { atMs: backMs + 60_000, step: { ...on, ...command('request-vehicle-state') } },
      ];
    },
  },
  {
    does: 'A connection stalls or loses its frames for less than its keep-alive, works again, and the vehicle is used all the while.',
    draw(source, { atMs, on }) {
      const lastsMs = source.whole(1_000, 45_000);
      const weather = drawnOne<DrawnPart>(source, [{ stall: {} }, { half_open: {} }, { stall: {} }]);
      return [
        { atMs, step: { ...on, weather, for: `${lastsMs}ms` } },
        ...[5_000, 35_000, 65_000, 95_000, 125_000].map((afterMs) => ({
          atMs: atMs + lastsMs + afterMs,
          step: { ...on, ...command(drawnOne(source, ['request-vehicle-state', 'request-system-status'])) },
        })),
      ];
    },
  },
  {
    does: 'On a road, where locks take a moment to move, the network delivers a command twice; sometimes one of two parts jams.',
    group: (source) => ({
      as: 'doubled',
      count: 1,
      driving: false,
      features: 'none',
      radio: 'road',
      firmware: drawnOne(source, ['2.12', '2.28', '2.36', '2.40']),
    }),
    draw(source, { atMs, on }) {
      const part = drawnOne(source, ['lock', 'immobilizer']);
      const isJammed = source.whole(0, 2) === 2;
      const rounds = ['unlock-and-enable-driving', 'lock-and-disable-driving', 'unlock-central-lock'];
      return [
        ...(isJammed ? [{ atMs: atMs + 500, step: { ...on, mechanics: { [part]: 'jammed' } } }] : []),
        ...rounds.flatMap((name, index): readonly TimedStep[] => [
          {
            atMs: atMs + index * 20_000,
            step: { ...on, weather: { double: { message: 'command-request', count: 1 } }, for: '10s' },
          },
          { atMs: atMs + index * 20_000 + 1_000, step: { ...on, ...command(name) } },
        ]),
        ...(isJammed ? [{ atMs: atMs + 65_000, step: { ...on, mechanics: { [part]: 'works' } } }] : []),
      ];
    },
  },
  {
    does: 'It smokes in a vehicle for as long as smoke detection is to wait, or longer; a vehicle is towed slowly and far.',
    group: () => ({
      as: 'slow',
      count: 1,
      driving: false,
      generation: 2,
      hardware_revision: 5,
      features: { 'parking-events': {} },
    }),
    draw(source, { atMs, on }) {
      const waitsS = drawnOne(source, [10, 60, 90, 240, 600]);
      const smokesS = Math.min(1_200, waitsS + source.whole(5, 120));
      return [
        {
          atMs,
          step: {
            ...on,
            call: { configure: { 'smoke-detection': { minimum_duration_in_seconds: waitsS } } },
          },
        },
        {
          atMs: atMs + 15_000,
          step: {
            ...on,
            smoke: { concentration_in_micrograms_per_cubic_meter: 900, duration_s: smokesS },
          },
        },
        {
          atMs: atMs + (smokesS + 60) * 1_000,
          step: { ...on, tow: { distance_m: source.whole(50, 900), lifted: source.whole(0, 1) === 1 } },
        },
      ];
    },
  },
  {
    does: 'A connection ends, the birth of the next one is lost, and a backend that begins reads what the broker kept: the will of the one before.',
    draw(source, { atMs, on }) {
      const lose: DrawnPart = { weather: { lose: { message: 'birth', count: 1 } }, for: '12s' };
      const ends = drawnOne<DrawnPart>(
        source,
        ['cut', 'take_over', 'session_lost'].map((how) => ({ weather: { [how]: {} } })),
      );
      const begins = drawnOne<DrawnPart>(source, [
        { break: { backend: { crash: {} } }, for: `${source.whole(500, 4_000)}ms` },
        { break: { backend: { restart: {} } } },
      ]);
      const beginsMs = atMs + 1_000 + source.whole(4_000, 12_000);
      return [
        { atMs, step: { ...on, ...lose } },
        { atMs: atMs + 1_000, step: { ...on, ...ends } },
        { atMs: beginsMs, step: begins },
        ...[10_000, 20_000, 110_000].map((afterMs) => ({
          atMs: beginsMs + afterMs,
          step: { ...on, call: { get: '/vehicles/{vehicle}' } },
        })),
      ];
    },
  },
];
