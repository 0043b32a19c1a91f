import { errorText } from '../error-text.ts';
import {
  type AmqpPublisher,
  type AmqpPublisherEvents,
  type AmqpPublisherSession,
  AmqpRefused,
} from './amqp-publisher.ts';
import { amqpUrl, connectWithin, noConnection } from './real-amqp-connection.ts';
import { RealAmqpPublisherSession } from './real-amqp-publisher-session.ts';

export interface RealAmqpPublisherOptions {
  /** `amqp://user:password@host:5672/vhost` or `amqps://...`; several are the nodes of one cluster. */
  readonly url: string | readonly string[];
  /** For amqps: the certificate authority in PEM form; without it, those that Node trusts. */
  readonly ca?: string;
}

/**
 * AMQP 0-9-1 by amqplib, with its recovery switched off. With several nodes each is tried in turn; all share the time for
 * connecting. The next session begins at the node of the last one, or where that session has ended, at the one after it.
 * Throws a TypeError where a URL is not the address of an AMQP broker.
 */
export function realAmqpPublisher(options: RealAmqpPublisherOptions): AmqpPublisher {
  const urls = (typeof options.url === 'string' ? [options.url] : options.url).map(amqpUrl);
  let place = 0;
  return {
    async open({ connectTimeoutMs }, events) {
      const failures: unknown[] = [];
      for (const _ of urls) {
        const at = place;
        const url = urls[at % urls.length];
        if (url === undefined) break;
        const leave = () => {
          if (place === at) place += 1;
        };
        try {
          return await openSession(url, options.ca, connectTimeoutMs / urls.length, {
            closed(reason) {
              leave();
              events.closed(reason);
            },
            blocked: (isBlocked) => events.blocked(isBlocked),
          });
        } catch (error) {
          failures.push(error);
          leave();
        }
      }
      if (failures.length === 1) throw failures[0];
      throw new AmqpRefused(failures.map(errorText).join(' '), { cause: failures[0] });
    },
  };
}

async function openSession(
  url: URL,
  ca: string | undefined,
  timeoutMs: number,
  events: AmqpPublisherEvents,
): Promise<AmqpPublisherSession> {
  try {
    return await connectWithin(url, { ca, timeoutMs }, (connection, destroy) =>
      RealAmqpPublisherSession.over(connection, events, destroy),
    );
  } catch (error) {
    throw new AmqpRefused(noConnection(url, error), { cause: error });
  }
}
