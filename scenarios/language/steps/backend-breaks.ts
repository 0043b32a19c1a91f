import { z } from 'zod';
import { languageLimits } from '../../limits.ts';
import { span } from '../document/quantity.ts';
import { BOTH_WORLDS, onlyVirtual, type WordTable, wordRow } from '../document/word-row.ts';

const nothing = z.strictObject({});

/** The points in the processing of a frame at which the backend can crash: `[name, what has happened by then]`. */
export const CRASH_POINTS = {
  'after-receive': 'Frames are taken from the broker; nothing is stored.',
  'after-commit':
    'State and outgoing messages are stored; no receipt has gone down and nothing is published.',
  'after-publish': 'A message is with the exchange; its confirm has not come.',
  'publish-lost':
    'A message was handed to the connection to the exchange, which is lost with it: the exchange never gets it.',
  'before-mark': 'The confirm has come; that the message was sent is not yet stored.',
} as const;

export type CrashPoint = keyof typeof CRASH_POINTS;

/** Of several backends this one, counted from 1. */
const which = z.int().min(1).max(languageLimits.backends).meta({ format: 'backend' });

const ONLY_SEVERAL = 'Over sockets there is one backend.';

/** What can break in a backend. */
export const BACKEND_BREAKS = {
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
  wake_ups_lost: wordRow({
    settings: z.strictObject({ which: which.optional() }),
    does: 'The backends, or the one that is named, get no notifications from the store about the commits of others: the notifications go to a dead connection. They poll instead.',
    example: { which: 2 },
    worlds: onlyVirtual(ONLY_SEVERAL),
    lasts: true,
  }),
  wake_ups_late: wordRow({
    settings: z.strictObject({ by: span, which: which.optional() }),
    does: 'The backends hear so much later through the store what others have committed, or the one that is named does.',
    example: { by: '4s' },
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

/** What can break in the store of the backends. */
export const STORE_BREAKS = {
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
    settings: z.strictObject({ count: z.int().min(1).max(languageLimits.mostMessages).default(1) }),
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
