import { z } from 'zod';
import { TOPICS } from '../../../contract/messages.ts';
import { PERMISSIONS } from '../../../contract/permissions.ts';
import { SIM_PROVIDER_NAMES } from '../../../simulator/box-plan.ts';
import { languageLimits } from '../../limits.ts';
import { BOTH_WORLDS, type ChosenWord, onlyVirtual, type WordTable, wordRow } from '../document/word-row.ts';
import { BACKEND_BREAKS, STORE_BREAKS } from './backend-breaks.ts';
import { BOX_BREAKS } from './box-breaks.ts';

const nothing = z.strictObject({});

const BROKER = {
  restart: wordRow({
    settings: z.strictObject({ sessions: z.enum(['kept', 'lost']).default('kept') }),
    does: 'The MQTT broker goes down and is back at once, or after `for`; with or without the sessions that it had.',
    example: { sessions: 'lost' },
    worlds: BOTH_WORLDS,
    lasts: true,
  }),
  'no-majority': wordRow({
    settings: nothing,
    does: 'The MQTT broker keeps its connections, answers pings and takes nothing: no message, no subscription, no new session. So is one node of a cluster that has lost the others.',
    example: {},
    worlds: onlyVirtual('Over sockets the broker is not ours to break in this way.'),
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
    does: 'The queue that a fleet has for a topic from the start is deleted, with its messages.',
    example: { topic: 'VehicleState_v1', fleet: 'own' },
    worlds: onlyVirtual('Over sockets a consumer reads the queues, and would lose what it watches.'),
  }),
} as const satisfies WordTable;

const clientName = z.string().min(1).max(languageLimits.nameCharacters);

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
    does: "The maker's cloud fails in this manner; with `push` it still reports new states.",
    example: { manner: 'silence', push: false },
    worlds: BOTH_WORLDS,
    lasts: true,
  }),
} as const satisfies WordTable;

/** What can break, by its part: `break: { broker: restart }`, `break: { box: { clock-jump: { by: 2h } } }`. */
export const BREAKS = {
  box: BOX_BREAKS,
  broker: BROKER,
  exchange: EXCHANGE,
  backend: BACKEND_BREAKS,
  store: STORE_BREAKS,
  sim_provider: SIM_PROVIDER,
  maker: MAKER,
  access: ACCESS,
} as const satisfies Readonly<Record<string, WordTable>>;

export type PartName = keyof typeof BREAKS;
/** A break by its part and name: `broker restart`. */
export type BreakKey = { [Part in PartName]: `${Part} ${keyof (typeof BREAKS)[Part] & string}` }[PartName];

/** One broken part: `{ part: 'broker', name: 'restart', settings: { sessions: 'kept' } }`. */
export type Break = {
  [Part in PartName]: { readonly part: Part } & ChosenWord<(typeof BREAKS)[Part]>;
}[PartName];
