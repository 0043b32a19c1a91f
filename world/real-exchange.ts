import { type ChannelModel, connect } from 'amqplib';
import { type Exchange, type ExchangeEvents, ExchangeRefused, type ExchangeSession } from './exchange.ts';
import { limits } from './limits.ts';
import { RealExchangeSession } from './real-exchange-session.ts';

export interface RealExchangeOptions {
  /** `amqp://user:password@host:5672/vhost` or `amqps://...`. */
  readonly url: string;
  /** For amqps: the certificate authority in PEM form; without it those that Node knows. */
  readonly ca?: string;
}

/**
 * AMQP 0-9-1 by amqplib, whose own recovery stays off. Throws a TypeError where the URL is none of an AMQP broker.
 */
export function realExchange(options: RealExchangeOptions): Exchange {
  const url = withHeartbeat(options.url);
  return {
    open: ({ connectTimeoutMs }, events) => openSession(url, options.ca, connectTimeoutMs, events),
  };
}

function withHeartbeat(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || (url.protocol !== 'amqp:' && url.protocol !== 'amqps:') || url.hostname === '') {
    // Not the text itself: it may hold a password.
    throw new TypeError('Not an address of an AMQP broker (amqp://user:password@host:port/vhost).');
  }
  if (!url.searchParams.has('heartbeat'))
    url.searchParams.set('heartbeat', String(limits.exchangeHeartbeatS));
  return url;
}

async function openSession(
  url: URL,
  ca: string | undefined,
  timeoutMs: number,
  events: ExchangeEvents,
): Promise<ExchangeSession> {
  // One deadline for the whole way to a channel that confirms. amqplib's own counts silence only, so that a peer
  // which drips bytes would hold us for ever. The signal destroys the socket at any point, also later.
  const deadline = new AbortController();
  const timer = setTimeout(() => deadline.abort(), timeoutMs);
  try {
    const connection = await connectWith(url, {
      signal: deadline.signal,
      ...(ca === undefined ? {} : { ca }),
    });
    return await RealExchangeSession.over(connection, events, () => deadline.abort());
  } catch (error) {
    throw refusal(url, deadline.signal.aborted ? new Error(`no answer within ${timeoutMs} ms`) : error);
  } finally {
    clearTimeout(timer);
  }
}

async function connectWith(url: URL, socket: { signal: AbortSignal; ca?: string }): Promise<ChannelModel> {
  // Node's sockets know `signal`, amqplib's types of their options do not.
  const options = { noDelay: true, ...socket };
  const connection = await connect(url.href, options);
  // Heard from the first moment: an error that nobody hears would end the process.
  connection.on('error', () => undefined);
  return connection;
}

function refusal(url: URL, error: unknown): ExchangeRefused {
  const reason = error instanceof Error ? error.message : String(error);
  return new ExchangeRefused(`No AMQP connection with ${url.protocol}//${url.host}: ${reason}.`, {
    cause: error,
  });
}
