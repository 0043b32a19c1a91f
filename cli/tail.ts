import { TOPICS } from '../backend/events/topics.ts';
import { type Consumer, ConsumerRefused, type ConsumerSession, type Delivery } from '../world/consumer.ts';
import { realConsumer } from '../world/real-consumer.ts';
import { Failure } from './failure.ts';
import { limits } from './limits.ts';
import { type TailPlace, tailPlace } from './tail-place.ts';
import { isWanted, jsonLine, type LastValues, tableHead, tableRow } from './tail-rows.ts';

/** As commander hands them over. */
export interface TailOptions {
  readonly amqp?: string;
  readonly queue?: string;
  readonly ca?: string;
  readonly data: string;
  readonly vehicle: readonly string[];
  readonly type: readonly string[];
  readonly json: boolean;
  readonly count?: number;
}

/** The last: its terminal is gone. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Prints messages as they arrive, until the user, --count or the reader of its output ends it. A message is acknowledged
 * once its line is written out. Throws a `Failure` where nothing can be read, and where that is refused later on.
 */
export async function tail(options: TailOptions): Promise<void> {
  const types = options.type.map(messageName);
  const filter = { vehicles: options.vehicle.map((id) => id.toUpperCase()), types };
  const ending = new AbortController();
  const onSignal = () => {
    // The second signal means now; what is not acknowledged comes again.
    if (ending.signal.aborted) process.exit(1);
    ending.abort();
  };
  // Whoever read the output wants no more of it (`| head`).
  const onBroken = () => ending.abort();
  for (const signal of SIGNALS) process.on(signal, onSignal);
  process.stdout.on('error', onBroken);
  let place: TailPlace | undefined;
  try {
    place = await tailPlace({ ...options, types });
    await read(place, printer(options, filter, ending), ending.signal);
  } finally {
    const left = await place?.leave();
    if (left !== undefined) notice(left);
    for (const signal of SIGNALS) process.off(signal, onSignal);
  }
}

/** Shows one message; resolves with whether it may be acknowledged. */
type Print = (delivery: Delivery) => Promise<boolean>;

function printer(
  options: TailOptions,
  filter: Parameters<typeof isWanted>[1],
  ending: AbortController,
): Print {
  const isTable = !options.json && process.stdout.isTTY === true;
  const last: LastValues = new Map();
  let left = options.count ?? Number.POSITIVE_INFINITY;
  let isFirst = true;
  return async (delivery) => {
    if (!isWanted(delivery, filter)) return true;
    const nowMs = Date.now();
    const head = isTable && isFirst ? `${tableHead()}\n` : '';
    isFirst = false;
    const width = process.stdout.columns ?? limits.tailColumns;
    const line = isTable ? tableRow(delivery, nowMs, last, width) : jsonLine(delivery, nowMs);
    const isWritten = await written(`${head}${line}\n`);
    left -= 1;
    if (left <= 0 || !isWritten) ending.abort();
    return isWritten;
  };
}

/** Resolves once the text is out of this process: false where nobody takes it any more. */
function written(text: string): Promise<boolean> {
  return new Promise((resolve) => {
    process.stdout.write(text, (error) => resolve(error === undefined || error === null));
  });
}

/** Reads until `end`; a connection that is lost is opened anew. Rejects with a `Failure` where that is refused. */
async function read(place: TailPlace, print: Print, end: AbortSignal): Promise<void> {
  const consumer = consumerAt(place);
  let attempts = 0;
  let wasThere = false;
  while (!end.aborted) {
    try {
      const lost = await readOnce(consumer, place, print, end, () => {
        if (wasThere) notice(`connected with ${place.name} again.`);
        else if (place.takesAway) notice(TAKING);
        wasThere = true;
        attempts = 0;
      });
      if (lost === undefined) return;
      notice(`the connection with ${place.name} is lost (${lost}); trying again.`);
    } catch (error) {
      if (!(error instanceof ConsumerRefused)) throw error;
      if (!wasThere || error.kind !== 'unreachable') throw refusal(error, wasThere);
    }
    attempts += 1;
    await pause(Math.min(limits.tailRetryMs * 2 ** (attempts - 1), limits.tailLastRetryMs), end);
  }
}

/** One connection, to its end. Resolves with why it was lost; undefined: it was to end. */
async function readOnce(
  consumer: Consumer,
  place: TailPlace,
  print: Print,
  end: AbortSignal,
  connected: () => void,
): Promise<string | undefined> {
  const closed = Promise.withResolvers<string>();
  const session = await consumer.open(
    { connectTimeoutMs: limits.tailConnectMs },
    { closed: (reason) => closed.resolve(reason) },
  );
  const ended = new Promise<undefined>((resolve) => {
    if (end.aborted) resolve(undefined);
    else end.addEventListener('abort', () => resolve(undefined), { once: true });
  });
  // One after the other, in the order in which they came.
  let printing: Promise<void> = Promise.resolve();
  const take = (delivery: Delivery) => {
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
  session: ConsumerSession,
  delivery: Delivery,
  print: Print,
  end: AbortSignal,
): Promise<void> {
  if (!end.aborted && (await print(delivery))) session.ack(delivery);
}

function consumerAt({ url, ca }: TailPlace): Consumer {
  try {
    return realConsumer({ url, ...(ca === undefined ? {} : { ca }) });
  } catch (error) {
    if (error instanceof TypeError) throw new Failure(error.message);
    throw error;
  }
}

const TAKING =
  'what is shown is taken out of the queue, and with it what --vehicle and --type leave out; without --queue nobody misses anything.';

const ADVICE: Readonly<Record<ConsumerRefused['kind'], string>> = {
  unreachable: 'Is the broker running there?',
  account: 'Look at user, password and virtual host in the address.',
  certificate: 'Name the file of its certificate authority with --ca.',
  queue: 'Look at its name, and at the rights of the user.',
};

function refusal(error: ConsumerRefused, wasThere: boolean): Failure {
  return new Failure(`${error.message.replaceAll(/\s+/g, ' ')} ${ADVICE[error.kind]}`, wasThere ? 1 : 2);
}

/** `DamageDetected`, also where it is called by its type or topic. Throws a `Failure` for what is none. */
function messageName(given: string): string {
  const wanted = given.toLowerCase();
  const found = TOPICS.find(({ topic, message }) =>
    [topic, message, `service.${message}`].some((name) => name.toLowerCase() === wanted),
  );
  if (found !== undefined) return found.message;
  const names = TOPICS.map(({ message }) => message).join(', ');
  throw new Failure(`There is no message ${JSON.stringify(given)}. There are ${names}.`);
}

function notice(text: string): void {
  process.stderr.write(`boxtwin: ${text}\n`);
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
