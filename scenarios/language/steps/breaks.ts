import { z } from 'zod';
import { PERMISSIONS } from '../../../backend/access/permissions.ts';
import { TOPICS } from '../../../backend/events/topics.ts';
import { SIM_PROVIDER_NAMES } from '../../../simulator/sim-provider/names.ts';
import { signedSpan, span } from '../document/quantity.ts';
import { BOTH_WORLDS, type ChosenWord, onlyVirtual, type WordTable, wordRow } from '../document/word-row.ts';
import { limits } from '../limits.ts';

const nothing = z.strictObject({});

/** More than a clock can be off that still is one: a second in fifty. */
const MOST_PPM = 20_000;

/** Where in the way of a frame the backend can be made to crash: `[name, what has happened by then]`. */
export const CRASH_POINTS = {
  'after-receive': 'Frames are taken from the broker; nothing is stored.',
  'after-commit':
    'State and outgoing messages are stored; no receipt has gone down and nothing is published.',
  'after-publish': 'A message is with the exchange; its confirm has not come.',
  'publish-lost':
    'A message was handed to the connection to the exchange, which is lost with it: the exchange never gets it.',
  'before-mark': 'The confirm has come; that the message was sent is not yet stored.',
} as const;

/** What can break in a box. */
const BOX = {
  'brown-out': wordRow({
    settings: nothing,
    does: 'The supply voltage sinks below what the box needs, for a few seconds; it starts again after it.',
    example: {},
    worlds: BOTH_WORLDS,
  }),
  watchdog: wordRow({
    settings: nothing,
    does: 'The watchdog resets the box, in the midst of whatever it does.',
    example: {},
    worlds: BOTH_WORLDS,
  }),
  reset: wordRow({
    settings: z.strictObject({
      reason: z.enum(['GENERAL', 'BACKUP', 'WATCHDOG', 'SOFTWARE', 'USER', 'UNKNOWN', 'POWER_DOWN_MODE']),
    }),
    does: 'The box is reset from outside, with this reason in its next system status.',
    example: { reason: 'USER' },
    worlds: BOTH_WORLDS,
  }),
  'power-loss': wordRow({
    settings: nothing,
    does: 'The supply is cut, and the box lives on its backup battery as long as that lasts.',
    example: {},
    worlds: BOTH_WORLDS,
    lasts: true,
  }),
  'flash-full': wordRow({
    settings: nothing,
    does: 'The flash is full: the oldest records are dropped to make room, or replaced by a tombstone.',
    example: {},
    worlds: BOTH_WORLDS,
    lasts: true,
  }),
  'torn-write': wordRow({
    settings: nothing,
    does: 'The power of the box fails in its next write of a record, half of which is in the flash then; the box starts again, and takes it for none.',
    example: {},
    worlds: onlyVirtual('Over sockets the flash is a database, whose writes are whole or not at all.'),
    lasts: true,
  }),
  'lost-write': wordRow({
    settings: nothing,
    does: 'The power of the box fails before its next write of a record is in the flash; the box starts again without it.',
    example: {},
    worlds: BOTH_WORLDS,
    lasts: true,
  }),
  'flash-slow': wordRow({
    settings: z.strictObject({ by: span }),
    does: 'Every write to the flash of the box takes so much longer; the box does nothing else meanwhile.',
    example: { by: '500ms' },
    worlds: BOTH_WORLDS,
    lasts: true,
  }),
  'clock-jump': wordRow({
    settings: z.strictObject({ by: signedSpan }),
    does: "The box's clock jumps forward, or back with a minus.",
    example: { by: '-2h' },
    worlds: BOTH_WORLDS,
  }),
  'clock-drift': wordRow({
    settings: z.strictObject({ ppm: z.int().min(-MOST_PPM).max(MOST_PPM) }),
    does: "The box's clock runs fast by so many millionths, or slow with a minus; its firmware reckons with 100. When it ends, what the clock has gained stays.",
    example: { ppm: -20_000 },
    worlds: BOTH_WORLDS,
    lasts: true,
  }),
  'gnss-lost': wordRow({
    settings: nothing,
    does: 'The box receives no satellites: it has neither position nor time from them.',
    example: {},
    worlds: BOTH_WORLDS,
    lasts: true,
  }),
  wipe: wordRow({
    settings: nothing,
    does: 'The flash is wiped, as in a repair: the box begins a new journal epoch.',
    example: {},
    worlds: BOTH_WORLDS,
  }),
  hang: wordRow({
    settings: nothing,
    does: "The box's application hangs: commands arrive and are not answered, until the watchdog resets it.",
    example: {},
    worlds: BOTH_WORLDS,
    lasts: true,
  }),
  error: wordRow({
    settings: z.strictObject({
      text: z
        .string()
        .min(1)
        .max(64)
        .regex(/^[ -~]*$/, 'printable ASCII only'),
      once: z.boolean().default(true),
    }),
    does: 'Something in the box breaks: it answers the next command (once), or every one, with this error.',
    example: { text: 'output driver over temperature', once: true },
    worlds: BOTH_WORLDS,
    lasts: true,
  }),
  card: wordRow({
    settings: z.strictObject({
      provider: z.enum(SIM_PROVIDER_NAMES),
      recorded: z.boolean().default(true),
    }),
    does: 'Somebody changes the SIM card for one of this provider, and the box restarts with it; the service is told (recorded), or goes on asking the provider of the old card, which lies in a drawer.',
    example: { provider: 'harbour', recorded: false },
    worlds: BOTH_WORLDS,
    lasts: true,
  }),
  installation: wordRow({
    settings: z.strictObject({ obstacle: z.enum(['no-vehicle-bus', 'no-gnss', 'low-supply']) }),
    does: 'Something is wrong with how the box is built in; a setup that meets it fails.',
    example: { obstacle: 'no-gnss' },
    worlds: BOTH_WORLDS,
    lasts: true,
  }),
} as const satisfies WordTable;

const BROKER = {
  restart: wordRow({
    settings: z.strictObject({ sessions: z.enum(['kept', 'lost']).default('kept') }),
    does: 'The MQTT broker goes down and is back at once, or after `for`; with or without the sessions that it had.',
    example: { sessions: 'lost' },
    worlds: BOTH_WORLDS,
    lasts: true,
  }),
} as const satisfies WordTable;

const EXCHANGE = {
  down: wordRow({
    settings: nothing,
    does: 'The AMQP broker cannot be reached; its queues keep what they have.',
    example: {},
    worlds: BOTH_WORLDS,
    lasts: true,
  }),
  nack: wordRow({
    settings: nothing,
    does: 'The exchange refuses each message that is published.',
    example: {},
    worlds: BOTH_WORLDS,
    lasts: true,
  }),
  blocked: wordRow({
    settings: nothing,
    does: 'The exchange takes messages and confirms none, as a broker without memory does.',
    example: {},
    worlds: BOTH_WORLDS,
    lasts: true,
  }),
  'queue-deleted': wordRow({
    settings: z.strictObject({
      topic: z.enum(TOPICS.map(({ topic }) => topic)),
      fleet: z.enum(['own', 'partner', 'stranger']).default('own'),
    }),
    does: 'Somebody deletes the queue that a fleet has had for a topic since the beginning, with what lies in it.',
    example: { topic: 'VehicleState_v1', fleet: 'own' },
    worlds: onlyVirtual('Over sockets a consumer reads the queues, and would lose what it watches.'),
  }),
} as const satisfies WordTable;

const clientName = z.string().min(1).max(limits.nameCharacters);

const ACCESS = {
  'client-deleted': wordRow({
    settings: z.strictObject({ client: clientName }),
    does: 'An operator deletes the client, which keeps its tokens; after it the client is there again as it was.',
    example: { client: 'partner' },
    worlds: BOTH_WORLDS,
    lasts: true,
  }),
  'permissions-taken': wordRow({
    settings: z.strictObject({
      client: clientName,
      permissions: z.array(z.enum(PERMISSIONS.map((one) => one.name))).min(1),
    }),
    does: 'An operator takes these permissions from the client, which keeps its tokens; after it the client has them again.',
    example: { client: 'partner', permissions: ['vehicle-commands'] },
    worlds: BOTH_WORLDS,
    lasts: true,
  }),
} as const satisfies WordTable;

/** Of several backends this one, counted from 1. */
const which = z.int().min(1).max(limits.backends).meta({ format: 'backend' });

const ONLY_SEVERAL = 'Over sockets there is one backend.';

const BACKEND = {
  crash: wordRow({
    settings: z.strictObject({
      which: which.optional(),
      point: z.enum(Object.keys(CRASH_POINTS) as (keyof typeof CRASH_POINTS)[]).optional(),
    }),
    does: 'The backend dies as by kill -9, at once or when it next comes to that point; after `for` it starts again. Of several `backends` the one that is named, or that comes to the point; otherwise all.',
    example: { point: 'after-commit' },
    worlds: BOTH_WORLDS,
    lasts: true,
  }),
  restart: wordRow({
    settings: z.strictObject({ which: which.optional() }),
    does: 'The backend is stopped in good order and started again; of several the one that is named, otherwise one after the other.',
    example: {},
    worlds: BOTH_WORLDS,
  }),
  pause: wordRow({
    settings: z.strictObject({ which: which.default(1) }),
    does: 'One of several backends is paused, as a process that is stopped or a virtual machine that freezes; it wakes without knowing that time has passed.',
    example: { which: 2 },
    worlds: onlyVirtual(ONLY_SEVERAL),
    lasts: true,
  }),
  cut_off: wordRow({
    settings: z.strictObject({ from: z.enum(['mqtt', 'amqp', 'store']), which: which.default(1) }),
    does: 'One of several backends cannot reach the MQTT broker, the AMQP broker or the store; the others can.',
    example: { from: 'store', which: 2 },
    worlds: onlyVirtual(ONLY_SEVERAL),
    lasts: true,
  }),
  cut: wordRow({
    settings: nothing,
    does: "The backend's connection to the MQTT broker is severed; both ends learn of it.",
    example: {},
    worlds: BOTH_WORLDS,
  }),
  half_open: wordRow({
    settings: nothing,
    does: "What is sent on the backend's connection to the MQTT broker is lost, and an end learns of it only by the keep-alive.",
    example: {},
    worlds: BOTH_WORLDS,
    lasts: true,
  }),
  stall: wordRow({
    settings: nothing,
    does: "What is sent on the backend's connection to the MQTT broker waits; it arrives, in order, when the stall is over.",
    example: {},
    worlds: BOTH_WORLDS,
    lasts: true,
  }),
} as const satisfies WordTable;

const STORE = {
  full: wordRow({
    settings: nothing,
    does: 'The database can be read, and every write fails: the disk is full.',
    example: {},
    worlds: BOTH_WORLDS,
    lasts: true,
  }),
  slow: wordRow({
    settings: z.strictObject({ by: span }),
    does: 'Every call of the database takes so much longer.',
    example: { by: '2s' },
    worlds: BOTH_WORLDS,
    lasts: true,
  }),
  'commit-unknown': wordRow({
    settings: z.strictObject({ count: z.int().min(1).max(limits.mostMessages).default(1) }),
    does: 'The next `count` writes to the database, as many as come until it ends, are committed and answered with an error, as where a disk or a line fails behind the commit.',
    example: { count: 3 },
    worlds: BOTH_WORLDS,
    lasts: true,
  }),
  down: wordRow({
    settings: nothing,
    does: 'Every call of the database fails.',
    example: {},
    worlds: BOTH_WORLDS,
    lasts: true,
  }),
} as const satisfies WordTable;

const SIM_PROVIDER = {
  outage: wordRow({
    settings: z.strictObject({
      provider: z.enum(SIM_PROVIDER_NAMES),
      manner: z.enum(['error', 'silent', 'slow', 'rate-limited']).default('error'),
    }),
    does: "A SIM provider's interface fails in this manner.",
    example: { provider: 'meridian', manner: 'silent' },
    worlds: BOTH_WORLDS,
    lasts: true,
  }),
} as const satisfies WordTable;

const MAKER = {
  outage: wordRow({
    settings: z.strictObject({
      manner: z.enum(['error', 'rate-limit', 'silence', 'slow', 'nonsense']).default('error'),
      push: z.boolean().default(false),
    }),
    does: "The maker's cloud fails in this manner; with `push` it still tells of new states.",
    example: { manner: 'silence', push: false },
    worlds: BOTH_WORLDS,
    lasts: true,
  }),
} as const satisfies WordTable;

/** What can break, by its part: `break: { broker: restart }`, `break: { box: { clock-jump: { by: 2h } } }`. */
export const BREAKS = {
  box: BOX,
  broker: BROKER,
  exchange: EXCHANGE,
  backend: BACKEND,
  store: STORE,
  sim_provider: SIM_PROVIDER,
  maker: MAKER,
  access: ACCESS,
} as const satisfies Readonly<Record<string, WordTable>>;

export type PartName = keyof typeof BREAKS;

/** One broken part: `{ part: 'broker', name: 'restart', settings: { sessions: 'kept' } }`. */
export type Break = {
  [Part in PartName]: { readonly part: Part } & ChosenWord<(typeof BREAKS)[Part]>;
}[PartName];

export type CrashPoint = keyof typeof CRASH_POINTS;
