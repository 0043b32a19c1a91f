import { createRoute, z } from '@hono/zod-openapi';
import { LIMITS } from '../../../contract/limits.ts';
import { TOPICS } from '../../../contract/messages.ts';
import { RECORD_OPERATIONS } from '../../../contract/operations.ts';
import { problem } from '../../../contract/problems.ts';
import { refuseBody } from '../../base/body.ts';
import { dateTime } from '../../base/date-time.ts';
import { quote } from '../../base/quoted-text.ts';
import type { QueueAccounts } from '../../events/accounts.ts';
import type { Subscription } from '../../store/port/subscription-store.ts';
import type { Subscriptions } from '../../subscriptions/subscriptions.ts';
import type { App } from '../app.ts';
import type { Authorize } from '../authorize.ts';
import { refuse } from '../environment.ts';
import { documentedProblems, noParameters, routeOf } from '../openapi/documented.ts';

export interface SubscriptionRoutesParts {
  readonly subscriptions: Subscriptions;
  readonly authorize: Authorize;
}

/** POST, GET and DELETE of message subscriptions. */
export function subscriptionRoutes(app: App, { subscriptions, authorize }: SubscriptionRoutesParts): void {
  const { accounts } = subscriptions;

  app.openapi({ ...creation, middleware: [authorize(RECORD_OPERATIONS.subscribe)] as const }, async (c) => {
    const { queue_discriminator: discriminator, topics } = c.req.valid('json');
    const made = await subscriptions.subscribe({ fleetId: c.get('caller').fleetId, discriminator, topics });
    if ('problem' in made) return refuse(c, made);
    const { subscription, username, password } = made;
    c.header('Location', `${c.get('baseUrl')}${RECORD_OPERATIONS.subscribe.path}/${subscription.id}`);
    return c.json({ ...subscriptionBody(subscription, accounts), username, password }, 201);
  });

  app.openapi(
    { ...list, middleware: [authorize(RECORD_OPERATIONS['list-subscriptions'])] as const },
    async (c) => {
      const found = await subscriptions.ofFleet(c.get('caller').fleetId);
      return c.json({ items: found.map((one) => subscriptionBody(one, accounts)) }, 200);
    },
  );

  app.openapi(
    { ...single, middleware: [authorize(RECORD_OPERATIONS['read-subscription'])] as const },
    async (c) => {
      const { subscription_id: id } = c.req.valid('param');
      const found = await subscriptions.find(c.get('caller').fleetId, id);
      return found === undefined ? refuse(c, unknown(id)) : c.json(subscriptionBody(found, accounts), 200);
    },
  );

  app.openapi(
    { ...deletion, middleware: [authorize(RECORD_OPERATIONS['cancel-subscription'])] as const },
    async (c) => {
      const refusedBody = refuseBody(c.get('body'));
      if (refusedBody !== undefined) return refuse(c, refusedBody);
      const { subscription_id: id } = c.req.valid('param');
      const ended = await subscriptions.cancel(c.get('caller').fleetId, id);
      if (ended === 'unknown') return refuse(c, unknown(id));
      return ended === 'ended' ? c.body(null, 204) : refuse(c, ended);
    },
  );
}

function unknown(id: string) {
  return problem('resource-not-found', `There is no message subscription with the id ${quote(id)}.`);
}

const TOPIC_NAMES = TOPICS.map(({ topic }) => topic);
const DISCRIMINATOR_RULE = `must have 1 to ${LIMITS.subscription.discriminatorCharacters} characters of A-Z, a-z, 0-9, '.', '_' and '-'`;
const discriminatorField = z
  .string()
  .regex(new RegExp(`^[A-Za-z0-9._-]{1,${LIMITS.subscription.discriminatorCharacters}}$`), DISCRIMINATOR_RULE)
  .openapi({
    description: 'The suffix of the queue names, chosen by the fleet: no other fleet can have the same.',
    example: 'depot-1',
  });

const subscribeSchema = z
  .strictObject({
    queue_discriminator: discriminatorField,
    topics: z
      .array(z.enum(TOPIC_NAMES))
      .min(1)
      .max(TOPIC_NAMES.length)
      .refine((topics) => new Set(topics).size === topics.length, 'must name each topic once')
      .openapi({ uniqueItems: true, description: 'The topics, each once; a queue is created for each.' }),
  })
  .describe('The topics to subscribe to, and the suffix of the queue names.')
  .openapi('NewMessageSubscription');

const fields = {
  id: z.string().openapi({ description: 'The id of the subscription, a ULID.' }),
  queue_discriminator: z.string().describe('The suffix of its queue names.'),
  topics: z.array(z.string()).describe('The subscribed topics.'),
  created_at: z.iso.datetime().describe('When it was created (UTC).'),
  host: z.string().optional().openapi({ description: 'The host of the message broker, for consumers.' }),
  port: z.int().optional().describe('The port of the message broker.'),
  virtual_host: z.string().optional().describe('The virtual host in which the queues are.'),
  username: z.string().optional().describe('The account that reads the queues.'),
  queues: z
    .array(
      z.strictObject({
        topic: z.string().describe('The topic of the queue.'),
        name: z.string().describe('The full name of the queue.'),
      }),
    )
    .describe('A queue for each topic.'),
};

const subscriptionSchema = z
  .strictObject(fields)
  .describe('A message subscription, with all that a consumer needs to connect, except the password.')
  .openapi('MessageSubscription');

const listSchema = z
  .strictObject({ items: z.array(subscriptionSchema).describe('The subscriptions, the oldest first.') })
  .describe("The fleet's message subscriptions.");

const subscriptionParameters = z.object({
  subscription_id: z.string().openapi({
    param: { name: 'subscription_id', in: 'path' },
    description: 'The id of the subscription.',
  }),
});

const creation = createRoute({
  ...routeOf(RECORD_OPERATIONS.subscribe),
  description:
    'Answered once a consumer can connect and messages of the fleet reach the queues. The password is returned only this once.',
  request: {
    query: noParameters,
    body: { required: true, content: { 'application/json': { schema: subscribeSchema } } },
  },
  responses: {
    201: {
      description: 'The subscription, with all that a consumer needs to connect.',
      headers: z.object({
        Location: z.string().openapi({ description: 'The address of the subscription.' }),
      }),
      content: {
        'application/json': {
          schema: z
            .strictObject({
              ...fields,
              username: z.string().describe('The account that reads the queues.'),
              password: z.string().openapi({ description: 'Returned only this once, and not stored.' }),
            })
            .describe('A message subscription with its password.')
            .openapi('MadeMessageSubscription'),
        },
      },
    },
    ...documentedProblems(RECORD_OPERATIONS.subscribe.problems),
  },
});

const list = createRoute({
  ...routeOf(RECORD_OPERATIONS['list-subscriptions']),
  request: { query: noParameters },
  responses: {
    200: {
      description: 'All of them, without their passwords.',
      content: { 'application/json': { schema: listSchema } },
    },
    ...documentedProblems(RECORD_OPERATIONS['list-subscriptions'].problems),
  },
});

const single = createRoute({
  ...routeOf(RECORD_OPERATIONS['read-subscription']),
  request: { params: subscriptionParameters, query: noParameters },
  responses: {
    200: {
      description: 'The subscription, without its password.',
      content: { 'application/json': { schema: subscriptionSchema } },
    },
    ...documentedProblems(RECORD_OPERATIONS['read-subscription'].problems),
  },
});

const deletion = createRoute({
  ...routeOf(RECORD_OPERATIONS['cancel-subscription']),
  description:
    'Its queues are deleted with their messages, and so is its account; connections of that account are closed.',
  request: { params: subscriptionParameters, query: noParameters },
  responses: {
    204: { description: 'It is deleted.' },
    ...documentedProblems(RECORD_OPERATIONS['cancel-subscription'].problems),
  },
});

/** What a subscription is answered with. The broker's address is absent if the settings no longer have it. */
function subscriptionBody(
  { id, discriminator, user, queues, createdMs }: Subscription,
  accounts: QueueAccounts | undefined,
) {
  const username = user?.username ?? accounts?.shared()?.username;
  return {
    id,
    queue_discriminator: discriminator,
    topics: queues.map(({ topic }) => topic),
    created_at: dateTime(createdMs),
    ...(accounts === undefined
      ? {}
      : {
          host: accounts.address.host,
          port: accounts.address.port,
          virtual_host: accounts.address.virtualHost,
        }),
    ...(username === undefined ? {} : { username }),
    queues: queues.map(({ topic, name }) => ({ topic, name })),
  };
}
