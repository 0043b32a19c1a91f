import {
  findQueue,
  type Handler,
  isFault,
  nameOf,
  noLastQueue,
  type Place,
  refusal,
  reply,
  unwritable,
} from './channel-context.ts';
import { exchangeIn, type Fault, fault, noExchange } from './faults.ts';
import { type Table, TYPE_NAMES, textOf } from './fields.ts';
import { limits } from './limits.ts';
import type { Arguments } from './method-codec.ts';
import { inequivalent } from './queue-rules.ts';
import { badMatch, bindingKey } from './routing.ts';
import { enter } from './sending.ts';
import type { Binding, ExchangeState, ExchangeType } from './state.ts';
import { addBinding, isBindingKept, removeBinding, removeExchange } from './topology.ts';

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
        storedAt: 0,
      },
    ]),
  );
}

const onDefault = () => fault(403, 'operation not permitted on the default exchange');

export const declareExchange: Handler<'exchange.declare'> = (place, args) => {
  const { state } = place;
  const { exchange: name, passive, durable, autoDelete, internal } = args;
  const done = ({ storedAt }: ExchangeState) =>
    reply(place, !args.noWait, 'exchange.declare-ok', {}, storedAt);
  const current = state.exchanges.get(name);
  if (name === '') return onDefault();
  if (passive) return current === undefined ? noExchange(name) : done(current);
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
  if (current !== undefined) return difference(current, args, alternate) ?? done(current);
  if (name.startsWith('amq.')) return fault(403, `exchange name '${name}' contains reserved prefix 'amq.*'`);
  if (alternate !== undefined) {
    const may = refusal(place, 'read', 'exchange', name) ?? refusal(place, 'write', 'exchange', alternate);
    if (may !== undefined) return may;
  }
  if (state.exchanges.size >= limits.exchanges)
    return fault(406, `cannot declare ${exchangeIn(name)}: there are ${limits.exchanges} exchanges`);
  const lost = durable ? unwritable(place, exchangeIn(name)) : undefined;
  if (lost !== undefined) return lost;
  const asked = {
    ...{ name, type, durable, autoDelete, internal, alternate },
    args: args.arguments,
    bindings: new Map(),
  };
  const storedAt = durable ? enter(state, { kind: 'put-exchange', exchange: asked }) : 0;
  const exchange: ExchangeState = { ...asked, storedAt };
  state.exchanges.set(name, exchange);
  return done(exchange);
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
  const lost =
    exchange?.durable === true ? unwritable(place, `a deletion of ${exchangeIn(name)}`) : undefined;
  if (lost !== undefined) return lost;
  if (exchange !== undefined) removeExchange(state, exchange);
  return reply(place, !noWait, 'exchange.delete-ok', {}, state.removedAt);
};

interface Ends {
  readonly source: string;
  readonly destination: Binding['destination'];
  readonly routingKey: string;
  readonly arguments: Table;
}

/** The exchange to bind to, and the binding. Before all else come the rights: to write the end, to read the source. */
function ends(place: Place, { source, destination, routingKey, arguments: args }: Ends) {
  const { kind, name } = destination;
  const unwritten = refusal(place, 'write', kind, name);
  if (unwritten !== undefined) return unwritten;
  if (source === '' || (kind === 'exchange' && name === '')) return onDefault();
  const unread = refusal(place, 'read', 'exchange', source);
  if (unread !== undefined) return unread;
  const exchange = place.state.exchanges.get(source);
  if (exchange === undefined) return noExchange(source);
  const end = kind === 'queue' ? findQueue(place, name, 'write') : place.state.exchanges.get(name);
  if (end === undefined) return noExchange(name);
  if (isFault(end)) return end;
  return { exchange, binding: { source, destination, routingKey, args } };
}

/** The number of entrances with which the binding is on disk, or why it cannot be. */
function bind(place: Place, asked: Ends): number | Fault {
  const found = ends(place, asked);
  if (isFault(found)) return found;
  const { exchange, binding } = found;
  const bad = exchange.type === 'headers' ? badMatch(binding.args) : undefined;
  if (bad !== undefined) return fault(406, bad);
  const current = exchange.bindings.get(bindingKey(binding));
  if (current !== undefined) return current.storedAt;
  if (place.state.bindingCount >= limits.bindings)
    return fault(406, `cannot bind: there are ${limits.bindings} bindings`);
  const lost = isBindingKept(place.state, exchange, binding) ? unwritable(place, 'a binding') : undefined;
  return lost ?? addBinding(place.state, exchange, binding);
}

function unbind(place: Place, asked: Ends): Fault | undefined {
  const found = ends(place, asked);
  // What is not there is not bound: that is no fault.
  if (isFault(found)) return found.code === 404 ? undefined : found;
  const { exchange, binding } = found;
  const key = bindingKey(binding);
  const isKept = exchange.bindings.has(key) && isBindingKept(place.state, exchange, binding);
  const lost = isKept ? unwritable(place, 'the end of a binding') : undefined;
  if (lost === undefined) removeBinding(place.state, exchange, key);
  return lost;
}

/** The default of a binding of the last declared queue: its name is the routing key too. */
function queueEnds(
  place: Place,
  args: Pick<Arguments<'queue.bind'>, 'queue' | 'exchange' | 'routingKey' | 'arguments'>,
): Ends | Fault {
  if (args.queue === '' && place.channel.lastQueue === undefined) return noLastQueue();
  const name = nameOf(place, args.queue);
  const isShort = args.queue === '' && args.routingKey === '';
  return {
    source: args.exchange,
    destination: { kind: 'queue', name },
    routingKey: isShort ? name : args.routingKey,
    arguments: args.arguments,
  };
}

export const bindQueue: Handler<'queue.bind'> = (place, args) => {
  const asked = queueEnds(place, args);
  if (isFault(asked)) return asked;
  const bound = bind(place, asked);
  return typeof bound === 'object' ? bound : reply(place, !args.noWait, 'queue.bind-ok', {}, bound);
};

export const unbindQueue: Handler<'queue.unbind'> = (place, args) => {
  const asked = queueEnds(place, args);
  if (isFault(asked)) return asked;
  return unbind(place, asked) ?? reply(place, true, 'queue.unbind-ok', {}, place.state.removedAt);
};

function exchangeEnds(args: Arguments<'exchange.bind'>): Ends {
  const { destination, source, routingKey } = args;
  return {
    source,
    destination: { kind: 'exchange', name: destination },
    routingKey,
    arguments: args.arguments,
  };
}

export const bindExchange: Handler<'exchange.bind'> = (place, args) => {
  const bound = bind(place, exchangeEnds(args));
  return typeof bound === 'object' ? bound : reply(place, !args.noWait, 'exchange.bind-ok', {}, bound);
};

export const unbindExchange: Handler<'exchange.unbind'> = (place, args) =>
  unbind(place, exchangeEnds(args)) ??
  reply(place, !args.noWait, 'exchange.unbind-ok', {}, place.state.removedAt);
