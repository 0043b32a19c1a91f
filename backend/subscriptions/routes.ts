import { createRoute, z } from '@hono/zod-openapi';
import type { QueueAccounts } from '../events/accounts.ts';
import { TOPICS } from '../events/topics.ts';
import type { App } from '../http/app.ts';
import type { Authorize } from '../http/authorize.ts';
import { refuseBody } from '../http/body.ts';
import { dateTime } from '../http/date-time.ts';
import { refuse } from '../http/environment.ts';
import { documentedProblems, noParameters } from '../http/openapi/documented.ts';
import { problem } from '../http/problem.ts';
import { quote } from '../http/quoted-text.ts';
import type { Subscription } from '../store/port/subscription-store.ts';
import { subscriptionLimits } from './limits.ts';
import type { Subscriptions } from './subscriptions.ts';

export interface SubscriptionRoutesParts {
  readonly subscriptions: Subscriptions;
  readonly authorize: Authorize;
}

const SUBSCRIPTIONS_PATH = '/message-subscriptions';
const SUBSCRIBING = { scope: 'MESSAGE_SUBSCRIPTIONS', permission: 'message-subscriptions' } as const;

/** POST, GET and DELETE of message subscriptions. */
export function subscriptionRoutes(app: App, { subscriptions, authorize }: SubscriptionRoutesParts): void {
  const guard = authorize(SUBSCRIBING);
  const { accounts } = subscriptions;

  app.openapi({ ...creation, middleware: [guard] as const }, async (c) => {
    const { queue_discriminator: discriminator, topics } = c.req.valid('json');
    const made = await subscriptions.subscribe({ fleetId: c.get('caller').fleetId, discriminator, topics });
    if ('problem' in made) return refuse(c, made);
    const { subscription, username, password } = made;
    c.header('Location', `${c.get('baseUrl')}${SUBSCRIPTIONS_PATH}/${subscription.id}`);
    return c.json({ ...subscriptionBody(subscription, accounts), username, password }, 201);
  });

  app.openapi({ ...list, middleware: [guard] as const }, async (c) => {
    const found = await subscriptions.ofFleet(c.get('caller').fleetId);
    return c.json({ items: found.map((one) => subscriptionBody(one, accounts)) }, 200);
  });

  app.openapi({ ...single, middleware: [guard] as const }, async (c) => {
    const { subscription_id: id } = c.req.valid('param');
    const found = await subscriptions.find(c.get('caller').fleetId, id);
    return found === undefined ? refuse(c, unknown(id)) : c.json(subscriptionBody(found, accounts), 200);
  });

  app.openapi({ ...deletion, middleware: [guard] as const }, async (c) => {
    const refusedBody = refuseBody(c.get('body'));
    if (refusedBody !== undefined) return refuse(c, refusedBody);
    const { subscription_id: id } = c.req.valid('param');
    const ended = await subscriptions.cancel(c.get('caller').fleetId, id);
    if (ended === 'unknown') return refuse(c, unknown(id));
    return ended === 'ended' ? c.body(null, 204) : refuse(c, ended);
  });
}

function unknown(id: string) {
  return problem('resource-not-found', `There is no message subscription with the id ${quote(id)}.`);
}

const TOPIC_NAMES = TOPICS.map(({ topic }) => topic);
const DISCRIMINATOR_RULE = `must have 1 to ${subscriptionLimits.discriminatorCharacters} characters of A-Z, a-z, 0-9, '.', '_' and '-'`;
const discriminatorField = z
  .string()
  .regex(new RegExp(`^[A-Za-z0-9._-]{1,${subscriptionLimits.discriminatorCharacters}}$`), DISCRIMINATOR_RULE)
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

const TAGS = ['Message Subscriptions'];

const creation = createRoute({
  method: 'post',
  path: SUBSCRIPTIONS_PATH,
  tags: TAGS,
  summary: 'Subscribes to topics: creates a queue for each and an account that reads them.',
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
    ...documentedProblems(['conflicting-resource']),
  },
});

const list = createRoute({
  method: 'get',
  path: SUBSCRIPTIONS_PATH,
  tags: TAGS,
  summary: "Lists the fleet's message subscriptions, the oldest first.",
  request: { query: noParameters },
  responses: {
    200: {
      description: 'All of them, without their passwords.',
      content: { 'application/json': { schema: listSchema } },
    },
    ...documentedProblems([]),
  },
});

const single = createRoute({
  method: 'get',
  path: `${SUBSCRIPTIONS_PATH}/{subscription_id}`,
  tags: TAGS,
  summary: 'A message subscription.',
  request: { params: subscriptionParameters, query: noParameters },
  responses: {
    200: {
      description: 'The subscription, without its password.',
      content: { 'application/json': { schema: subscriptionSchema } },
    },
    ...documentedProblems(['resource-not-found']),
  },
});

const deletion = createRoute({
  method: 'delete',
  path: `${SUBSCRIPTIONS_PATH}/{subscription_id}`,
  tags: TAGS,
  summary: 'Deletes a message subscription.',
  description:
    'Its queues are deleted with their messages, and so is its account; connections of that account are closed.',
  request: { params: subscriptionParameters, query: noParameters },
  responses: {
    204: { description: 'It is deleted.' },
    ...documentedProblems(['resource-not-found']),
  },
});

/** What a subscription is answered with. Where the settings name no broker's address any more, that is absent. */
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
