import { findQueue, type Handler, isFault, type Place, refusal, reply } from './channel-context.ts';
import { exchangeIn, type Fault, fault, noExchange } from './faults.ts';
import { type Table, TYPE_NAMES, textOf } from './fields.ts';
import { limits } from './limits.ts';
import type { Arguments } from './method-codec.ts';
import { inequivalent } from './queue-rules.ts';
import { badMatch, bindingKey } from './routing.ts';
import { enter } from './sending.ts';
import type { Binding, ExchangeState, ExchangeType } from './state.ts';
import { addBinding, removeBinding, removeExchange } from './topology.ts';

const TYPES: readonly ExchangeType[] = ['direct', 'fanout', 'topic', 'headers'];

/** The exchanges that are always there. */
export function systemExchanges(): Map<string, ExchangeState> {
  const rows: readonly (readonly [string, ExchangeType])[] = [
    ['', 'direct'],
    ['amq.direct', 'direct'],
    ['amq.fanout', 'fanout'],
    ['amq.topic', 'topic'],
    ['amq.headers', 'headers'],
    ['amq.match', 'headers'],
  ];
  return new Map(
    rows.map(([name, type]) => [
      name,
      {
        name,
        type,
        durable: true,
        autoDelete: false,
        internal: false,
        args: new Map(),
        alternate: undefined,
        bindings: new Map(),
      },
    ]),
  );
}

const onDefault = () => fault(403, 'operation not permitted on the default exchange');

export const declareExchange: Handler<'exchange.declare'> = (place, args) => {
  const { state } = place;
  const { exchange: name, passive, durable, autoDelete, internal } = args;
  const done = () => reply(place, !args.noWait, 'exchange.declare-ok', {}, 'when-stored');
  const current = state.exchanges.get(name);
  if (name === '') return onDefault();
  if (passive) return current === undefined ? noExchange(name) : done();
  const type = TYPES.find((each) => each === args.type);
  if (type === undefined) return fault(503, `unknown exchange type '${args.type}'`);
  const refused = refusal(place, 'configure', 'exchange', name);
  if (refused !== undefined) return refused;
  const field = args.arguments.get('alternate-exchange');
  const alternate = textOf(field);
  if (field !== undefined && alternate === undefined)
    return fault(
      406,
      `invalid type '${TYPE_NAMES[field.type]}' for arg 'alternate-exchange' in ${exchangeIn(name)}`,
    );
  if (current !== undefined) return difference(current, args, alternate) ?? done();
  if (name.startsWith('amq.')) return fault(403, `exchange name '${name}' contains reserved prefix 'amq.*'`);
  if (alternate !== undefined) {
    const may = refusal(place, 'read', 'exchange', name) ?? refusal(place, 'write', 'exchange', alternate);
    if (may !== undefined) return may;
  }
  if (state.exchanges.size >= limits.exchanges)
    return fault(406, `cannot declare ${exchangeIn(name)}: there are ${limits.exchanges} exchanges`);
  const exchange: ExchangeState = {
    ...{ name, type, durable, autoDelete, internal, alternate },
    args: args.arguments,
    bindings: new Map(),
  };
  state.exchanges.set(name, exchange);
  if (durable) enter(state, { kind: 'put-exchange', exchange });
  return done();
};

function difference(
  current: ExchangeState,
  asked: Arguments<'exchange.declare'>,
  alternate: string | undefined,
): Fault | undefined {
  const of = exchangeIn(current.name);
  if (asked.type !== current.type) return inequivalent('type', of, asked.type, current.type);
  for (const [word, key] of [
    ['durable', 'durable'],
    ['auto_delete', 'autoDelete'],
    ['internal', 'internal'],
  ] as const) {
    if (asked[key] !== current[key]) return inequivalent(word, of, asked[key], current[key]);
  }
  if (alternate === current.alternate) return undefined;
  const shown = (value: string | undefined) =>
    value === undefined ? 'none' : `the value '${value}' of type 'longstr'`;
  return fault(
    406,
    `inequivalent arg 'alternate-exchange' for ${of}: received ${shown(alternate)} but current is ${shown(current.alternate)}`,
  );
}

export const deleteExchange: Handler<'exchange.delete'> = (place, { exchange: name, ifUnused, noWait }) => {
  const { state } = place;
  if (name === '') return onDefault();
  if (name.startsWith('amq.')) return fault(403, `deletion of system ${exchangeIn(name)} not allowed`);
  const refused = refusal(place, 'configure', 'exchange', name);
  if (refused !== undefined) return refused;
  const exchange = state.exchanges.get(name);
  if (ifUnused && exchange !== undefined && exchange.bindings.size > 0)
    return fault(406, `${exchangeIn(name)} in use`);
  if (exchange !== undefined) removeExchange(state, exchange);
  return reply(place, !noWait, 'exchange.delete-ok', {}, 'when-stored');
};

interface Ends {
  readonly source: string;
  readonly destination: Binding['destination'];
  readonly routingKey: string;
  readonly arguments: Table;
}

/** The exchange to bind to, and the binding; rights are checked as RabbitMQ does: write the end, read the source. */
function ends(place: Place, { source, destination, routingKey, arguments: args }: Ends) {
  const { kind, name } = destination;
  if (source === '' || (kind === 'exchange' && name === '')) return onDefault();
  const refused = refusal(place, 'write', kind, name) ?? refusal(place, 'read', 'exchange', source);
  if (refused !== undefined) return refused;
  const exchange = place.state.exchanges.get(source);
  if (exchange === undefined) return noExchange(source);
  return { exchange, binding: { source, destination, routingKey, args } };
}

function bind(place: Place, asked: Ends): Fault | undefined {
  const found = ends(place, asked);
  if (isFault(found)) return found;
  const { exchange, binding } = found;
  const bad = exchange.type === 'headers' ? badMatch(binding.args) : undefined;
  if (bad !== undefined) return fault(406, bad);
  if (place.state.bindingCount >= limits.bindings)
    return fault(406, `cannot bind: there are ${limits.bindings} bindings`);
  addBinding(place.state, exchange, binding);
  return undefined;
}

function unbind(place: Place, asked: Ends): Fault | undefined {
  const found = ends(place, asked);
  // What is not there is not bound: that is no fault.
  if (isFault(found)) return found.code === 404 ? undefined : found;
  removeBinding(place.state, found.exchange, bindingKey(found.binding));
  return undefined;
}

/** The default of a binding of the last declared queue: its name is the routing key too. */
function queueEnds(
  place: Place,
  args: Pick<Arguments<'queue.bind'>, 'queue' | 'exchange' | 'routingKey' | 'arguments'>,
): Ends | Fault {
  const queue = findQueue(place, args.queue);
  // Where both ends are missing RabbitMQ names the exchange.
  if (isFault(queue))
    return queue.code === 404 && !place.state.exchanges.has(args.exchange)
      ? noExchange(args.exchange)
      : queue;
  const isShort = args.queue === '' && args.routingKey === '';
  return {
    source: args.exchange,
    destination: { kind: 'queue', name: queue.name },
    routingKey: isShort ? queue.name : args.routingKey,
    arguments: args.arguments,
  };
}

export const bindQueue: Handler<'queue.bind'> = (place, args) => {
  const asked = queueEnds(place, args);
  return isFault(asked)
    ? asked
    : (bind(place, asked) ?? reply(place, !args.noWait, 'queue.bind-ok', {}, 'when-stored'));
};

export const unbindQueue: Handler<'queue.unbind'> = (place, args) => {
  const done = () => reply(place, true, 'queue.unbind-ok', {}, 'when-stored');
  const asked = queueEnds(place, args);
  if (isFault(asked)) return asked.code === 404 && args.queue !== '' ? done() : asked;
  return unbind(place, asked) ?? done();
};

function exchangeEnds(place: Place, args: Arguments<'exchange.bind'>): Ends | Fault {
  const { destination, source, routingKey } = args;
  if (destination !== '' && !place.state.exchanges.has(destination)) return noExchange(destination);
  return {
    source,
    destination: { kind: 'exchange', name: destination },
    routingKey,
    arguments: args.arguments,
  };
}

export const bindExchange: Handler<'exchange.bind'> = (place, args) => {
  const asked = exchangeEnds(place, args);
  return isFault(asked)
    ? asked
    : (bind(place, asked) ?? reply(place, !args.noWait, 'exchange.bind-ok', {}, 'when-stored'));
};

export const unbindExchange: Handler<'exchange.unbind'> = (place, args) => {
  const done = () => reply(place, !args.noWait, 'exchange.unbind-ok', {}, 'when-stored');
  const asked = exchangeEnds(place, args);
  return isFault(asked) ? done() : (unbind(place, asked) ?? done());
};
