import { matchesTopic, topicWords } from '../../world/amqp/exchange-routing.ts';
import type { AmqpField, AmqpTable } from './codec/fields.ts';
import { AmqpWriter, TYPE_NAMES, textOf } from './codec/fields.ts';
import type { Binding, BrokerState, ExchangeState, QueueState } from './state.ts';

/**
 * The queues that a message reaches, each once. If an exchange routes it nowhere, its alternate exchange
 * routes it. `keys` are the routing key and those of the headers CC and BCC.
 */
export function route(
  state: BrokerState,
  exchange: ExchangeState,
  keys: readonly string[],
  headers: AmqpTable | undefined,
): readonly QueueState[] {
  const reached = new Set<QueueState>();
  const seen = new Set<ExchangeState>();
  const waiting = [exchange];
  for (let current = waiting.pop(); current !== undefined; current = waiting.pop()) {
    if (seen.has(current)) continue;
    seen.add(current);
    let isRouted = false;
    for (const { kind, name } of destinations(current, keys, headers)) {
      const queue = kind === 'queue' ? state.queues.get(name) : undefined;
      const next = kind === 'exchange' ? state.exchanges.get(name) : undefined;
      if (queue !== undefined) reached.add(queue);
      if (next !== undefined) waiting.push(next);
      isRouted ||= queue !== undefined || next !== undefined;
    }
    const alternate = current.alternate === undefined ? undefined : state.exchanges.get(current.alternate);
    if (!isRouted && alternate !== undefined) waiting.push(alternate);
  }
  return [...reached];
}

function destinations(
  exchange: ExchangeState,
  keys: readonly string[],
  headers: AmqpTable | undefined,
): readonly Binding['destination'][] {
  // The default exchange: each queue is bound to it by its name.
  if (exchange.name === '') return keys.map((name) => ({ kind: 'queue', name }));
  const words = exchange.type === 'topic' ? keys.map(topicWords) : [];
  const found: Binding['destination'][] = [];
  for (const { destination, routingKey, args } of exchange.bindings.values()) {
    const matches = {
      direct: () => keys.includes(routingKey),
      fanout: () => true,
      topic: () => words.some((each) => matchesTopic(topicWords(routingKey), each)),
      headers: () => matchesHeaders(args, headers ?? new Map()),
    }[exchange.type];
    if (matches()) found.push(destination);
  }
  return found;
}

const MATCHES = ['all', 'any', 'all-with-x', 'any-with-x'];

/** Why the arguments of a binding to a headers exchange are invalid, or undefined. */
export function invalidMatch(args: AmqpTable): string | undefined {
  const field = args.get('x-match');
  if (field === undefined) return undefined;
  const text = textOf(field);
  if (text === undefined) {
    const value = 'value' in field ? field.value : 'undefined';
    return `Invalid x-match field type ${TYPE_NAMES[field.type]} (value ${value}); expected longstr`;
  }
  return MATCHES.includes(text)
    ? undefined
    : `Invalid x-match field value <<"${text}">>; expected all, any, all-with-x, or any-with-x`;
}

/**
 * Whether the headers of a message match the arguments of a binding. A void argument only requires that the
 * header exists.
 */
export function matchesHeaders(args: AmqpTable, headers: AmqpTable): boolean {
  const match = textOf(args.get('x-match')) ?? 'all';
  const withX = match.endsWith('-with-x');
  const wanted = [...args].filter(([name]) => name !== 'x-match' && (withX || !name.startsWith('x-')));
  const fits = ([name, value]: readonly [string, AmqpField]) => {
    const header = headers.get(name);
    return header !== undefined && (value.type === 'V' || isEqual(value, header));
  };
  return match.startsWith('any') ? wanted.some(fits) : wanted.every(fits);
}

function isEqual(one: AmqpField, other: AmqpField): boolean {
  const numbers = [one, other].map(numeric);
  if (numbers[0] !== undefined && numbers[1] !== undefined) return numbers[0] === numbers[1];
  return encoded(one) === encoded(other);
}

function numeric(field: AmqpField): number | undefined {
  if (field.type === 'l') return Number(field.value);
  return 'value' in field && typeof field.value === 'number' && field.type !== 'D' ? field.value : undefined;
}

function encoded(field: AmqpField): string {
  const writer = new AmqpWriter();
  writer.field(field);
  return Buffer.from(writer.done()).toString('latin1');
}

/** All fields that distinguish one binding from another. */
export function bindingKey({ source, destination, routingKey, args }: Omit<Binding, 'storedAt'>): string {
  const writer = new AmqpWriter();
  writer.table(new Map([...args].sort(([one], [other]) => (one < other ? -1 : 1))));
  const tail = Buffer.from(writer.done()).toString('base64');
  return JSON.stringify([source, destination.kind, destination.name, routingKey, tail]);
}
