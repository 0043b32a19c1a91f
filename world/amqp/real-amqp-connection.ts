import type { Writable } from 'node:stream';
import { type ChannelModel, connect } from 'amqplib';
import { errorText } from '../error-text.ts';
import { limits } from '../limits.ts';

/**
 * The address of an AMQP broker, `amqp://user:password@host:5672/vhost` or `amqps://...`, with a default
 * heartbeat where it names none. Throws a TypeError if the text is not such an address.
 */
export function amqpUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || (url.protocol !== 'amqp:' && url.protocol !== 'amqps:') || url.hostname === '') {
    // Without the text itself: it may contain a password.
    throw new TypeError('Not an address of an AMQP broker (amqp://user:password@host:port/vhost).');
  }
  if (!url.searchParams.has('heartbeat')) url.searchParams.set('heartbeat', String(limits.amqpHeartbeatS));
  return url;
}

/**
 * Connects, and calls `begin` to make a session of the connection, all within `timeoutMs`. `destroy` ends the
 * socket at any time, also later. `ca`: as in the options. Rejects with the error that prevented the session.
 */
export async function connectWithin<Session>(
  url: URL,
  { ca, timeoutMs }: { readonly ca: string | undefined; readonly timeoutMs: number },
  begin: (connection: ChannelModel, destroy: () => void) => Session | Promise<Session>,
): Promise<Session> {
  // One deadline for all steps. amqplib's own timeout counts silence only, so a peer that sends single bytes
  // could delay us indefinitely. The signal destroys the socket.
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(), timeoutMs);
  try {
    // Node's sockets know `signal`, amqplib's types of their options do not.
    const options = { noDelay: true, signal: deadline.signal, ...(ca === undefined ? {} : { ca }) };
    const connection = await connect(url.href, options);
    // Before anything else: an `error` event without a listener would end the process.
    connection.on('error', () => undefined);
    return await begin(connection, () => deadline.abort());
  } catch (error) {
    throw deadline.signal.aborted ? new Error(`no answer within ${timeoutMs} ms`) : error;
  } finally {
    clearTimeout(timer);
  }
}

/**
 * A function that holds back what is written to a connection, until all that was published in this turn of the event loop
 * is written at once. amqplib writes each message to the socket by itself, and larger ones in two parts, in a turn after
 * the one in which they are published: each is a system call here, and a packet to read at the broker.
 */
export function togetherOver(connection: ChannelModel): () => void {
  // Its types leave the stream out.
  const { stream } = connection.connection as { readonly stream?: Writable };
  let isHeld = false;
  return () => {
    if (isHeld || stream === undefined) return;
    isHeld = true;
    stream.cork();
    setImmediate(() =>
      setImmediate(() => {
        isHeld = false;
        stream.uncork();
      }),
    );
  };
}

/** Why there is no connection, as a sentence without the account. */
export function noConnection(url: URL, error: unknown): string {
  return `No AMQP connection with ${url.protocol}//${url.host}: ${errorText(error)}.`;
}

/** Resolves once the work is done or the time is over. */
export async function within(deadlineMs: number, work: Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, deadlineMs);
  });
  await Promise.race([work, deadline]);
  clearTimeout(timer);
}
