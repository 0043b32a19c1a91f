import { type AmqpField, type AmqpTable, textField, textOf } from './codec/fields.ts';
import { decodeProperties, encodeProperties } from './codec/properties.ts';
import type { BrokerMessage, QueueState } from './state.ts';

export type DeathReason = 'expired' | 'maxlen' | 'rejected' | 'delivery_limit';

export interface DeadLetteredMessage {
  readonly message: BrokerMessage;
  /** Queues that the message passed without a rejection: entering one again would be an endless cycle. */
  readonly cycleQueues: ReadonlySet<string>;
}

/**
 * The message as published to a dead letter exchange: with its deaths in the header x-death, and without its
 * expiration.
 */
export function deadLettered(
  message: BrokerMessage,
  queue: Pick<QueueState, 'name' | 'rules'>,
  reason: DeathReason,
  nowMs: number,
): DeadLetteredMessage {
  const decoded = decodeProperties(message.properties);
  const properties = 'malformed' in decoded ? {} : decoded;
  const { expiration, ...rest } = properties;
  const headers = new Map(properties.headers ?? []);
  const deaths = withDeath(deathsOf(headers), message, queue.name, reason, expiration, nowMs);
  headers.set('x-death', { type: 'A', value: deaths.map((value) => ({ type: 'F', value })) });
  if (!headers.has('x-first-death-queue')) {
    headers.set('x-first-death-exchange', textField(message.exchange));
    headers.set('x-first-death-queue', textField(queue.name));
    headers.set('x-first-death-reason', textField(reason));
  }
  return {
    message: {
      exchange: queue.rules.deadLetterExchange ?? '',
      routingKey: queue.rules.deadLetterKey ?? message.routingKey,
      properties: encodeProperties({ ...rest, headers }),
      body: message.body,
      isPersistent: message.isPersistent,
      holders: 0,
    },
    cycleQueues: reason === 'rejected' ? new Set() : cycleQueuesOf(deaths, queue.name),
  };
}

/** The queues of all deaths, unless one was a rejection. */
function cycleQueuesOf(deaths: readonly AmqpTable[], here: string): ReadonlySet<string> {
  if (deaths.some((death) => textOf(death.get('reason')) === 'rejected')) return new Set();
  return new Set([here, ...deaths.map((death) => textOf(death.get('queue')) ?? '')]);
}

function deathsOf(headers: AmqpTable): readonly AmqpTable[] {
  const field = headers.get('x-death');
  return field?.type === 'A' ? field.value.flatMap((each) => (each.type === 'F' ? [each.value] : [])) : [];
}

/** The latest death comes first; a repeated death in the same queue for the same reason is counted. */
function withDeath(
  deaths: readonly AmqpTable[],
  message: BrokerMessage,
  queue: string,
  reason: DeathReason,
  expiration: string | undefined,
  nowMs: number,
): readonly AmqpTable[] {
  const isSame = (death: AmqpTable) =>
    textOf(death.get('queue')) === queue && textOf(death.get('reason')) === reason;
  const known = deaths.find(isSame);
  const count = known?.get('count');
  const death = new Map<string, AmqpField>(
    known ?? [
      ['count', { type: 'l', value: 0n }],
      ['reason', textField(reason)],
      ['queue', textField(queue)],
      ['time', { type: 'T', value: BigInt(Math.floor(nowMs / 1000)) }],
      ['exchange', textField(message.exchange)],
      ['routing-keys', { type: 'A', value: [textField(message.routingKey)] }],
      ...(expiration === undefined
        ? []
        : [['original-expiration', textField(expiration)] satisfies [string, AmqpField]]),
    ],
  );
  death.set('count', { type: 'l', value: (count?.type === 'l' ? count.value : 0n) + 1n });
  return [death, ...deaths.filter((each) => !isSame(each))];
}
