import type { Break, PartName } from '../../../language/steps/breaks.ts';
import type { WeatherName } from '../../../language/steps/weather.ts';

/** When a word of weather or a break counts as having an effect, and the warning where it has none. */
export interface EffectRow {
  /** Completes "it has an effect when ...". */
  readonly when: string;
  /** The text of the warning; absent: it always has an effect. */
  readonly missed?: string;
  /**
   * Why it is unknown over sockets, or not always known: the report quotes this. Absent: it is known there too, if
   * the word is available.
   */
  readonly notOverSockets?: string;
}

const PACKETS = 'a packet was sent on the link of a box, or was on its way';
const NOTHING_SENT = 'nothing was sent on the link of any box while it lasted';
const ALREADY_OFF = 'every box was without power already';

/** By the name of the weather. */
export const WEATHER_EFFECTS = {
  coverage: {
    when: 'none: a box was on a network or looked for one; poor: a packet was sent on its link, or the box measured its signal; good: it was not good before',
    missed: 'no box was on a network or looked for one while it lasted',
  },
  signal: {
    when: 'a box measured its signal, as for each record, or sent something by a radio as on a road',
    missed: 'no box measured its signal while it lasted',
  },
  cut: { when: 'a box had a connection', missed: 'no box had a connection' },
  half_open: { when: `${PACKETS}; a ping counts`, missed: NOTHING_SENT },
  stall: { when: PACKETS, missed: NOTHING_SENT },
  latency: { when: PACKETS, missed: NOTHING_SENT },
  bandwidth: { when: PACKETS, missed: NOTHING_SENT },
  cell: { when: PACKETS, missed: NOTHING_SENT },
  reset_peer: {
    when: 'a connection became as old as that',
    missed: 'no connection became old enough to be reset while it lasted',
  },
  slow_close: {
    when: 'an end of a connection closed it',
    missed: 'no connection was closed while it lasted',
  },
  limit_data: {
    when: 'more than that passed on a connection',
    missed: 'so much never passed on a connection while it lasted',
  },
  session_lost: {
    when: 'the broker had a session of a box',
    missed: 'the broker had no session of any box',
    notOverSockets: 'What the broker keeps of a box that is away cannot be known.',
  },
  take_over: { when: 'a box had a connection', missed: 'no box had a connection' },
  roaming: { when: 'it is there: the networks around the vehicle are others, and none for a while after it' },
  sim: { when: 'a card was in another state before', missed: 'every card was so already' },
  trace: { when: PACKETS, missed: NOTHING_SENT },
  lose: { when: 'such a message came', missed: 'no such message came while it lasted' },
  delay: { when: 'such a message came', missed: 'no such message came while it lasted' },
  double: { when: 'such a message came', missed: 'no such message came while it lasted' },
  reorder: {
    when: 'such a message came, and another one overtook it',
    missed: 'nothing was sent behind such a message in time to overtake it',
  },
} as const satisfies Readonly<Record<WeatherName, EffectRow>>;

/** By the part that breaks, and the name of the break. */
export const BREAK_EFFECTS = {
  box: {
    'brown-out': { when: 'it is there: the supply sinks, whatever the box does' },
    watchdog: { when: 'a box had power', missed: ALREADY_OFF },
    reset: { when: 'a box had power', missed: ALREADY_OFF },
    'power-loss': { when: 'a box had power', missed: ALREADY_OFF },
    'flash-full': {
      when: 'a box had something to record',
      missed: 'no box recorded anything while it lasted',
    },
    'torn-write': { when: 'a box wrote a record', missed: 'no box wrote a record while it lasted' },
    'lost-write': { when: 'a box wrote a record', missed: 'no box wrote a record while it lasted' },
    'flash-slow': { when: 'a box wrote to its flash', missed: 'no box wrote to its flash while it lasted' },
    'clock-jump': { when: 'the clock is another one after it', missed: 'no clock jumps by nothing' },
    'clock-drift': { when: 'the clock runs at another pace', missed: 'no clock drifts by nothing' },
    'gnss-lost': { when: 'a box was up', missed: 'no box was up while it lasted' },
    wipe: { when: 'it is there: the flash is another one at once' },
    hang: {
      when: 'something came to a box that it would have dealt with: a message, a phone, a change of its vehicle; or its watchdog reset it',
      missed: 'nothing came to any box while it lasted',
    },
    error: {
      when: 'a command, a configuration or a phone was answered with it',
      missed: 'no box had anything to answer while it lasted',
    },
    card: { when: 'a box had another card before', missed: 'every box had a card of that provider already' },
    installation: {
      when: 'a setup went on, or a box recorded something or powered down',
      missed: 'no setup went on and no box recorded anything while it lasted',
    },
  },
  broker: {
    restart: {
      when: 'a client had a connection or a session, or tried to connect',
      missed: 'no client had a connection to the broker while it lasted',
      notOverSockets: 'Whose sessions the broker keeps while they are away cannot be known.',
    },
    'no-majority': {
      when: 'a client sent something that it refused, or a will was lost',
      missed: 'no client sent anything to the broker while it lasted',
    },
  },
  exchange: {
    down: {
      when: 'a backend had a connection, or tried to connect',
      missed: 'no backend had a connection to the exchange, or tried to connect, while it lasted',
    },
    nack: { when: 'a message was published', missed: 'nothing was published while it lasted' },
    blocked: {
      when: 'a message was published, or waited for it',
      missed: 'nothing was to be published while it lasted',
    },
    'queue-deleted': { when: 'there was such a queue', missed: 'there was no such queue' },
  },
  backend: {
    crash: {
      when: 'the backend was up, and came to the point, if there is one',
      missed: 'the backend was down already',
    },
    restart: { when: 'a backend was up', missed: 'every backend was down already' },
    pause: {
      when: 'something was to reach the backend',
      missed: 'nothing was to reach the backend while it lasted',
    },
    cut_off: {
      when: 'the backend had a connection to that peer, or asked it something',
      missed: 'the backend did not need that peer while it lasted',
    },
    wake_ups_lost: {
      when: 'a commit was made that a backend waits for',
      missed: 'no commit was made that a backend waits for while it lasted',
    },
    wake_ups_late: {
      when: 'a commit was made that a backend waits for',
      missed: 'no commit was made that a backend waits for while it lasted',
    },
    cut: {
      when: 'the backend had a connection to the MQTT broker',
      missed: 'the backend had no connection to the MQTT broker',
    },
    half_open: {
      when: 'a packet was sent on that connection, or was on its way; a ping counts',
      missed: 'nothing was sent on the connection of the backend while it lasted',
    },
    stall: {
      when: 'a packet was sent on that connection, or was on its way',
      missed: 'nothing was sent on the connection of the backend while it lasted',
    },
  },
  store: {
    full: {
      when: 'something was written to the database',
      missed: 'nothing was written to the store while it lasted',
    },
    slow: { when: 'the database was asked', missed: 'the store got no request while it lasted' },
    'commit-unknown': {
      when: 'something was written to the database',
      missed: 'nothing was written while it lasted',
    },
    down: { when: 'the database was asked', missed: 'the store got no request while it lasted' },
  },
  sim_provider: {
    outage: { when: 'the provider was asked', missed: 'the provider got no request while it lasted' },
  },
  maker: {
    outage: {
      when: "the maker's cloud got a request, or withheld a new state",
      missed: "the maker's cloud got no request while it lasted, and had no new state",
    },
  },
  access: {
    'client-deleted': {
      when: 'the client asked something',
      missed: 'the client asked nothing while it lasted',
    },
    'permissions-taken': {
      when: 'the client had one of the permissions, and asked something',
      missed: 'the client asked nothing while it lasted',
    },
  },
} as const satisfies {
  readonly [Part in PartName]: Readonly<Record<Extract<Break, { readonly part: Part }>['name'], EffectRow>>;
};
