import { z } from 'zod';
import { languageLimits } from '../../limits.ts';
import { rate, size, span } from '../document/quantity.ts';
import { BOTH_WORLDS, type ChosenWord, type WordTable, wordRow } from '../document/word-row.ts';

const nothing = z.strictObject({});
const count = z.int().min(1).max(languageLimits.mostMessages).default(1);

/** Messages in transit that can be lost, late, doubled or overtaken, one by one. */
export const MESSAGES = {
  puback: "The broker's PUBACK for a frame of the box.",
  receipt: "The backend's receipt, which lets a box forget what it has recorded.",
  'command-request': 'A command, or a configuration, on its way to the box.',
  'command-reply': "The box's reply to it.",
  'amqp-confirm': "The exchange's confirm for a published message. It is of no box: `on` does not matter.",
  record: 'A record of the box that is no reply: a report, an event, a heartbeat, a tombstone.',
  hello: "The box's hello, and its ready: what a connection begins with.",
  birth: 'The word of the box that it is there, which the broker retains.',
  'box-puback':
    "The box's PUBACK for a frame of the backend. Where it is lost with its connection, a broker with a persistent session sends the frame again.",
  'amqp-publish':
    'A message of the backend on its way to the exchange. It is of no box: `on` does not matter.',
} as const;

type MessageName = keyof typeof MESSAGES;

/** Built-in links, for weather that plays a recorded one. */
export const LINKS = {
  train: 'Three minutes on a train: a good link, a poor one, and in tunnels none for up to twelve seconds.',
  countryside:
    'A minute far from any mast: one to three packets in a second, and once none for five seconds.',
  crowd: 'Twenty seconds among too many others: a short burst, and then nothing for seconds.',
} as const;

const link = z.enum(Object.keys(LINKS) as (keyof typeof LINKS)[]);

const MESSAGE_NAMES = Object.keys(MESSAGES) as MessageName[];

/** The message that a fault of single messages does not take, and why: the exchange's, to which it cannot happen. */
export const NOT_FOR = {
  lose: {},
  delay: {
    'amqp-publish':
      'on an AMQP channel messages arrive in the order in which they were sent, so a single one cannot be late.',
  },
  double: {
    'amqp-confirm': 'a confirm names its message, and the second one for the same message has no effect.',
  },
  reorder: {
    'amqp-confirm': 'a confirm names its message, so the order of confirms has no meaning.',
    'amqp-publish':
      'on an AMQP channel messages arrive in the order in which they were sent, so that none overtakes another.',
  },
} as const satisfies Readonly<Record<string, Readonly<Partial<Record<MessageName, string>>>>>;

/** The message whose second copy cannot be late, and why. */
export const NOT_LATE: Readonly<Partial<Record<MessageName, string>>> = {
  puback: 'by then its packet identifier may be that of another frame, which would count as received.',
  'box-puback': 'by then its packet identifier may be that of another frame, which would count as received.',
  'amqp-publish':
    'on an AMQP channel messages arrive in the order in which they were sent, so the second one cannot be late.',
};

function named(messages: object): string {
  return Object.keys(messages)
    .map((name) => `\`${name}\``)
    .join(', ');
}

function messageFor<Fault extends keyof typeof NOT_FOR>(fault: Fault) {
  const names = MESSAGE_NAMES.filter((name) => !Object.hasOwn(NOT_FOR[fault], name));
  return z.enum(names as Exclude<MessageName, keyof (typeof NOT_FOR)[Fault]>[]);
}

/** Network faults of the boxes' connections. Names follow toxiproxy where it has one. */
export const WEATHER = {
  coverage: wordRow({
    settings: z.enum(['none', 'poor', 'good']),
    does: 'Radio coverage: none, and the link dies without a goodbye; poor, with a weak signal, latency and little bandwidth; or good.',
    example: 'none',
    worlds: BOTH_WORLDS,
    lasts: true,
  }),
  signal: wordRow({
    settings: z.int().min(0).max(31),
    does: 'The signal quality becomes this CSQ (3GPP TS 27.007: 0 is -113 dBm or less, 31 is -51 dBm or more).',
    example: 9,
    worlds: BOTH_WORLDS,
    lasts: true,
  }),
  cut: wordRow({
    settings: nothing,
    does: 'The connection is severed and both ends know at once; the box connects again.',
    example: {},
    worlds: BOTH_WORLDS,
  }),
  half_open: wordRow({
    settings: nothing,
    does: 'What is sent is lost, and neither end notices until the keep-alive times out.',
    example: {},
    worlds: BOTH_WORLDS,
    lasts: true,
  }),
  stall: wordRow({
    settings: nothing,
    does: 'What is sent waits; it arrives, in order, when the stall is over (toxiproxy: timeout 0).',
    example: {},
    worlds: BOTH_WORLDS,
    lasts: true,
  }),
  latency: wordRow({
    settings: z.strictObject({ base: span, jitter: span.prefault('0s') }),
    does: 'Everything takes this long, one way; up to the jitter is added, drawn for each packet.',
    example: { base: '300ms', jitter: '200ms' },
    worlds: BOTH_WORLDS,
    lasts: true,
    holdsBack: ['base', 'jitter'],
  }),
  bandwidth: wordRow({
    settings: z
      .strictObject({ up: rate.optional(), down: rate.optional() })
      .refine(({ up, down }) => up !== undefined || down !== undefined, 'up, down or both'),
    does: 'No more than this passes from the box (up) and to it (down).',
    example: { up: '9600bit/s', down: '64kbit/s' },
    worlds: BOTH_WORLDS,
    lasts: true,
  }),
  cell: wordRow({
    settings: z
      .strictObject({ up: rate.optional(), down: rate.optional() })
      .refine(({ up, down }) => up !== undefined || down !== undefined, 'up, down or both'),
    does: 'The boxes share a radio cell: no more than this passes from all of them together (up) and to all of them (down). What one sends waits for what others sent before it.',
    example: { up: '64kbit/s', down: '128kbit/s' },
    worlds: BOTH_WORLDS,
    lasts: true,
  }),
  reset_peer: wordRow({
    settings: z.strictObject({ after: span.prefault('0s') }),
    does: 'Each connection is reset that long after it was made, or at once where it is there.',
    example: { after: '5s' },
    worlds: BOTH_WORLDS,
    lasts: true,
  }),
  slow_close: wordRow({
    settings: z.strictObject({ delay: span }),
    does: 'The other end learns only after this delay that a connection has ended.',
    example: { delay: '20s' },
    worlds: BOTH_WORLDS,
    lasts: true,
    holdsBack: ['delay'],
  }),
  limit_data: wordRow({
    settings: z.strictObject({ after: size }),
    does: 'Each connection ends once so much has passed on it.',
    example: { after: '20kB' },
    worlds: BOTH_WORLDS,
    lasts: true,
  }),
  session_lost: wordRow({
    settings: nothing,
    does: 'The broker forgets the session of the box, and severs its connection.',
    example: {},
    worlds: BOTH_WORLDS,
  }),
  take_over: wordRow({
    settings: nothing,
    does: 'Another connection with the identity of the box takes its session over, and leaves.',
    example: {},
    worlds: BOTH_WORLDS,
  }),
  roaming: wordRow({
    settings: z.strictObject({ gap: span.prefault('20s') }),
    does: 'The box crosses a border: its network is lost, and after the gap it is on a foreign one.',
    example: { gap: '45s' },
    worlds: BOTH_WORLDS,
    lasts: true,
    holdsBack: ['gap'],
  }),
  sim: wordRow({
    settings: z.enum(['suspended', 'detached', 'active']),
    does: 'The SIM provider suspends, detaches or activates the card. A suspended one gets onto no network. A detached one loses its network, and registers again after 5 to 15 s, whatever `for` says.',
    example: 'suspended',
    worlds: BOTH_WORLDS,
    lasts: true,
  }),
  trace: wordRow({
    settings: z
      .strictObject({
        link: link.optional(),
        file: z.string().min(1).max(languageLimits.pathCharacters).optional(),
        direction: z.enum(['up', 'down', 'both']).default('both'),
      })
      .refine(
        (given) => (given.link === undefined) !== (given.file === undefined),
        'either link, which is built in, or file, which is next to the scenario',
      ),
    does: 'The link passes packets as a recorded one did: one that is built in (`link: train`), or a `file` in the mahimahi format next to the scenario, with a millisecond a line at which 1,500 bytes may pass; it repeats at its end.',
    example: { link: 'train', direction: 'both' },
    worlds: BOTH_WORLDS,
    lasts: true,
  }),
  lose: wordRow({
    settings: z.strictObject({
      message: messageFor('lose'),
      count,
      connection: z.enum(['cut', 'kept']).default('kept'),
    }),
    does: 'The next `count` messages of this kind, as many as come until it ends, never arrive; `cut` ends the connection with each, as when it died in that moment.',
    example: { message: 'puback', count: 1, connection: 'cut' },
    worlds: BOTH_WORLDS,
    lasts: true,
  }),
  delay: wordRow({
    settings: z.strictObject({ message: messageFor('delay'), by: span, count }),
    does: 'The next `count` messages of this kind, as many as come until it ends, arrive that much later; what was sent after them passes them.',
    example: { message: 'receipt', by: '30s', count: 3 },
    worlds: BOTH_WORLDS,
    lasts: true,
  }),
  double: wordRow({
    settings: z
      .strictObject({ message: messageFor('double'), by: span.optional(), count })
      .refine(
        ({ message, by }) => by === undefined || NOT_LATE[message] === undefined,
        'without `by` for this message',
      ),
    does: `The next \`count\` messages of this kind, as many as come until it ends, arrive twice, one right behind the other. With \`by\` the second one comes that much later, with QoS 0, also after a reset of the box or in a new session: where its connection has ended by then, it comes behind the next message of its direction on a later one. \`by\` is not for ${named(NOT_LATE)}.`,
    example: { message: 'command-request', count: 1 },
    worlds: BOTH_WORLDS,
    lasts: true,
  }),
  reorder: wordRow({
    settings: z.strictObject({
      message: messageFor('reorder'),
      count,
      within: span.prefault('5s'),
    }),
    does: 'The next `count` messages of this kind, as many as come until it ends, are each overtaken by what is sent next in the same direction; where nothing is `within` that time, it goes on alone.',
    example: { message: 'record', count: 2, within: '10s' },
    worlds: BOTH_WORLDS,
    lasts: true,
  }),
} as const satisfies WordTable;

export type Weather = ChosenWord<typeof WEATHER>;
export type WeatherName = Weather['name'];
export type MessageKind = MessageName;
export type LinkName = keyof typeof LINKS;
