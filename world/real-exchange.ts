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
  connectTimeoutMs: number,
  events: ExchangeEvents,
): Promise<ExchangeSession> {
  const connection = await connectWithin(url, ca, connectTimeoutMs);
  try {
    return await RealExchangeSession.over(connection, events);
  } catch (error) {
    throw refusal(url, error);
  }
}

async function connectWithin(url: URL, ca: string | undefined, timeoutMs: number): Promise<ChannelModel> {
  // amqplib's own time-out counts silence; a peer that drips bytes would hold us for ever.
  let isLate = false;
  const opening = connect(url.href, {
    noDelay: true,
    timeout: timeoutMs,
    ...(ca === undefined ? {} : { ca }),
  });
  const deadline = new Promise<never>((_, reject) => {
    const timer = setTimeout(() => {
      isLate = true;
      reject(new Error(`no answer within ${timeoutMs} ms`));
    }, timeoutMs);
    const stop = () => clearTimeout(timer);
    opening.then(stop, stop);
  });
  opening.then(
    (connection) => {
      connection.on('error', () => undefined);
      if (isLate) connection.close().catch(() => undefined);
    },
    () => undefined,
  );
  try {
    return await Promise.race([opening, deadline]);
  } catch (error) {
    throw refusal(url, error);
  }
}

function refusal(url: URL, error: unknown): ExchangeRefused {
  const reason = error instanceof Error ? error.message : String(error);
  return new ExchangeRefused(`No AMQP connection with ${url.protocol}//${url.host}: ${reason}.`, {
    cause: error,
  });
}
