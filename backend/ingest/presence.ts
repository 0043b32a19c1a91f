import { LIMITS } from '../../contract/limits.ts';
import type { Birth, Frame, GoingDown, Gone, Hello, Ready, RecordMessage } from '../../protocol/message.ts';
import type { BoxRecord, SentAt } from '../store/port/stored-vehicle.ts';

export type Presence = Pick<BoxRecord, 'connection' | 'notReadyUntilMs'>;

/**
 * Whether a box sent a hello before a `ready` that has arrived already. A broker may deliver a hello again after its
 * `ready`: NATS sends what the former session did not acknowledge only when its `ack_wait` has passed, and newer messages at
 * once. Unknown (another boot, no clock): no.
 */
export function isOvertaken(hello: Pick<Frame, 'boot' | 'clockMs'>, readySent: SentAt | undefined): boolean {
  return (
    readySent !== undefined &&
    hello.boot === readySent.boot &&
    hello.clockMs > 0 &&
    hello.clockMs <= readySent.clockMs
  );
}

/**
 * A box's presence after a message. A box counts its connections in flash, and the highest counter wins: the will of a
 * connection that was taken over comes after the birth of the next one and changes nothing. So does a going-down that
 * the broker redelivers (MQTT 3.1.1, 4.4) after its box has reconnected.
 *
 * | message               | connection                     | not ready                                |
 * |-----------------------|--------------------------------|------------------------------------------|
 * | birth, higher         | open                           | unchanged                                |
 * | hello, not lower      | open if higher                 | for 3 min; unchanged if overtaken        |
 * | ready                 | unchanged                      | ends                                     |
 * | a record              | unchanged                      | ends if the connection is open           |
 * | going-down, not lower | closed                         | for 3 min                                |
 * | gone, not lower       | closed                         | ends if the connection was open (a loss) |
 *
 * The reply with which a box has done what ends its session (`endsSession`) counts as its going-down.
 *
 * A box sends records only once it is ready, so a record also means a `ready` that was lost: the broker has its
 * acknowledgement, but the backend ended before the commit. After a going-down the connection counts as closed, so
 * records that were in flight do not undo it; the hello of the next connection opens that one.
 *
 * Overtaken: the `ready` that follows the hello has come first (`isOvertaken`).
 *
 * After the 3 min the box counts as not connected until it reports ready, or sends a record.
 */
export function updatedPresence(
  before: Presence,
  message: Birth | Gone | Hello | Ready | GoingDown | RecordMessage,
  receivedMs: number,
  isOvertakenHello = false,
): Presence {
  const { connection } = before;
  switch (message.kind) {
    case 'birth':
      if (connection !== undefined && message.connection <= connection.counter) return before;
      return { ...before, connection: { counter: message.connection, open: true } };
    case 'hello':
      if (connection !== undefined && message.connection < connection.counter) return before;
      return {
        // Equal: a hello that arrives after the end of its own connection does not open it again.
        connection:
          message.connection === connection?.counter
            ? connection
            : { counter: message.connection, open: true },
        notReadyUntilMs: isOvertakenHello ? before.notReadyUntilMs : receivedMs + LIMITS.vehicle.notReadyMs,
      };
    case 'ready':
      return { ...before, notReadyUntilMs: undefined };
    case 'report':
    case 'heartbeat':
    case 'event':
    case 'reply':
    case 'access':
    case 'tombstone':
      if (connection?.open !== true || before.notReadyUntilMs === undefined) return before;
      return { ...before, notReadyUntilMs: undefined };
    case 'going-down':
      if (connection !== undefined && message.connection < connection.counter) return before;
      return {
        connection: { counter: message.connection, open: false },
        notReadyUntilMs: receivedMs + LIMITS.vehicle.notReadyMs,
      };
    case 'gone': {
      if (connection !== undefined && message.connection < connection.counter) return before;
      const wasOnPurpose = connection?.open === false && connection.counter === message.connection;
      return {
        connection: { counter: message.connection, open: false },
        notReadyUntilMs: wasOnPurpose ? before.notReadyUntilMs : undefined,
      };
    }
    default:
      return message satisfies never;
  }
}
