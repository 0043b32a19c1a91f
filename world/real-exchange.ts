import { type ChannelModel, connect } from 'amqplib';
import { type Exchange, type ExchangeEvents, ExchangeRefused, type ExchangeSession } from './exchange.ts';
import { limits } from './limits.ts';
import { RealExchangeSession } from './real-exchange-session.ts';

export interface RealExchangeOptions {
  /** `amqp://user:password@host:5672/vhost` or `amqps://...`; several are the nodes of one cluster. */
  readonly url: string | readonly string[];
  /** For amqps: the certificate authority in PEM form; without it those that Node knows. */
  readonly ca?: string;
}

/**
 * AMQP 0-9-1 by amqplib, whose own recovery stays off. Of several nodes each is tried in turn, first the one that took
 * the last session; all share the time for connecting. Throws a TypeError where a URL is none of an AMQP broker.
 */
export function realExchange(options: RealExchangeOptions): Exchange {
  const urls = (typeof options.url === 'string' ? [options.url] : options.url).map(withHeartbeat);
  let next = 0;
  return {
    async open({ connectTimeoutMs }, events) {
      const failures: unknown[] = [];
      for (const _ of urls) {
        const url = urls[next] ?? notAnAddress();
        try {
          return await openSession(url, options.ca, connectTimeoutMs / urls.length, events);
        } catch (error) {
          failures.push(error);
          next = (next + 1) % urls.length;
        }
      }
      if (failures.length === 1) throw failures[0];
      throw new ExchangeRefused(failures.map(wordsOf).join(' '), { cause: failures[0] });
    },
  };
}

function notAnAddress(): never {
  // Not the text itself: it may hold a password.
  throw new TypeError('Not an address of an AMQP broker (amqp://user:password@host:port/vhost).');
}

function withHeartbeat(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || (url.protocol !== 'amqp:' && url.protocol !== 'amqps:') || url.hostname === '')
    return notAnAddress();
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
  return new ExchangeRefused(`No AMQP connection with ${url.protocol}//${url.host}: ${wordsOf(error)}.`, {
    cause: error,
  });
}

function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // Where a name has several addresses, Node says of their failures together nothing but the code.
  return error.message || ('code' in error ? String(error.code) : error.name);
}
