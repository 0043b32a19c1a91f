import { errorText } from '../error-text.ts';
import { type AmqpConsumer, type AmqpConsumerRefusal, AmqpConsumerRefused } from './amqp-consumer.ts';
import { amqpUrl, connectWithin, noConnection } from './real-amqp-connection.ts';
import { RealAmqpConsumerSession } from './real-amqp-consumer-session.ts';

export interface RealAmqpConsumerOptions {
  /** `amqp://user:password@host:5672/vhost` or `amqps://...`. */
  readonly url: string;
  /** For amqps: the certificate authority in PEM form; without it, those that Node trusts. */
  readonly ca?: string;
}

/**
 * AMQP 0-9-1 by amqplib, with its recovery switched off. Throws a TypeError where the URL is not the address
 * of an AMQP broker.
 */
export function realAmqpConsumer(options: RealAmqpConsumerOptions): AmqpConsumer {
  const url = amqpUrl(options.url);
  return {
    async open({ connectTimeoutMs: timeoutMs }, events) {
      try {
        return await connectWithin(
          url,
          { ca: options.ca, timeoutMs },
          (connection, destroy) => new RealAmqpConsumerSession(connection, events, destroy),
        );
      } catch (error) {
        throw new AmqpConsumerRefused(kindOf(error), noConnection(url, error), { cause: error });
      }
    },
  };
}

/**
 * RabbitMQ refuses an account with 403, and a virtual host with 530 (AMQP 0-9-1 section 1.1). Of the latter,
 * amqplib reports only that the connection was closed instead of opened.
 */
const ACCOUNT = /ACCESS[-_]REFUSED|NOT[-_]ALLOWED|\b(403|530)\b|Expected ConnectionOpenOk/;
/** Node's error codes for an invalid certificate. */
const CERTIFICATE = /CERT|UNABLE_TO_(GET|VERIFY)|SELF_SIGNED/;

function kindOf(error: unknown): AmqpConsumerRefusal {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (CERTIFICATE.test(code)) return 'certificate';
  return ACCOUNT.test(errorText(error)) ? 'account' : 'unreachable';
}
