import { BROKER_AWAY } from './connection-points.ts';
import type { PointName } from './points.ts';

/** One action on what the client communicates with. */
export type Act =
  /** An action of the control API, on each box that is in a vehicle. */
  | { readonly kind: 'boxes'; readonly action: string; readonly body: Readonly<Record<string, unknown>> }
  /** A call of the control API. */
  | { readonly kind: 'control'; readonly path: string; readonly body: Readonly<Record<string, unknown>> }
  /** Weather of the scenario language, for as long as the episode lasts. */
  | { readonly kind: 'weather'; readonly weather: Readonly<Record<string, unknown>> }
  /** Withdraws this permission of the client, or restores all. */
  | { readonly kind: 'permissions'; readonly without: readonly string[] }
  /** Another program uses up the client's quota. */
  | { readonly kind: 'quota' }
  /** The AMQP broker closes its connections and accepts none, or accepts them again. */
  | { readonly kind: 'broker'; readonly isAway: boolean };

/** A disturbance of a client, with a cause and a duration. */
export interface Episode {
  readonly name: string;
  /** What happens, one sentence. */
  readonly about: string;
  readonly lengthS: number;
  /** The points that can be observed in it. */
  readonly serves: readonly PointName[];
  readonly begin: readonly Act[];
  readonly end: readonly Act[];
  /** It begins when the time suits its `Retry-After`, and not in its turn. */
  readonly isByQuota?: true;
}

const boxes = (action: string, body: Readonly<Record<string, unknown>> = {}): Act => ({
  kind: 'boxes',
  action,
  body,
});

/** What happens in one round; the first stays first, the others are in random order. */
export const EPISODES: readonly Episode[] = [
  {
    name: 'calm',
    about: 'Nothing is wrong.',
    lengthS: 4,
    serves: ['token-reuse', 'token-expiry', 'acknowledges', 'stores-first', 'prefetch', 'recovers'],
    begin: [],
    end: [],
  },
  {
    name: 'slow-boxes',
    about: 'The links of the boxes are slow: a command takes seconds.',
    lengthS: 6,
    serves: ['patience'],
    begin: [{ kind: 'weather', weather: { latency: { base: '1200ms' } } }],
    end: [],
  },
  {
    name: 'silent-boxes',
    about: 'The applications of the boxes hang: commands end with 504, and may have been carried out.',
    lengthS: 8,
    serves: ['looks-after-504', 'back-off'],
    begin: [boxes('silence', { seconds: 60 })],
    end: [boxes('silence', { seconds: 0 })],
  },
  {
    name: 'moving-vehicles',
    about: 'The vehicles drive: what needs a standing one is refused with 409.',
    lengthS: 5,
    serves: ['waits-for-conflicts'],
    begin: [boxes('drive')],
    end: [boxes('park')],
  },
  {
    name: 'permission-taken',
    about: 'An operator takes the permission for commands from the client: they are refused with 403.',
    lengthS: 8,
    serves: ['no-hopeless-retry'],
    begin: [{ kind: 'permissions', without: ['vehicle-commands'] }],
    end: [{ kind: 'permissions', without: [] }],
  },
  {
    name: 'store-fails',
    about: 'The store of the service fails: every request ends with 500.',
    lengthS: 6,
    serves: ['back-off', 'recovers'],
    begin: [{ kind: 'control', path: '/service/store', body: { works: false } }],
    end: [{ kind: 'control', path: '/service/store', body: { works: true } }],
  },
  {
    name: 'late-records',
    about: 'Records of the boxes are late: newer ones, and answers to commands, pass them.',
    lengthS: 6,
    serves: ['disorder'],
    begin: [
      { kind: 'weather', weather: { delay: { message: 'record', by: '3s', count: 500 } } },
      boxes('ignition', { on: true }),
    ],
    end: [boxes('ignition', { on: false })],
  },
  {
    name: 'doubled-messages',
    about: 'Messages reach the queue twice, as when their confirm is lost.',
    lengthS: 4,
    serves: ['duplicates'],
    begin: [{ kind: 'weather', weather: { double: { message: 'amqp-publish', count: 500 } } }],
    end: [],
  },
  {
    name: BROKER_AWAY,
    about: 'The AMQP broker is away: connections are cut, and none is taken.',
    lengthS: 7,
    serves: ['amqp-back-off', 'amqp-return', 'duplicates'],
    begin: [{ kind: 'broker', isAway: true }],
    end: [{ kind: 'broker', isAway: false }],
  },
  {
    name: 'quota-used-up',
    about:
      'Another instance of the client uses up its quota: requests are refused with 429 for some seconds.',
    lengthS: 8,
    serves: ['retry-after'],
    begin: [{ kind: 'quota' }],
    end: [],
    isByQuota: true,
  },
];

/**
 * The episodes of one round in the order in which they happen: those that serve one of the points, absent: all. The
 * order is drawn by `fraction` (0 to 1), except the first. Episodes by quota are excluded: they have their own time.
 */
export function roundOf(
  only: readonly PointName[] | undefined,
  fraction: () => number,
): { readonly inTurn: readonly Episode[]; readonly byQuota: readonly Episode[] } {
  const wanted = EPISODES.filter(
    ({ serves }, index) => index === 0 || only === undefined || serves.some((name) => only.includes(name)),
  );
  const [calm, ...others] = wanted.filter(({ isByQuota }) => isByQuota !== true);
  const drawn = others
    .map((episode) => ({ episode, at: fraction() }))
    .sort((one, other) => one.at - other.at)
    .map(({ episode }) => episode);
  return {
    inTurn: calm === undefined ? drawn : [calm, ...drawn],
    byQuota: wanted.filter(({ isByQuota }) => isByQuota === true),
  };
}
