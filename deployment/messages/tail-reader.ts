import {
  type AmqpConsumer,
  AmqpConsumerRefused,
  type AmqpConsumerSession,
  type AmqpDelivery,
} from '../../world/amqp/amqp-consumer.ts';
import { realAmqpConsumer } from '../../world/amqp/real-amqp-consumer.ts';
import { CommandError } from '../shared/command-error.ts';
import { limits } from '../shared/limits.ts';
import type { TailSource } from './tail-source.ts';

/** Shows one message; resolves with whether it may be acknowledged. */
export type PrintMessage = (delivery: AmqpDelivery) => Promise<boolean>;

export interface TailOutput {
  readonly print: PrintMessage;
  readonly end: AbortSignal;
  /** Prints a notice to the user, apart from the messages. */
  notice(text: string): void;
}

/**
 * Reads until `end`, one message after the other in the order of arrival; a lost connection is reopened. Rejects with a
 * `CommandError` where nothing can be read, and where that is refused later on.
 */
export async function readMessages(
  place: Omit<TailSource, 'close'>,
  { print, end, notice }: TailOutput,
): Promise<void> {
  const consumer = consumerAt(place);
  let attempts = 0;
  let wasThere = false;
  while (!end.aborted) {
    try {
      const lost = await readOnce(consumer, place, print, end, () => {
        if (wasThere) notice(`connected with ${place.name} again.`);
        else if (place.isShared) notice(TAKING_NOTICE);
        wasThere = true;
        attempts = 0;
      });
      if (lost === undefined) return;
      notice(`the connection with ${place.name} is lost (${lost}); trying again.`);
    } catch (error) {
      if (!(error instanceof AmqpConsumerRefused)) throw error;
      if (!wasThere || error.kind !== 'unreachable') throw refusal(error, wasThere);
    }
    attempts += 1;
    await pause(Math.min(limits.tailRetryMs * 2 ** (attempts - 1), limits.tailLastRetryMs), end);
  }
}

/** One connection, to its end. Resolves with why it was lost; undefined: it ended as requested. */
async function readOnce(
  consumer: AmqpConsumer,
  place: Pick<TailSource, 'queues'>,
  print: PrintMessage,
  end: AbortSignal,
  connected: () => void,
): Promise<string | undefined> {
  const closed = Promise.withResolvers<string>();
  const session = await consumer.open(
    { connectTimeoutMs: limits.serviceCallMs },
    { closed: (reason) => closed.resolve(reason) },
  );
  const ended = new Promise<undefined>((resolve) => {
    if (end.aborted) resolve(undefined);
    else end.addEventListener('abort', () => resolve(undefined), { once: true });
  });
  // One after the other, in the order of arrival.
  let printing: Promise<void> = Promise.resolve();
  const take = (delivery: AmqpDelivery) => {
    printing = printing.then(() => show(session, delivery, print, end));
  };
  try {
    for (const queue of place.queues) await session.consume(queue, { prefetch: limits.tailPrefetch }, take);
    connected();
    return await Promise.race([closed.promise, ended]);
  } finally {
    await printing;
    await session.close();
  }
}

async function show(
  session: AmqpConsumerSession,
  delivery: AmqpDelivery,
  print: PrintMessage,
  end: AbortSignal,
): Promise<void> {
  if (!end.aborted && (await print(delivery))) session.ack(delivery);
}

function consumerAt({ url, ca }: Pick<TailSource, 'url' | 'ca'>): AmqpConsumer {
  try {
    return realAmqpConsumer({ url, ...(ca === undefined ? {} : { ca }) });
  } catch (error) {
    if (error instanceof TypeError) throw new CommandError(error.message);
    throw error;
  }
}

const TAKING_NOTICE =
  'messages that are shown are removed from the queue, and so are those that --vehicle and --type leave out; without --queue no other reader is affected.';

const ADVICE: Readonly<Record<AmqpConsumerRefused['kind'], string>> = {
  unreachable: 'Is the broker running there?',
  account: 'Look at user, password and virtual host in the address.',
  certificate: 'Name the file of its certificate authority with --ca.',
  queue: 'Look at its name, and at the rights of the user.',
};

function refusal(error: AmqpConsumerRefused, wasThere: boolean): CommandError {
  return new CommandError(`${error.message.replaceAll(/\s+/g, ' ')} ${ADVICE[error.kind]}`, wasThere ? 1 : 2);
}

function pause(ms: number, end: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const over = () => {
      clearTimeout(timer);
      end.removeEventListener('abort', over);
      resolve();
    };
    const timer = setTimeout(over, ms);
    if (end.aborted) over();
    else end.addEventListener('abort', over);
  });
}
