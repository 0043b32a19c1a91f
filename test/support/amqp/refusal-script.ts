import { type AmqpTable, tableOf } from '../../../brokers/amqp/codec/fields.ts';
import type { MethodName } from '../../../brokers/amqp/codec/methods.ts';
import type { Difference } from '../../contracts/amqp-consumer-differences.ts';
import type { RawAmqpClient, ReceivedMethod } from './raw-amqp-client.ts';

type Value = string | number | bigint | boolean | Readonly<Record<string, string | number | boolean>>;

/** A method on channel 1, or bytes. `~` in a text stands for a prefix of the run's own; a record is a table. */
export type AmqpStep =
  | readonly [MethodName, Readonly<Record<string, Value>>?]
  | { readonly bytes: readonly number[] }
  | {
      readonly publish: Readonly<Record<string, Value>>;
      readonly properties?: Readonly<Record<string, Value>>;
    }
  /** Channel and method. */
  | { readonly on: number; readonly method: MethodName; readonly args?: Readonly<Record<string, Value>> }
  /** Waits for a method. */
  | { readonly next: number }
  /** The same by another connection. */
  | { readonly other: readonly [MethodName, Readonly<Record<string, Value>>?] };

/**
 * What a client does, and the answer after the last step; a broker with another answer needs a difference.
 */
export interface Refusal {
  readonly name: string;
  readonly steps: readonly AmqpStep[];
  readonly says: string;
  readonly embedded?: { readonly says: string; readonly because: Difference };
}

/**
 * After these the next step follows at once. A close-ok that nobody asked for is not among them: RabbitMQ forgets the
 * channel and may answer what follows first, so such a row waits for the error before it goes on.
 */
const UNANSWERED: readonly string[] = [
  'basic.publish',
  'basic.ack',
  'basic.nack',
  'basic.reject',
  'basic.recover-async',
];

/** Runs the steps; returns the method after the last one, as text with `~` for the prefix. */
export async function playSteps(
  steps: readonly AmqpStep[],
  wire: RawAmqpClient,
  other: () => Promise<RawAmqpClient>,
  prefix: string,
): Promise<string> {
  for (const [index, step] of steps.entries()) {
    const isLast = index === steps.length - 1;
    if ('bytes' in step) wire.bytes(Uint8Array.from(step.bytes));
    else if ('next' in step) for (let left = step.next; left > 0; left--) await wire.next();
    else if ('on' in step) wire.send(step.on, step.method, filled(step.args, prefix));
    else if ('publish' in step)
      wire.publish(filled(step.publish, prefix), 'x', filled(step.properties, prefix));
    else if ('other' in step) {
      const [method, args] = step.other;
      await (await other()).ask(method, filled(args, prefix));
    } else {
      wire.send(1, step[0], filled(step[1], prefix));
      if (!isLast && !UNANSWERED.includes(step[0])) await wire.next();
    }
  }
  return describeAnswer(await wire.next()).replaceAll(prefix, '~');
}

function filled(args: Readonly<Record<string, Value>> | undefined, prefix: string): Record<string, never> {
  const fill = (value: Value): unknown => {
    if (typeof value === 'string') return value.replace('~', prefix);
    return typeof value === 'object' ? table(value, prefix) : value;
  };
  // The broker's codec looks at each value by the kind of its argument; the rows are written to fit.
  return Object.fromEntries(Object.entries(args ?? {}).map(([key, value]) => [key, fill(value)])) as Record<
    string,
    never
  >;
}

function table(values: Readonly<Record<string, string | number | boolean>>, prefix: string): AmqpTable {
  const fill = (value: string | number | boolean) =>
    typeof value === 'string' ? value.replace('~', prefix) : value;
  return tableOf(Object.fromEntries(Object.entries(values).map(([key, value]) => [key, fill(value)])));
}

/** A close as `channel 404 NOT_FOUND - ... (50.10)`, with class and method of the cause; else the method's name. */
export function describeAnswer(word: ReceivedMethod | undefined): string {
  if (word === undefined) return 'nothing, and hangs up';
  const { replyCode, replyText, classId, methodId } = word.args;
  if (!word.name.endsWith('.close')) return word.name;
  return `${word.name.split('.')[0]} ${replyCode} ${replyText} (${classId}.${methodId})`;
}
