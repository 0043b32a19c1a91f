import type { Field, Table } from './fields.ts';
import { TYPE_NAMES, textOf, Writer } from './fields.ts';
import type { Binding, BrokerState, ExchangeState, QueueState } from './state.ts';

/**
 * The queues that a message reaches, each once. An exchange that routes it nowhere hands it to its alternate
 * exchange. `keys` are the routing key and those of the headers CC and BCC.
 */
export function route(
  state: BrokerState,
  exchange: ExchangeState,
  keys: readonly string[],
  headers: Table | undefined,
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
  headers: Table | undefined,
): readonly Binding['destination'][] {
  // The default exchange: each queue is bound to it by its name.
  if (exchange.name === '') return keys.map((name) => ({ kind: 'queue', name }));
  const words = exchange.type === 'topic' ? keys.map((key) => key.split('.')) : [];
  const found: Binding['destination'][] = [];
  for (const { destination, routingKey, args } of exchange.bindings.values()) {
    const matches = {
      direct: () => keys.includes(routingKey),
      fanout: () => true,
      topic: () => words.some((each) => matchesTopic(routingKey.split('.'), each)),
      headers: () => matchesHeaders(args, headers ?? new Map()),
    }[exchange.type];
    if (matches()) found.push(destination);
  }
  return found;
}

/** `*` stands for one word, `#` for any number of them, none included. */
export function matchesTopic(pattern: readonly string[], words: readonly string[]): boolean {
  // Which beginnings of the words the pattern so far can match: no way is tried twice, however many # there are.
  let reach = new Array<boolean>(words.length + 1).fill(false);
  reach[0] = true;
  for (const part of pattern) {
    const next = new Array<boolean>(words.length + 1).fill(false);
    if (part === '#') {
      const first = reach.indexOf(true);
      if (first >= 0) next.fill(true, first);
    } else {
      for (let at = 0; at < words.length; at++) {
        if (reach[at] === true && (part === '*' || part === words[at])) next[at + 1] = true;
      }
    }
    reach = next;
  }
  return reach[words.length] === true;
}

const MATCHES = ['all', 'any', 'all-with-x', 'any-with-x'];

/** Why arguments of a binding to a headers exchange are no good, or undefined. */
export function badMatch(args: Table): string | undefined {
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

/** Whether the headers of a message fit the arguments of a binding; a void argument asks only that the header is there. */
export function matchesHeaders(args: Table, headers: Table): boolean {
  const match = textOf(args.get('x-match')) ?? 'all';
  const withX = match.endsWith('-with-x');
  const wanted = [...args].filter(([name]) => name !== 'x-match' && (withX || !name.startsWith('x-')));
  const fits = ([name, value]: readonly [string, Field]) => {
    const header = headers.get(name);
    return header !== undefined && (value.type === 'V' || isEqual(value, header));
  };
  return match.startsWith('any') ? wanted.some(fits) : wanted.every(fits);
}

function isEqual(one: Field, other: Field): boolean {
  const numbers = [one, other].map(numeric);
  if (numbers[0] !== undefined && numbers[1] !== undefined) return numbers[0] === numbers[1];
  return encoded(one) === encoded(other);
}

function numeric(field: Field): number | undefined {
  if (field.type === 'l') return Number(field.value);
  return 'value' in field && typeof field.value === 'number' && field.type !== 'D' ? field.value : undefined;
}

function encoded(field: Field): string {
  const writer = new Writer();
  writer.field(field);
  return Buffer.from(writer.done()).toString('latin1');
}

/** Everything that tells one binding from another. */
export function bindingKey({ source, destination, routingKey, args }: Omit<Binding, 'storedAt'>): string {
  const writer = new Writer();
  writer.table(new Map([...args].sort(([one], [other]) => (one < other ? -1 : 1))));
  const tail = Buffer.from(writer.done()).toString('base64');
  return JSON.stringify([source, destination.kind, destination.name, routingKey, tail]);
}
