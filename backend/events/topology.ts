import {
  type AmqpPublisherSession,
  type AmqpQueueType,
  AmqpRefused,
} from '../../world/amqp/amqp-publisher.ts';
import { limits } from '../limits.ts';
import { EXCHANGE, routingKey } from './message.ts';

/** A queue that is declared and bound to one kind of message of a fleet. */
export interface FleetQueue {
  readonly name: string;
  readonly fleetId: string;
  /** `DamageDetected`; absent: `VehicleStateReceived`. */
  readonly messages?: string;
}

/** A queue that the broker refused to declare. */
export interface RefusedQueue {
  readonly name: string;
  /** For the operator: the queue, the argument, what to do. */
  readonly detail: string;
}

/**
 * Declares the exchange, the queues and their bindings; all durable, so that a repetition changes nothing.
 * Resolves with the queues that the broker refused; the others exist. Rejects with `AmqpRefused` if it
 * refuses the exchange itself, and with `AmqpConnectionLost`.
 */
export async function declareQueues(
  session: AmqpPublisherSession,
  queues: readonly FleetQueue[],
  type: AmqpQueueType | undefined,
): Promise<readonly RefusedQueue[]> {
  await session.declareExchange(EXCHANGE, 'topic');
  const refused: RefusedQueue[] = [];
  for (const queue of queues) {
    const refusal = await declareQueue(session, queue, type);
    if (refusal !== undefined) refused.push(refusal);
  }
  return refused;
}

async function declareQueue(
  session: AmqpPublisherSession,
  { name, fleetId, messages = 'VehicleStateReceived' }: FleetQueue,
  type: AmqpQueueType | undefined,
): Promise<RefusedQueue | undefined> {
  const bind = () => session.bind(name, EXCHANGE, routingKey({ fleetId, name: messages }));
  try {
    await session.declareQueue(name, {
      messageTtlMs: limits.messageTtlMs,
      ...(type === undefined ? {} : { type }),
    });
    await bind();
    return undefined;
  } catch (error) {
    // It was deleted between declaring and binding; the next connection declares it again.
    if (!(error instanceof AmqpRefused) || error.message.includes('NOT_FOUND')) throw error;
    return { name, detail: refusalOf(name, type, error) };
  }
}

/** RabbitMQ: `PRECONDITION_FAILED - inequivalent arg 'x-message-ttl' for queue ...: received ... but ...` */
const INEQUIVALENT = /inequivalent arg '([^']+)'/;

function refusalOf(name: string, type: AmqpQueueType | undefined, { message }: AmqpRefused): string {
  const argument = INEQUIVALENT.exec(message)?.[1];
  if (argument === undefined) return `The message broker refuses the queue ${name}: ${message}`;
  const needed: Readonly<Record<string, string>> = {
    'x-message-ttl': String(limits.messageTtlMs),
    'x-queue-type': type ?? 'classic',
    durable: 'true',
    exclusive: 'false',
    auto_delete: 'false',
  };
  return [
    `The message broker has a queue ${name} already, with another ${argument} than this service declares`,
    `${argument in needed ? ` (${needed[argument]})` : ''}. `,
    'Delete that queue at the broker, or choose another discriminator.',
  ].join('');
}
