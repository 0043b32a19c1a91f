import { formatSpan } from '../../language/document/quantity.ts';
import type { RandomSource } from '../../language/vary/draw.ts';
import { type DrawnPart, drawnOne } from '../../language/vary/step-action.ts';
import { type AimedContext, type AimedRow, command } from './aimed-row.ts';
import type { TimedStep } from './operation.ts';
import { partnerUse, READ_PATHS } from './uses.ts';

/** A message of a request to a box, on its way there or back. */
const MESSAGES = ['command-request', 'command-reply'] as const;

const span = (source: RandomSource, leastMs: number, mostMs: number): string =>
  formatSpan(source.whole(leastMs, mostMs));

/** The next request, or its reply, is so late that another one comes first, or nearly so. */
function late(source: RandomSource): DrawnPart {
  const by = span(source, 15_000, 60_000);
  return { weather: { delay: { message: drawnOne(source, MESSAGES), by, count: 1 } }, for: '5s' };
}

/** The next request comes once more after all is over, or its reply does, or both. */
function comeAgain(source: RandomSource): readonly DrawnPart[] {
  const messages = drawnOne<readonly string[]>(source, [[MESSAGES[0]], [MESSAGES[1]], MESSAGES]);
  return messages.map((message) => {
    const by = span(source, 5_000, 60_000);
    return { weather: { double: { message, by, count: 1 } }, for: '5s' };
  });
}

/** The box starts again. */
function reset(source: RandomSource): DrawnPart {
  return drawnOne<DrawnPart>(source, [
    { break: { box: { 'brown-out': {} } } },
    { break: { box: { reset: { reason: 'WATCHDOG' } } } },
    command('board-reset'),
  ]);
}

/** Between two writes, in half of all cases: the box's clock is set back, or it starts again. */
function between(source: RandomSource, { atMs, on }: AimedContext): readonly TimedStep[] {
  if (source.whole(0, 1) === 0) return [];
  const setBack: DrawnPart = { break: { box: { 'clock-jump': { by: `-${span(source, 1_000, 120_000)}` } } } };
  const how = source.whole(0, 1) === 0 ? setBack : reset(source);
  return [{ atMs: atMs + source.whole(2_000, 18_000), step: { ...on, ...how } }];
}

/** Two writes to one object, of which something delays the first or leaves its outcome open. */
export const AIMED_AT_PAIRS: readonly AimedRow[] = [
  {
    does: 'A configuration, or its reply, is late, and another one of the same feature comes meanwhile; in between the clock of the box is set back, or it is reset.',
    draw(source, context) {
      const { atMs, on } = context;
      const secondMs = atMs + source.whole(20_000, 40_000);
      const configure = (): DrawnPart => ({
        ...on,
        call: { configure: { tracking: { time_interval_in_seconds: source.whole(5, 60) } } },
      });
      return [
        { atMs, step: { ...on, ...late(source) } },
        { atMs: atMs + 100, step: configure() },
        ...between(source, context),
        { atMs: secondMs, step: configure() },
        ...[20_000, 60_000].map((afterMs) => ({
          atMs: secondMs + afterMs,
          step: { ...on, call: { get: READ_PATHS[2] } },
        })),
      ];
    },
  },
  {
    does: 'A request or its reply comes once more, much later, after a reset of the box or in a new session, with other requests before and behind it.',
    draw(source, { atMs, on }) {
      const ask = (): DrawnPart =>
        drawnOne<DrawnPart>(source, [
          { call: { configure: { tracking: { time_interval_in_seconds: source.whole(5, 60) } } } },
          command(drawnOne(source, ['unlock-central-lock', 'lock-central-lock'])),
          command(drawnOne(source, ['unlock-and-enable-driving', 'lock-and-disable-driving'])),
          command('request-vehicle-state'),
        ]);
      const ends = drawnOne<readonly DrawnPart[]>(source, [
        [],
        [reset(source)],
        [{ weather: { [drawnOne(source, ['cut', 'take_over', 'session_lost'])]: {} } }],
      ]);
      return [
        ...comeAgain(source).map((again) => ({ atMs, step: { ...on, ...again } })),
        { atMs: atMs + 100, step: { ...on, ...ask() } },
        ...ends.map((end) => ({ atMs: atMs + source.whole(2_000, 12_000), step: { ...on, ...end } })),
        ...[18_000, 35_000, 70_000].map((afterMs) => ({
          atMs: atMs + afterMs + source.whole(0, 8_000),
          step: { ...on, ...ask() },
        })),
      ];
    },
  },
  {
    does: 'What the partner of a shared vehicle requests of its box is late, the sharing ends meanwhile, and begins again or not.',
    draw(source, context) {
      const { atMs, on } = context;
      const endMs = atMs + source.whole(20_000, 40_000);
      const use = (): DrawnPart => ({ ...on, call: { ...partnerUse(source), as: 'partner' } });
      return [
        { atMs, step: { ...on, call: { share: 'partner' } } },
        { atMs: atMs + 1_000, step: { ...on, ...late(source) } },
        { atMs: atMs + 1_100, step: { ...on, call: { command: 'unlock-central-lock', as: 'partner' } } },
        ...between(source, context),
        { atMs: endMs, step: { ...on, call: { unshare: {} } } },
        { atMs: endMs + source.whole(1, 5_000), step: use() },
        ...(source.whole(0, 1) === 1
          ? [
              { atMs: endMs + source.whole(1, 20_000), step: { ...on, call: { share: 'partner' } } },
              { atMs: endMs + 30_000, step: use() },
              { atMs: endMs + 45_000, step: { ...on, call: { unshare: {} } } },
            ]
          : []),
        { atMs: endMs + 60_000, step: { ...on, ...command('lock-central-lock') } },
      ];
    },
  },
  {
    does: 'A rental or a subscription begins while the outcome of a commit is unknown, the store is slow or the backend dies, and ends 20 to 40 s later; the record is read again.',
    draw(source, context) {
      const { atMs, on } = context;
      const lasts = { for: span(source, 15_000, 60_000) };
      const isOpen = drawnOne<DrawnPart>(source, [
        { break: { store: { 'commit-unknown': { count: 2 } } }, for: '4s' },
        { break: { store: { slow: { by: span(source, 60_000, 600_000) } } }, ...lasts },
        { break: { backend: { crash: { point: 'after-commit' } } }, for: '4s' },
      ]);
      const name = `queue-${source.whole(4, 6)}`;
      const rent = (value: string): DrawnPart => ({ ...on, call: { patch: { rental_status: { value } } } });
      const [begin, end] = drawnOne<readonly [DrawnPart, DrawnPart]>(source, [
        [rent('IN_RENTAL'), rent('NOT_IN_RENTAL')],
        [{ call: { subscribe: { name, topics: ['VehicleState_v1'] } } }, { call: { unsubscribe: name } }],
      ]);
      const endMs = atMs + source.whole(20_000, 40_000);
      return [
        { atMs, step: isOpen },
        { atMs: atMs + 200, step: begin },
        ...between(source, context),
        { atMs: endMs, step: end },
        ...(source.whole(0, 1) === 1 ? [{ atMs: endMs + source.whole(1, 3_000), step: begin }] : []),
        { atMs: endMs + 20_000, step: { ...on, call: { get: READ_PATHS[0] } } },
      ];
    },
  },
  {
    does: 'A box is offered a firmware, what it says of it is late, and it is offered another one meanwhile; in between its clock is set back, or it is reset.',
    group: (source) => ({
      as: 'offered',
      count: 1,
      driving: false,
      features: 'none',
      firmware: drawnOne(source, ['2.12', '2.19', '2.28']),
    }),
    draw(source, context) {
      const { atMs, on } = context;
      const by = span(source, 15_000, 60_000);
      const secondMs = atMs + source.whole(20_000, 40_000);
      return [
        { atMs, step: { ...on, weather: { delay: { message: 'record', by, count: 3 } }, for: '30s' } },
        { atMs: atMs + 100, step: { ...on, update: { version: '2.30', image: 'right' } } },
        ...between(source, context),
        {
          atMs: secondMs,
          step: { ...on, update: { version: drawnOne(source, ['2.30', '2.36', '2.40']), image: 'right' } },
        },
        { atMs: secondMs + 120_000, step: { ...on, ...command('request-system-status') } },
      ];
    },
  },
];
