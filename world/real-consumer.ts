import { type ChannelModel, connect } from 'amqplib';
import { type Consumer, type ConsumerRefusal, ConsumerRefused } from './consumer.ts';
import { limits } from './limits.ts';
import { RealConsumerSession } from './real-consumer-session.ts';

export interface RealConsumerOptions {
  /** `amqp://user:password@host:5672/vhost` or `amqps://...`. */
  readonly url: string;
  /** For amqps: the certificate authority in PEM form; without it those that Node knows. */
  readonly ca?: string;
}

/** AMQP 0-9-1 by amqplib, whose own recovery stays off. Throws a TypeError where the URL is none of an AMQP broker. */
export function realConsumer(options: RealConsumerOptions): Consumer {
  const url = URL.canParse(options.url) ? new URL(options.url) : undefined;
  if (url === undefined || (url.protocol !== 'amqp:' && url.protocol !== 'amqps:') || url.hostname === '') {
    // Not the text itself: it may hold a password.
    throw new TypeError('Not an address of an AMQP broker (amqp://user:password@host:port/vhost).');
  }
  if (!url.searchParams.has('heartbeat'))
    url.searchParams.set('heartbeat', String(limits.exchangeHeartbeatS));
  return {
    async open({ connectTimeoutMs }, events) {
      // One deadline for the whole way: amqplib's own counts silence only. The signal destroys the socket.
      const deadline = new AbortController();
      const timer = setTimeout(() => deadline.abort(), connectTimeoutMs);
      try {
        const socket = { signal: deadline.signal, ...(options.ca === undefined ? {} : { ca: options.ca }) };
        const connection = await connectWith(url, socket);
        return new RealConsumerSession(connection, events, () => deadline.abort());
      } catch (error) {
        const late = new Error(`no answer within ${connectTimeoutMs} ms`);
        throw refusal(url, deadline.signal.aborted ? late : error);
      } finally {
        clearTimeout(timer);
      }
    },
  };
}

async function connectWith(url: URL, socket: { signal: AbortSignal; ca?: string }): Promise<ChannelModel> {
  // Node's sockets know `signal`, amqplib's types of their options do not.
  const options = { noDelay: true, ...socket };
  const connection = await connect(url.href, options);
  // Heard from the first moment: an error that nobody hears would end the process.
  connection.on('error', () => undefined);
  return connection;
}

function refusal(url: URL, error: unknown): ConsumerRefused {
  const words = wordsOf(error);
  const place = `${url.protocol}//${url.host}`;
  return new ConsumerRefused(kindOf(words, error), `No AMQP connection with ${place}: ${words}.`, {
    cause: error,
  });
}

/** RabbitMQ says no to an account with 403, and to a virtual host with 530 (AMQP 0-9-1 section 1.1), of which amqplib tells only that it came. */
const ACCOUNT = /ACCESS[-_]REFUSED|NOT[-_]ALLOWED|\b(403|530)\b|Expected ConnectionOpenOk/;
/** Node's codes for what it finds wrong with a certificate. */
const CERTIFICATE = /CERT|UNABLE_TO_(GET|VERIFY)|SELF_SIGNED/;

function kindOf(words: string, error: unknown): ConsumerRefusal {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (CERTIFICATE.test(code)) return 'certificate';
  return ACCOUNT.test(words) ? 'account' : 'unreachable';
}

function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // Where a name has several addresses, Node says of their failures together nothing but the code.
  return error.message || ('code' in error ? String(error.code) : error.name);
}
