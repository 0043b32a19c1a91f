import type { AmqpConsumer, AmqpDelivery } from '../../../world/amqp/amqp-consumer.ts';

/** What stands between the service and whoever certifies it, and breaks one promise. */
export interface Breakage {
  answer?(request: Request, answer: Response): Promise<Response> | Response;
  /** What comes of a message. */
  deliver?(delivery: AmqpDelivery): readonly AmqpDelivery[];
}

type Body = Readonly<Record<string, unknown>>;

/** The answer with another body. */
async function withBody(answer: Response, change: (body: Body) => unknown): Promise<Response> {
  const text = JSON.stringify(change((await answer.json()) as Body));
  return new Response(text, { status: answer.status, headers: answer.headers });
}

function withHeader(answer: Response, name: string, value: string | undefined): Response {
  const headers = new Headers(answer.headers);
  if (value === undefined) headers.delete(name);
  else headers.set(name, value);
  return new Response(answer.body, { status: answer.status, headers });
}

function changedBody(
  delivery: AmqpDelivery,
  change: (body: { metadata: Body; data: Body }) => unknown,
): AmqpDelivery {
  const body = JSON.parse(new TextDecoder().decode(delivery.body)) as { metadata: Body; data: Body };
  return { ...delivery, body: new TextEncoder().encode(JSON.stringify(change(body))) };
}

const isCommand = (delivery: AmqpDelivery) => new TextDecoder().decode(delivery.body).includes('API_COMMAND');
function dataOf({ body }: AmqpDelivery): Body {
  return (JSON.parse(new TextDecoder().decode(body)) as { data: Body }).data;
}

const OTHER_ULID = '01ARZ3NDEKTSV4RRFFQ69G5FAV';

/** Drops of each vehicle one message of a report, between those of its first and its last command. */
function dropOneEach(): Breakage {
  const commands = new Map<unknown, number>();
  const dropped = new Set<unknown>();
  return {
    deliver(delivery) {
      if (!delivery.queue.startsWith('VehicleState')) return [delivery];
      const vehicle = dataOf(delivery)['vehicle_id'];
      const count = commands.get(vehicle) ?? 0;
      if (isCommand(delivery)) commands.set(vehicle, count + 1);
      if (dropped.has(vehicle) || isCommand(delivery) || count !== 1) return [delivery];
      dropped.add(vehicle);
      return [];
    },
  };
}

/** Holds one message back until a later one of its vehicle has come, received a second later or more. */
function swapped(): Breakage {
  let held: AmqpDelivery | undefined;
  let isOver = false;
  return {
    deliver(delivery) {
      if (isOver || !delivery.queue.startsWith('VehicleState')) return [delivery];
      if (held === undefined) {
        held = delivery;
        return [];
      }
      const [before, after] = [dataOf(held), dataOf(delivery)];
      if (before['vehicle_id'] !== after['vehicle_id'] || before['received_at'] === after['received_at'])
        return [delivery];
      isOver = true;
      return [delivery, held];
    },
  };
}

const PROBLEM = 'problem/404 resource-not-found GET /vehicles/{id}: unknown-id';

/** One broken promise each: what breaks it, and the point that has to find it. */
export const BREAKAGES: readonly (readonly [what: string, point: string, make: () => Breakage])[] = [
  [
    'a problem with another title',
    PROBLEM,
    () => ({
      answer: (_, answer) =>
        answer.status === 404 ? withBody(answer, (body) => ({ ...body, title: 'Not Found' })) : answer,
    }),
  ],
  [
    'a problem with another status',
    PROBLEM,
    () => ({
      answer: (_, answer) =>
        answer.status === 404 ? new Response(answer.body, { status: 410, headers: answer.headers }) : answer,
    }),
  ],
  [
    'a flow id that differs from the header',
    PROBLEM,
    () => ({
      answer: (_, answer) => withHeader(answer, 'x-service-flow-id', '11111111-1111-4111-8111-111111111111'),
    }),
  ],
  [
    'a refusal of no method',
    'problem/405 method-not-allowed GET /vehicles: wrong-method',
    () => ({
      answer: (_, answer) => (answer.status === 405 ? withHeader(answer, 'allow', undefined) : answer),
    }),
  ],
  [
    'a read without what the schema requires',
    'schema/GET /vehicles/{id}',
    () => ({
      answer: (request, answer) =>
        answer.ok && /\/vehicles\/[^/?]+$/.test(request.url) && request.method === 'GET'
          ? withBody(answer, ({ capabilities: _, ...rest }) => rest)
          : answer,
    }),
  ],
  [
    'a change that is not kept',
    'success/PATCH /vehicles/{id}',
    () => ({
      answer: (request, answer) =>
        answer.ok && request.method === 'PATCH'
          ? withBody(answer, (body) => ({ ...body, tags: [] }))
          : answer,
    }),
  ],
  [
    'a token type in capitals',
    'access/a token of client credentials',
    () => ({
      answer: (request, answer) =>
        answer.ok && request.url.includes('/auth/oauth/token')
          ? withBody(answer, (body) => ({ ...body, token_type: 'Bearer' }))
          : answer,
    }),
  ],
  ['a message that is dropped', 'message/records', dropOneEach],
  [
    'a message that comes twice under two ids',
    'message/ids',
    () => ({
      deliver: (delivery) => [
        delivery,
        changedBody(delivery, ({ metadata, ...rest }) => ({
          ...rest,
          metadata: { ...metadata, message_id: OTHER_ULID },
        })),
      ],
    }),
  ],
  [
    'a message of another vehicle',
    'message/commands',
    () => ({
      deliver: (delivery) => [
        changedBody(delivery, ({ data, ...rest }) => ({ ...rest, data: { ...data, vehicle_id: 'SWAPPED' } })),
      ],
    }),
  ],
  [
    'a header of AMQP that lies',
    'message/headers',
    () => ({
      deliver: (delivery) => [{ ...delivery, headers: { ...delivery.headers, 'Message-Version': '9.9.9' } }],
    }),
  ],
  ['messages in another order', 'message/order', swapped],
];

/** A consumer that gets what comes of each delivery. */
export function between(
  consumer: AmqpConsumer,
  change: (delivery: AmqpDelivery) => readonly AmqpDelivery[],
): AmqpConsumer {
  return {
    async open(options, events) {
      const session = await consumer.open(options, events);
      return {
        consume: (queue, how, take) =>
          session.consume(queue, how, (delivery) => {
            for (const one of change(delivery)) take(one);
            session.ack(delivery);
          }),
        // What comes of a delivery is acknowledged with it.
        ack: () => undefined,
        close: () => session.close(),
      };
    },
  };
}
