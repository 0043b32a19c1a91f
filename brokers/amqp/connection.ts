import { leaveChannel, readMethod, takeChannelFrame } from './channel.ts';
import { fault } from './faults.ts';
import { tableOf } from './fields.ts';
import { FRAME, type Frame, FrameParser } from './frames.ts';
import { limits } from './limits.ts';
import type { Arguments, Method } from './method-codec.ts';
import { closeConnection, end, methodFrame, say, sayConfirms, write } from './sending.ts';
import type { BrokerState, ConnectionState } from './state.ts';
import { removeQueue } from './topology.ts';

const PROTOCOL = Uint8Array.of(0x41, 0x4d, 0x51, 0x50, 0, 0, 9, 1);
/** The headers that clients of 0-9 sent, and those that wrote 0-9-1 in its form; RabbitMQ takes them too. */
const PROTOCOLS = [
  PROTOCOL,
  Uint8Array.of(0x41, 0x4d, 0x51, 0x50, 1, 1, 0, 9),
  Uint8Array.of(0x41, 0x4d, 0x51, 0x50, 1, 1, 9, 1),
];

const CAPABILITIES = tableOf({
  publisher_confirms: true,
  exchange_exchange_bindings: true,
  'basic.nack': true,
  consumer_cancel_notify: true,
  'connection.blocked': true,
  authentication_failure_close: true,
  per_consumer_qos: true,
  direct_reply_to: true,
});

export function newConnection(id: number, address: string, nowMs: number): ConnectionState {
  return {
    ...{ id, address },
    parser: new FrameParser(),
    phase: 'header',
    user: '',
    frameMax: limits.frameMin,
    channelMax: 0,
    heartbeatMs: 0,
    capabilities: { cancels: false, blocked: false, refusals: false },
    channels: new Map(),
    halfReceivedBytes: 0,
    hasPublished: false,
    isToldBlocked: false,
    isPaused: false,
    outstandingBytes: 0,
    stalledSinceMs: undefined,
    readAtMs: nowMs,
    wroteAtMs: nowMs,
    deadlineMs: nowMs + limits.signInMs,
    isSevered: false,
  };
}

/** Bytes of a client, cut anywhere. */
export function takeBytes(state: BrokerState, connection: ConnectionState, bytes: Uint8Array): void {
  if (connection.phase === 'ended') return;
  connection.readAtMs = state.nowMs;
  connection.parser.push(bytes);
  readFrames(state, connection);
}

/** Takes the frames that are complete. They wait while a sign-in is under way, or answers before them are not taken. */
export function readFrames(state: BrokerState, connection: ConnectionState): void {
  const { parser } = connection;
  if (connection.phase === 'header' && !greet(state, connection)) return;
  while (connection.phase !== 'ended' && connection.phase !== 'signing-in') {
    // One piece of the stream can ask for very much: thousands of gets fit in it.
    if (connection.outstandingBytes >= 2 * limits.outstandingBytes) return;
    const parsed = parser.next(connection.frameMax);
    if (parsed.kind === 'part') return;
    if (parsed.kind === 'fault') {
      breakOff(state, connection, parsed.reason);
      return;
    }
    takeFrame(state, connection, parsed.frame);
  }
  if (parser.heldBytes > limits.frameMin * 2 && connection.phase === 'signing-in')
    breakOff(state, connection, 'frames follow a sign-in that is not answered');
}

/** After a frame that cannot be cut out, nothing that follows can be read: the close is said, and that is all. */
function breakOff(state: BrokerState, connection: ConnectionState, reason: string): void {
  if (connection.phase === 'start' || connection.phase === 'closing') {
    end(state, connection, true);
    return;
  }
  closeConnection(state, connection, fault(501, reason));
  end(state, connection, false);
}

function greet(state: BrokerState, connection: ConnectionState): boolean {
  const header = connection.parser.takeProtocolHeader();
  if (header === undefined) return false;
  if (!PROTOCOLS.some((each) => each.every((byte, at) => header[at] === byte))) {
    // Section 2.2.4: the header that would be right, and the end.
    write(state, connection, PROTOCOL);
    end(state, connection, false);
    return false;
  }
  connection.phase = 'start';
  say(state, connection, 'connection.start', {
    versionMajor: 0,
    versionMinor: 9,
    serverProperties: tableOf({ product: 'boxtwin', capabilities: CAPABILITIES }),
    mechanisms: Buffer.from('PLAIN'),
    locales: Buffer.from('en_US'),
  });
  return true;
}

function takeFrame(state: BrokerState, connection: ConnectionState, frame: Frame): void {
  if (frame.type === FRAME.heartbeat && frame.channel === 0 && frame.payload.length === 0) return;
  if (connection.phase === 'closing') {
    takeWhileClosing(state, connection, frame);
    return;
  }
  if (frame.channel !== 0) {
    if (connection.phase === 'running') {
      takeChannelFrame(state, connection, frame);
      return;
    }
    closeConnection(state, connection, fault(504, `channel ${frame.channel} before connection.open`));
    return;
  }
  const method = readMethod(state, connection, frame);
  if (method !== undefined) takeMethod(state, connection, method);
}

/** Nothing counts any more but the answer to our close, or a close of theirs that crossed it. */
function takeWhileClosing(state: BrokerState, connection: ConnectionState, frame: Frame): void {
  if (frame.type !== FRAME.method || frame.channel !== 0) return;
  const [classId, methodId] = [frame.payload[1], frame.payload[3]];
  if (classId !== 10) return;
  if (methodId === 50) write(state, connection, methodFrame(0, 'connection.close-ok', {}));
  if (methodId === 51 || methodId === 50) end(state, connection, false);
}

function takeMethod(state: BrokerState, connection: ConnectionState, method: Method): void {
  const { phase } = connection;
  if (method.name === 'connection.close') {
    for (const channel of connection.channels.values()) sayConfirms(state, channel);
    // Before the answer: what it gives back is there for others once its client knows that it is closed.
    leave(state, connection);
    say(state, connection, 'connection.close-ok', {});
    end(state, connection, false);
    return;
  }
  if (method.name === 'connection.start-ok' && phase === 'start') {
    signIn(state, connection, method.args);
    return;
  }
  if (method.name === 'connection.tune-ok' && phase === 'tune') {
    tune(state, connection, method.args);
    return;
  }
  if (method.name === 'connection.open' && phase === 'open') {
    open(state, connection, method.args);
    return;
  }
  // A password is looked at once, as by RabbitMQ's own accounts: the new one is taken note of by nobody.
  if (method.name === 'connection.update-secret' && phase === 'running') {
    say(state, connection, 'connection.update-secret-ok', {});
    return;
  }
  const where = phase === 'running' ? phase : `waiting for ${phase}`;
  const said = fault(504, `unexpected method in connection state ${where}`);
  closeConnection(state, connection, said, method.name);
}

function signIn(
  state: BrokerState,
  connection: ConnectionState,
  { clientProperties, mechanism, response }: Arguments<'connection.start-ok'>,
): void {
  const field = clientProperties.get('capabilities');
  const told = field?.type === 'F' ? field.value : new Map();
  const can = (name: string) => told.get(name)?.type === 't' && told.get(name)?.value === true;
  connection.capabilities = {
    cancels: can('consumer_cancel_notify'),
    blocked: can('connection.blocked'),
    refusals: can('authentication_failure_close'),
  };
  // PLAIN (RFC 4616): authorization identity, user and password, with a zero byte between them. Nobody acts for another
  // here, as at RabbitMQ: the first part is empty.
  const parts = Buffer.from(response).toString('utf8').split('\0');
  const [actsFor, username, password] = parts;
  if (mechanism !== 'PLAIN') {
    closeConnection(
      state,
      connection,
      fault(503, `unknown authentication mechanism '${mechanism}'`),
      'connection.start-ok',
    );
    return;
  }
  if (parts.length !== 3 || !username || password === undefined || actsFor !== '') {
    refuse(state, connection);
    return;
  }
  connection.phase = 'signing-in';
  connection.deadlineMs += limits.connectMs - limits.signInMs;
  connection.user = username;
  state.effects.push({ kind: 'authenticate', connection: connection.id, username, password });
}

/** The word of the authenticator. */
export function signedIn(state: BrokerState, connection: ConnectionState, isAdmitted: boolean): void {
  if (connection.phase !== 'signing-in') return;
  if (!isAdmitted) {
    refuse(state, connection);
    return;
  }
  connection.phase = 'tune';
  const { channelMax, frameMax, heartbeatS } = limits;
  say(state, connection, 'connection.tune', { channelMax, frameMax, heartbeatS });
  readFrames(state, connection);
}

function refuse(state: BrokerState, connection: ConnectionState): void {
  const text = 'Login was refused using authentication mechanism PLAIN. For details see the broker logfile.';
  const said = fault(403, text);
  if (connection.capabilities.refusals) {
    closeConnection(state, connection, said);
    return;
  }
  // Before it was a capability, a severed connection was the refusal.
  const who = connection.user === '' ? connection.address : connection.user;
  state.effects.push({ kind: 'warn', who, reason: said.text, message: 'An AMQP sign-in was refused.' });
  end(state, connection, false);
}

function tune(state: BrokerState, connection: ConnectionState, asked: Arguments<'connection.tune-ok'>): void {
  const { frameMax, channelMax } = asked;
  const reason =
    outOf('frame_max', frameMax, limits.frameMin, limits.frameMax) ??
    outOf('channel_max', channelMax, 1, limits.channelMax);
  if (reason !== undefined) {
    closeConnection(state, connection, fault(530, reason), 'connection.tune-ok');
    return;
  }
  connection.frameMax = frameMax;
  connection.channelMax = channelMax;
  connection.heartbeatMs = asked.heartbeatS * 1_000;
  connection.phase = 'open';
}

/** Why a value is not within what connection.tune proposed. 0 asks for no bound, which is above ours. */
function outOf(name: string, value: number, lowest: number, highest: number): string | undefined {
  const shown = value === 0 ? 'no limit (0)' : `${value}`;
  if (value === 0 || value > highest)
    return `negotiated ${name} = ${shown} is higher than the maximum allowed value (${highest})`;
  return value < lowest
    ? `negotiated ${name} = ${shown} is lower than the minimum allowed value (${lowest})`
    : undefined;
}

function open(
  state: BrokerState,
  connection: ConnectionState,
  { virtualHost }: Arguments<'connection.open'>,
): void {
  if (virtualHost !== '/') {
    closeConnection(state, connection, fault(530, `vhost ${virtualHost} not found`), 'connection.open');
    return;
  }
  const running = [...state.connections.values()].filter(({ phase }) => phase === 'running');
  if (running.length >= limits.connections) {
    const reason = `access to vhost '/' refused for user '${connection.user}': connection limit (${limits.connections}) is reached`;
    closeConnection(state, connection, fault(530, reason), 'connection.open');
    return;
  }
  connection.phase = 'running';
  say(state, connection, 'connection.open-ok', { reserved1: '' });
}

/** Its exclusive queues go, and what it has not acknowledged goes back. */
function leave(state: BrokerState, connection: ConnectionState): void {
  for (const channel of connection.channels.values()) leaveChannel(state, connection, channel);
  connection.channels.clear();
  for (const queue of [...state.queues.values()]) if (queue.owner === connection) removeQueue(state, queue);
}

/** The connection is over. */
export function gone(state: BrokerState, connection: ConnectionState): void {
  connection.phase = 'ended';
  leave(state, connection);
  state.connections.delete(connection.id);
}
