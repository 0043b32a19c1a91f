import { limits } from '../limits.ts';
import { handleChannelFrame, readMethod, releaseChannel, withholdConsumers } from './channel.ts';
import { type AmqpTable, tableOf } from './codec/fields.ts';
import { type AmqpFrame, FRAME, FrameParser } from './codec/frames.ts';
import type { AmqpMethod, MethodArguments } from './codec/method-codec.ts';
import { fault } from './faults.ts';
import {
  closeConnection,
  endConnection,
  methodFrame,
  sendConfirms,
  sendMethod,
  writeBytes,
} from './sending.ts';
import { isMechanism, MECHANISMS, readCredentials } from './sign-in.ts';
import type { BrokerServices, BrokerState, ConnectionState } from './state.ts';
import { removeQueue } from './topology.ts';

const PROTOCOL = Uint8Array.of(0x41, 0x4d, 0x51, 0x50, 0, 0, 9, 1);
/**
 * The headers of clients of 0-9, and of clients that write 0-9-1 in the form of 0-9; RabbitMQ accepts them
 * too.
 */
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
    id,
    address,
    parser: new FrameParser(),
    phase: 'header',
    user: '',
    mechanism: '',
    frameMax: limits.amqp.frameMin,
    channelMax: 0,
    heartbeatMs: 0,
    capabilities: { cancels: false, blocked: false, refusals: false },
    channels: new Map(),
    partialBytes: 0,
    hasPublished: false,
    isToldBlocked: false,
    isPaused: false,
    outstandingBytes: 0,
    stalledSinceMs: undefined,
    readAtMs: nowMs,
    wroteAtMs: nowMs,
    deadlineMs: nowMs + limits.amqp.signInMs,
    isSevered: false,
  };
}

/** Receives bytes of a client, in chunks of any size. */
export function receiveBytes(state: BrokerState, connection: ConnectionState, bytes: Uint8Array): void {
  if (connection.phase === 'ended') return;
  connection.readAtMs = state.nowMs;
  connection.parser.push(bytes);
  readFrames(state, connection);
}

/** Reads the complete frames. They wait during a sign-in, and while earlier answers are unread. */
export function readFrames(state: BrokerState, connection: ConnectionState): void {
  const { parser } = connection;
  if (connection.phase === 'header' && !readProtocolHeader(state, connection)) return;
  while (connection.phase !== 'ended' && connection.phase !== 'signing-in') {
    // One chunk of the stream can cause very much output: it may contain thousands of gets.
    if (connection.outstandingBytes >= 2 * limits.amqp.outstandingBytes) return;
    const parsed = parser.next(connection.frameMax);
    if (parsed.kind === 'part') return;
    if (parsed.kind === 'fault') {
      closeAfterBadFrame(state, connection, parsed.reason);
      return;
    }
    handleFrame(state, connection, parsed.frame);
  }
  if (parser.heldBytes > limits.amqp.frameMin * 2 && connection.phase === 'signing-in')
    closeAfterBadFrame(state, connection, 'frames follow a sign-in that is not answered');
}

/** After an invalid frame the rest of the stream cannot be read: the connection is closed with a reason. */
function closeAfterBadFrame(state: BrokerState, connection: ConnectionState, reason: string): void {
  if (connection.phase === 'start' || connection.phase === 'closing') {
    endConnection(state, connection, true);
    return;
  }
  closeConnection(state, connection, fault(501, reason));
  endConnection(state, connection, false);
}

function readProtocolHeader(state: BrokerState, connection: ConnectionState): boolean {
  const header = connection.parser.takeProtocolHeader();
  if (header === undefined) return false;
  if (!PROTOCOLS.some((each) => each.every((byte, at) => header[at] === byte))) {
    // Section 2.2.4: the server sends the valid header and closes.
    writeBytes(state, connection, PROTOCOL);
    endConnection(state, connection, false);
    return false;
  }
  connection.phase = 'start';
  sendMethod(state, connection, 'connection.start', {
    versionMajor: 0,
    versionMinor: 9,
    serverProperties: serverProperties(state.services),
    mechanisms: Buffer.from(MECHANISMS),
    locales: Buffer.from('en_US'),
  });
  return true;
}

/**
 * The properties that RabbitMQ sends. The specification names all but the capabilities and the cluster's name
 * (connection.start); clients show them, and Spring Boot's health check fails without a version.
 */
function serverProperties({ version, platform }: BrokerServices): AmqpTable {
  return tableOf({
    product: 'boxtwin',
    version,
    platform,
    copyright: 'Copyright (c) 2026 the boxtwin authors',
    information: 'Licensed under the MIT License.',
    cluster_name: 'boxtwin@localhost',
    capabilities: CAPABILITIES,
  });
}

function handleFrame(state: BrokerState, connection: ConnectionState, frame: AmqpFrame): void {
  if (frame.type === FRAME.heartbeat && frame.channel === 0 && frame.payload.length === 0) return;
  if (connection.phase === 'closing') {
    handleWhileClosing(state, connection, frame);
    return;
  }
  if (frame.channel !== 0) {
    if (connection.phase === 'running') {
      handleChannelFrame(state, connection, frame);
      return;
    }
    closeConnection(state, connection, fault(504, `channel ${frame.channel} before connection.open`));
    return;
  }
  const method = readMethod(state, connection, frame);
  if (method !== undefined) handleMethod(state, connection, method);
}

/** While closing, only the answer to our close counts, or a close of the client's that crossed it. */
function handleWhileClosing(state: BrokerState, connection: ConnectionState, frame: AmqpFrame): void {
  if (frame.type !== FRAME.method || frame.channel !== 0) return;
  const [classId, methodId] = [frame.payload[1], frame.payload[3]];
  if (classId !== 10) return;
  if (methodId === 50) writeBytes(state, connection, methodFrame(0, 'connection.close-ok', {}));
  if (methodId === 51 || methodId === 50) endConnection(state, connection, false);
}

function handleMethod(state: BrokerState, connection: ConnectionState, method: AmqpMethod): void {
  const { phase } = connection;
  if (method.name === 'connection.close') {
    for (const channel of connection.channels.values()) sendConfirms(state, channel);
    // Before the answer: once the client knows that it is closed, what it releases must be available to
    // others.
    releaseConnection(state, connection);
    sendMethod(state, connection, 'connection.close-ok', {});
    endConnection(state, connection, false);
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
  // As in RabbitMQ's own accounts, a password is only checked at the sign-in: the new secret is ignored.
  if (method.name === 'connection.update-secret' && phase === 'running') {
    sendMethod(state, connection, 'connection.update-secret-ok', {});
    return;
  }
  const where = phase === 'running' ? phase : `waiting for ${phase}`;
  const refusal = fault(504, `unexpected method in connection state ${where}`);
  closeConnection(state, connection, refusal, method.name);
}

function signIn(
  state: BrokerState,
  connection: ConnectionState,
  { clientProperties, mechanism, response }: MethodArguments<'connection.start-ok'>,
): void {
  const field = clientProperties.get('capabilities');
  const capabilities = field?.type === 'F' ? field.value : new Map();
  const has = (name: string) =>
    capabilities.get(name)?.type === 't' && capabilities.get(name)?.value === true;
  connection.capabilities = {
    cancels: has('consumer_cancel_notify'),
    blocked: has('connection.blocked'),
    refusals: has('authentication_failure_close'),
  };
  if (!isMechanism(mechanism)) {
    closeConnection(
      state,
      connection,
      fault(503, `unknown authentication mechanism '${mechanism}'`),
      'connection.start-ok',
    );
    return;
  }
  connection.mechanism = mechanism;
  const credentials = readCredentials(mechanism, response);
  if (credentials === undefined) {
    refuseSignIn(state, connection);
    return;
  }
  connection.phase = 'signing-in';
  connection.deadlineMs += limits.amqp.connectMs - limits.amqp.signInMs;
  connection.user = credentials.username;
  state.effects.push({ kind: 'authenticate', connection: connection.id, ...credentials });
}

/** Handles the answer of the authenticator. */
export function signedIn(state: BrokerState, connection: ConnectionState, isAdmitted: boolean): void {
  if (connection.phase !== 'signing-in') return;
  if (!isAdmitted) {
    refuseSignIn(state, connection);
    return;
  }
  connection.phase = 'tune';
  const { channelMax, frameMax, heartbeatS } = limits.amqp;
  sendMethod(state, connection, 'connection.tune', { channelMax, frameMax, heartbeatS });
  readFrames(state, connection);
}

function refuseSignIn(state: BrokerState, connection: ConnectionState): void {
  const text = `Login was refused using authentication mechanism ${connection.mechanism}. For details see the broker logfile.`;
  const refusal = fault(403, text);
  if (connection.capabilities.refusals) {
    closeConnection(state, connection, refusal);
    return;
  }
  // Without that capability, severing the connection is the refusal.
  const who = connection.user === '' ? connection.address : connection.user;
  state.effects.push({ kind: 'warn', who, reason: refusal.text, message: 'An AMQP sign-in was refused.' });
  endConnection(state, connection, false);
}

function tune(
  state: BrokerState,
  connection: ConnectionState,
  asked: MethodArguments<'connection.tune-ok'>,
): void {
  const { frameMax, channelMax } = asked;
  const reason =
    outOfRange('frame_max', frameMax, limits.amqp.frameMin, limits.amqp.frameMax) ??
    outOfRange('channel_max', channelMax, 1, limits.amqp.channelMax);
  if (reason !== undefined) {
    closeConnection(state, connection, fault(530, reason), 'connection.tune-ok');
    return;
  }
  connection.frameMax = frameMax;
  connection.channelMax = channelMax;
  connection.heartbeatMs = asked.heartbeatS * 1_000;
  connection.phase = 'open';
}

/**
 * Why a value is outside the range that connection.tune proposed. 0 asks for no limit, which is above ours.
 */
function outOfRange(name: string, value: number, lowest: number, highest: number): string | undefined {
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
  { virtualHost }: MethodArguments<'connection.open'>,
): void {
  if (virtualHost !== '/') {
    closeConnection(state, connection, fault(530, `vhost ${virtualHost} not found`), 'connection.open');
    return;
  }
  const running = [...state.connections.values()].filter(({ phase }) => phase === 'running');
  if (running.length >= limits.amqp.connections) {
    const reason = `access to vhost '/' refused for user '${connection.user}': connection limit (${limits.amqp.connections}) is reached`;
    closeConnection(state, connection, fault(530, reason), 'connection.open');
    return;
  }
  connection.phase = 'running';
  sendMethod(state, connection, 'connection.open-ok', { reserved1: '' });
}

/** Deletes its exclusive queues, and requeues what it has not acknowledged. */
function releaseConnection(state: BrokerState, connection: ConnectionState): void {
  // What one of its channels gives back is not for another one.
  for (const channel of connection.channels.values()) withholdConsumers(channel);
  for (const channel of connection.channels.values()) releaseChannel(state, connection, channel);
  connection.channels.clear();
  for (const queue of [...state.queues.values()]) if (queue.owner === connection) removeQueue(state, queue);
}

/** Handles the end of the connection. */
export function connectionGone(state: BrokerState, connection: ConnectionState): void {
  connection.phase = 'ended';
  releaseConnection(state, connection);
  state.connections.delete(connection.id);
}
