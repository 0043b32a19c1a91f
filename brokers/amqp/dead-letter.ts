import { type AmqpField, type AmqpTable, textField, textOf } from './codec/fields.ts';
import { decodeProperties, encodeProperties } from './codec/properties.ts';
import { routingKeysOf } from './further-keys.ts';
import type { BrokerMessage, QueueState } from './state.ts';

export type DeathReason = 'expired' | 'maxlen' | 'rejected' | 'delivery_limit';

export interface DeadLetteredMessage {
  readonly message: BrokerMessage;
  /** Queues that the message passed since it was last rejected: entering one again would be an endless cycle. */
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
  const keys = routingKeysOf(message.routingKey, headers, []);
  const deaths = withDeath(deathsOf(headers), {
    message,
    keys,
    queue: queue.name,
    reason,
    expiration,
    nowMs,
  });
  headers.set('x-death', { type: 'A', value: deaths.map((value) => ({ type: 'F', value })) });
  if (!headers.has('x-first-death-queue')) {
    headers.set('x-first-death-exchange', textField(message.exchange));
    headers.set('x-first-death-queue', textField(queue.name));
    headers.set('x-first-death-reason', textField(reason));
  }
  const { deadLetterExchange, deadLetterKey } = queue.rules;
  // A key of the queue takes the place of all keys of the publication.
  if (deadLetterKey !== undefined) headers.delete('CC');
  return {
    message: {
      exchange: deadLetterExchange ?? '',
      routingKey: deadLetterKey ?? message.routingKey,
      hiddenKeys: deadLetterKey === undefined ? message.hiddenKeys : [],
      properties: encodeProperties({ ...rest, headers }),
      body: message.body,
      isPersistent: message.isPersistent,
      holders: 0,
    },
    cycleQueues: reason === 'rejected' ? new Set() : cycleQueuesOf(deaths),
  };
}

/** The queues of the deaths since the last rejection. */
function cycleQueuesOf(deaths: readonly AmqpTable[]): ReadonlySet<string> {
  const rejection = deaths.findIndex((death) => textOf(death.get('reason')) === 'rejected');
  const since = rejection < 0 ? deaths : deaths.slice(0, rejection);
  return new Set(since.map((death) => textOf(death.get('queue')) ?? ''));
}

function deathsOf(headers: AmqpTable): readonly AmqpTable[] {
  const field = headers.get('x-death');
  return field?.type === 'A' ? field.value.flatMap((each) => (each.type === 'F' ? [each.value] : [])) : [];
}

interface Death {
  readonly message: BrokerMessage;
  /** Its routing key and those of its header CC. */
  readonly keys: readonly string[];
  readonly queue: string;
  readonly reason: DeathReason;
  readonly expiration: string | undefined;
  readonly nowMs: number;
}

/** The latest death comes first; a repeated death in the same queue for the same reason is counted. */
function withDeath(
  deaths: readonly AmqpTable[],
  { message, keys, queue, reason, expiration, nowMs }: Death,
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
      ['routing-keys', { type: 'A', value: keys.map(textField) }],
      ...(expiration === undefined
        ? []
        : [['original-expiration', textField(expiration)] satisfies [string, AmqpField]]),
    ],
  );
  death.set('count', { type: 'l', value: (count?.type === 'l' ? count.value : 0n) + 1n });
  return [death, ...deaths.filter((each) => !isSame(each))];
}
