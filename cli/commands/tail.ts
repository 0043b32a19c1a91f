import { TOPICS } from '../../contract/messages.ts';
import { type PrintMessage, readMessages } from '../../deployment/messages/tail-reader.ts';
import { openTailSource, type TailSource } from '../../deployment/messages/tail-source.ts';
import { CommandError } from '../../deployment/shared/command-error.ts';
import { limits } from '../shared/limits.ts';
import { written } from '../shared/output.ts';
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

/** The last: its terminal has closed. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Prints messages as they arrive, until the user, --count or the reader of its output ends it. A message is
 * acknowledged once its line is written. Throws a `CommandError` where nothing can be read, and where that is refused
 * later on.
 */
export async function tail(options: TailOptions): Promise<void> {
  const types = options.type.map(messageName);
  const filter = { vehicles: options.vehicle.map((id) => id.toUpperCase()), types };
  const ending = new AbortController();
  const onSignal = () => {
    // The second signal ends the process immediately; unacknowledged messages are redelivered.
    if (ending.signal.aborted) process.exit(1);
    ending.abort();
  };
  // The reader of the output has closed it (`| head`).
  const onBroken = () => ending.abort();
  for (const signal of SIGNALS) process.on(signal, onSignal);
  process.stdout.on('error', onBroken);
  let source: TailSource | undefined;
  try {
    source = await openTailSource({ ...options, types });
    await readMessages(source, { print: printer(options, filter, ending), end: ending.signal, notice });
  } finally {
    const left = await source?.close();
    if (left !== undefined) notice(left);
    for (const signal of SIGNALS) process.off(signal, onSignal);
  }
}

function printer(
  options: TailOptions,
  filter: Parameters<typeof isWanted>[1],
  ending: AbortController,
): PrintMessage {
  const isTable = !options.json && process.stdout.isTTY === true;
  const last: LastValues = new Map();
  let left = options.count ?? Number.POSITIVE_INFINITY;
  let isFirst = true;
  return async (delivery) => {
    if (!isWanted(delivery, filter)) return true;
    const nowMs = Date.now();
    const width = process.stdout.columns || limits.tailColumns;
    const head = isTable && isFirst ? `${tableHead(width)}\n` : '';
    isFirst = false;
    const line = isTable ? tableRow(delivery, nowMs, last, width) : jsonLine(delivery, nowMs);
    const isWritten = await written(`${head}${line}\n`);
    left -= 1;
    if (left <= 0 || !isWritten) ending.abort();
    return isWritten;
  };
}

/** `DamageDetected`, also by its type or topic. Throws a `CommandError` for an unknown name. */
function messageName(given: string): string {
  const wanted = given.toLowerCase();
  const found = TOPICS.find(({ topic, message }) =>
    [topic, message, `service.${message}`].some((name) => name.toLowerCase() === wanted),
  );
  if (found !== undefined) return found.message;
  const names = TOPICS.map(({ message }) => message).join(', ');
  throw new CommandError(`There is no message ${JSON.stringify(given)}. There are ${names}.`);
}

function notice(text: string): void {
  process.stderr.write(`boxtwin: ${text}\n`);
}
