import type { ExchangeType } from '../../world/amqp/exchange-routing.ts';
import { limits } from '../limits.ts';
import {
  findQueue,
  isFault,
  type MethodContext,
  type MethodHandler,
  noLastQueue,
  queueNameOf,
  refuseAccess,
  refuseWhileDiskFull,
  reply,
} from './channel-context.ts';
import { type AmqpTable, TYPE_NAMES, textOf } from './codec/fields.ts';
import type { MethodArguments } from './codec/method-codec.ts';
import { type AmqpFault, describeExchange, fault, noExchange } from './faults.ts';
import { inequivalent } from './queue-rules.ts';
import { bindingKey, invalidMatch } from './routing.ts';
import { addToJournal } from './sending.ts';
import type { Binding, ExchangeState } from './state.ts';
import { addBinding, isDurableBinding, removeBinding, removeExchange } from './topology.ts';

const TYPES: readonly ExchangeType[] = ['direct', 'fanout', 'topic', 'headers'];

/** The predeclared exchanges. */
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

const refuseDefaultExchange = () => fault(403, 'operation not permitted on the default exchange');

export const declareExchange: MethodHandler<'exchange.declare'> = (context, args) => {
  const { state } = context;
  const { exchange: name, passive, durable, autoDelete, internal } = args;
  const done = ({ storedAt }: ExchangeState) =>
    reply(context, !args.noWait, 'exchange.declare-ok', {}, storedAt);
  const current = state.exchanges.get(name);
  if (name === '') return refuseDefaultExchange();
  if (passive) return current === undefined ? noExchange(name) : done(current);
  const type = TYPES.find((each) => each === args.type);
  if (type === undefined) return fault(503, `unknown exchange type '${args.type}'`);
  const refused = refuseAccess(context, 'configure', 'exchange', name);
  if (refused !== undefined) return refused;
  const field = args.arguments.get('alternate-exchange');
  const alternate = textOf(field);
  if (field !== undefined && alternate === undefined)
    return fault(
      406,
      `invalid type '${TYPE_NAMES[field.type]}' for arg 'alternate-exchange' in ${describeExchange(name)}`,
    );
  if (current !== undefined) return difference(current, args, alternate) ?? done(current);
  if (name.startsWith('amq.')) return fault(403, `exchange name '${name}' contains reserved prefix 'amq.*'`);
  if (alternate !== undefined) {
    const may =
      refuseAccess(context, 'read', 'exchange', name) ??
      refuseAccess(context, 'write', 'exchange', alternate);
    if (may !== undefined) return may;
  }
  if (state.exchanges.size >= limits.amqp.exchanges)
    return fault(
      406,
      `cannot declare ${describeExchange(name)}: there are ${limits.amqp.exchanges} exchanges`,
    );
  const lost = durable ? refuseWhileDiskFull(context, describeExchange(name)) : undefined;
  if (lost !== undefined) return lost;
  const asked = {
    name,
    type,
    durable,
    autoDelete,
    internal,
    alternate,
    args: args.arguments,
    bindings: new Map(),
  };
  const storedAt = durable ? addToJournal(state, { kind: 'put-exchange', exchange: asked }) : 0;
  const exchange: ExchangeState = { ...asked, storedAt };
  state.exchanges.set(name, exchange);
  return done(exchange);
};

function difference(
  current: ExchangeState,
  asked: MethodArguments<'exchange.declare'>,
  alternate: string | undefined,
): AmqpFault | undefined {
  const of = describeExchange(current.name);
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

export const deleteExchange: MethodHandler<'exchange.delete'> = (
  context,
  { exchange: name, ifUnused, noWait },
) => {
  const { state } = context;
  if (name === '') return refuseDefaultExchange();
  if (name.startsWith('amq.')) return fault(403, `deletion of system ${describeExchange(name)} not allowed`);
  const refused = refuseAccess(context, 'configure', 'exchange', name);
  if (refused !== undefined) return refused;
  const exchange = state.exchanges.get(name);
  if (ifUnused && exchange !== undefined && exchange.bindings.size > 0)
    return fault(406, `${describeExchange(name)} in use`);
  const lost =
    exchange?.durable === true
      ? refuseWhileDiskFull(context, `a deletion of ${describeExchange(name)}`)
      : undefined;
  if (lost !== undefined) return lost;
  if (exchange !== undefined) removeExchange(state, exchange);
  return reply(context, !noWait, 'exchange.delete-ok', {}, state.removedAt);
};

interface BindingRequest {
  readonly source: string;
  readonly destination: Binding['destination'];
  readonly routingKey: string;
  readonly arguments: AmqpTable;
}

/**
 * The exchange to bind to, and the binding. Permissions come before all other checks: write for the
 * destination, read for the source.
 */
function checkBinding(
  context: MethodContext,
  { source, destination, routingKey, arguments: args }: BindingRequest,
) {
  const { kind, name } = destination;
  const unwritten = refuseAccess(context, 'write', kind, name);
  if (unwritten !== undefined) return unwritten;
  if (source === '' || (kind === 'exchange' && name === '')) return refuseDefaultExchange();
  const unread = refuseAccess(context, 'read', 'exchange', source);
  if (unread !== undefined) return unread;
  const exchange = context.state.exchanges.get(source);
  if (exchange === undefined) return noExchange(source);
  const end = kind === 'queue' ? findQueue(context, name, 'write') : context.state.exchanges.get(name);
  if (end === undefined) return noExchange(name);
  if (isFault(end)) return end;
  return { exchange, binding: { source, destination, routingKey, args } };
}

/** The number of records with which the binding is on disk, or why it is refused. */
function bind(context: MethodContext, asked: BindingRequest): number | AmqpFault {
  const found = checkBinding(context, asked);
  if (isFault(found)) return found;
  const { exchange, binding } = found;
  const bad = exchange.type === 'headers' ? invalidMatch(binding.args) : undefined;
  if (bad !== undefined) return fault(406, bad);
  const current = exchange.bindings.get(bindingKey(binding));
  if (current !== undefined) return current.storedAt;
  if (context.state.bindingCount >= limits.amqp.bindings)
    return fault(406, `cannot bind: there are ${limits.amqp.bindings} bindings`);
  const lost = isDurableBinding(context.state, exchange, binding)
    ? refuseWhileDiskFull(context, 'a binding')
    : undefined;
  return lost ?? addBinding(context.state, exchange, binding);
}

function unbind(context: MethodContext, asked: BindingRequest): AmqpFault | undefined {
  const found = checkBinding(context, asked);
  const { source, destination, routingKey, arguments: args } = asked;
  const key = bindingKey({ source, destination, routingKey, args });
  const isThere = context.state.exchanges.get(source)?.bindings.has(key) === true;
  // Unbinding something that does not exist is no error, nor is a binding that a locked queue does not have.
  if (isFault(found)) return found.code === 404 || (found.code === 405 && !isThere) ? undefined : found;
  const { exchange, binding } = found;
  const isKept = isThere && isDurableBinding(context.state, exchange, binding);
  const lost = isKept ? refuseWhileDiskFull(context, 'the end of a binding') : undefined;
  if (lost === undefined) removeBinding(context.state, exchange, key);
  return lost;
}

/** The defaults of queue.bind: the last declared queue, and its name as the routing key. */
function queueBindingRequest(
  context: MethodContext,
  args: Pick<MethodArguments<'queue.bind'>, 'queue' | 'exchange' | 'routingKey' | 'arguments'>,
): BindingRequest | AmqpFault {
  if (args.queue === '' && context.channel.lastQueue === undefined) return noLastQueue();
  const name = queueNameOf(context, args.queue);
  const isShort = args.queue === '' && args.routingKey === '';
  return {
    source: args.exchange,
    destination: { kind: 'queue', name },
    routingKey: isShort ? name : args.routingKey,
    arguments: args.arguments,
  };
}

export const bindQueue: MethodHandler<'queue.bind'> = (context, args) => {
  const asked = queueBindingRequest(context, args);
  if (isFault(asked)) return asked;
  const bound = bind(context, asked);
  return typeof bound === 'object' ? bound : reply(context, !args.noWait, 'queue.bind-ok', {}, bound);
};

export const unbindQueue: MethodHandler<'queue.unbind'> = (context, args) => {
  const asked = queueBindingRequest(context, args);
  if (isFault(asked)) return asked;
  return unbind(context, asked) ?? reply(context, true, 'queue.unbind-ok', {}, context.state.removedAt);
};

function exchangeBindingRequest(args: MethodArguments<'exchange.bind'>): BindingRequest {
  const { destination, source, routingKey } = args;
  return {
    source,
    destination: { kind: 'exchange', name: destination },
    routingKey,
    arguments: args.arguments,
  };
}

export const bindExchange: MethodHandler<'exchange.bind'> = (context, args) => {
  const bound = bind(context, exchangeBindingRequest(args));
  return typeof bound === 'object' ? bound : reply(context, !args.noWait, 'exchange.bind-ok', {}, bound);
};

export const unbindExchange: MethodHandler<'exchange.unbind'> = (context, args) =>
  unbind(context, exchangeBindingRequest(args)) ??
  reply(context, !args.noWait, 'exchange.unbind-ok', {}, context.state.removedAt);
