import { LIMITS } from '../../contract/limits.ts';
import {
  type AmqpPublisherSession,
  type AmqpQueueType,
  AmqpRefused,
} from '../../world/amqp/amqp-publisher.ts';
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
  /** For the operator: the queue, the argument, the remedy. */
  readonly detail: string;
}

/** The result of declaring queues; those in none of the lists are as requested. */
export interface DeclaredQueues {
  readonly refused: readonly RefusedQueue[];
  /** They are at a node of the broker's cluster that is down, and accept nothing until it is back. */
  readonly unreachable: readonly FleetQueue[];
  /** Names of those that existed with the other type, and keep it. */
  readonly otherType: readonly string[];
}

/**
 * Declares the exchange, the queues and their bindings; all durable, so that a repetition changes nothing. A queue
 * cannot change its type: an existing one keeps it. Rejects with `AmqpRefused` if the broker refuses the exchange
 * itself, and with `AmqpConnectionLost`.
 */
export async function declareQueues(
  session: AmqpPublisherSession,
  queues: readonly FleetQueue[],
  type: AmqpQueueType | undefined,
): Promise<DeclaredQueues> {
  await session.declareExchange(EXCHANGE, 'topic');
  const refused: RefusedQueue[] = [];
  const unreachable: FleetQueue[] = [];
  const otherType: string[] = [];
  for (const queue of queues) {
    const outcome = await declareQueue(session, queue, type);
    if (outcome === 'unreachable') unreachable.push(queue);
    else if (outcome === 'other-type') otherType.push(queue.name);
    else if (outcome !== 'declared') refused.push(outcome);
  }
  return { refused, unreachable, otherType };
}

async function declareQueue(
  session: AmqpPublisherSession,
  { name, fleetId, messages = 'VehicleStateReceived' }: FleetQueue,
  type: AmqpQueueType | undefined,
): Promise<'declared' | 'other-type' | 'unreachable' | RefusedQueue> {
  try {
    const outcome = await declareOrKeep(session, name, type);
    await session.bind(name, EXCHANGE, routingKey({ fleetId, name: messages }));
    return outcome;
  } catch (error) {
    if (!(error instanceof AmqpRefused)) throw error;
    if (isNodeDown(error)) return 'unreachable';
    // It was deleted between declaring and binding; the next connection declares it again.
    if (error.message.includes('NOT_FOUND')) throw error;
    return { name, detail: refusalOf(name, type, error) };
  }
}

async function declareOrKeep(
  session: AmqpPublisherSession,
  name: string,
  type: AmqpQueueType | undefined,
): Promise<'declared' | 'other-type'> {
  const declare = (declared: AmqpQueueType | undefined) =>
    session.declareQueue(name, {
      messageTtlMs: LIMITS.subscription.messageTtlMs,
      ...(declared === undefined ? {} : { type: declared }),
    });
  try {
    await declare(type);
    return 'declared';
  } catch (error) {
    if (!isOfOtherType(error)) throw error;
    // Not passively: its other arguments must be correct.
    await declare(type === 'quorum' ? 'classic' : 'quorum').catch((second: unknown) => {
      throw isOfOtherType(second) ? error : second;
    });
    return 'other-type';
  }
}

/**
 * Whether the broker refuses because a node of its cluster is down: RabbitMQ's `NOT_FOUND - home node 'rabbit@one' of
 * durable queue 'name' in vhost '/' is down or inaccessible`.
 */
export function isNodeDown({ message }: AmqpRefused): boolean {
  return message.includes('down or inaccessible');
}

/** RabbitMQ: `PRECONDITION_FAILED - inequivalent arg 'x-message-ttl' for queue ...: received ... but ...` */
const INEQUIVALENT = /inequivalent arg '([^']+)'/;

function isOfOtherType(error: unknown): boolean {
  return error instanceof AmqpRefused && INEQUIVALENT.exec(error.message)?.[1] === 'x-queue-type';
}

function refusalOf(name: string, type: AmqpQueueType | undefined, { message }: AmqpRefused): string {
  const argument = INEQUIVALENT.exec(message)?.[1];
  if (argument === undefined) return `The message broker refuses the queue ${name}: ${message}`;
  const needed: Readonly<Record<string, string>> = {
    'x-message-ttl': String(LIMITS.subscription.messageTtlMs),
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
