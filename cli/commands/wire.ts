import pc from 'picocolors';
import { z } from 'zod';
import { addressOf, type RunningPart } from '../../deployment/directory/running-addresses.ts';
import { installationHeaders } from '../../deployment/http/installation.ts';
import { fetchWithAccount } from '../../deployment/shared/account-url.ts';
import { CommandError } from '../../deployment/shared/command-error.ts';
import { durationText } from '../../scenarios/run/time-text.ts';
import { onOutputClosed, printable } from '../shared/output.ts';
import { unknownVehicleText } from '../shared/running-vehicles.ts';

/** One frame as the simulator's wire stream sends it, a line of NDJSON each. */
const passed = z.looseObject({
  at: z.string(),
  direction: z.enum(['up', 'down']),
  hex: z.string(),
  title: z.string().optional(),
  fields: z.array(z.tuple([z.string(), z.string()])).optional(),
  fault: z.string().optional(),
});

export type PassedFrame = z.infer<typeof passed>;

const HEX_BYTES_A_LINE = 16;

/** As commander hands them over. */
export interface WireOptions {
  readonly data: string;
  /** The address of the simulator; absent: that of `data`. */
  readonly simulator?: string;
  readonly force: boolean;
  readonly json: boolean;
  readonly count?: number;
}

/** The last: its terminal has closed. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Prints the frames of a box until the user, --count or the reader of its output ends it, and prints on stderr what it
 * waits for. Throws a `CommandError` where the simulator does not answer, does not know the box, or disconnects.
 */
export async function wire(box: string, options: WireOptions): Promise<void> {
  const ending = new AbortController();
  const end = (): void => ending.abort();
  for (const signal of SIGNALS) process.on(signal, end);
  const stay = onOutputClosed(end);
  try {
    await listen(await addressOf('simulator', options), box, options, ending.signal);
  } catch (error) {
    if (!ending.signal.aborted) throw error;
  } finally {
    for (const signal of SIGNALS) process.off(signal, end);
    stay();
  }
}

async function listen(
  { address: simulator, installation }: RunningPart,
  box: string,
  options: WireOptions,
  end: AbortSignal,
): Promise<void> {
  const { json, count } = options;
  const address = `${simulator}/boxes/${encodeURIComponent(box)}`;
  const asked = { signal: end, headers: installationHeaders(installation) };
  let left = count ?? Number.POSITIVE_INFINITY;
  for (let isQuiet = false; ; isQuiet = true) {
    const response = await fetchWithAccount(`${address}/wire`, asked);
    if (response.status === 404) throw new CommandError(await unknownVehicleText(box, options));
    if (!response.ok || response.body === null) throw new CommandError(await refusal(response, address));
    if (!isQuiet) {
      const looked: unknown = await fetchWithAccount(address, asked).then((answer) => answer.json());
      process.stderr.write(`boxtwin: ${printable(waitText(looked, box))}\n`);
    }
    try {
      for await (const line of lines(response.body)) {
        if (line === '') continue;
        process.stdout.write(json ? `${line}\n` : picture(passed.parse(JSON.parse(line))));
        left -= 1;
        if (left <= 0) return;
      }
    } catch (error) {
      if (isBodyTimeout(error)) continue;
      // How fetch reports a body that breaks off.
      if (!(error instanceof TypeError)) throw error;
    }
    throw new CommandError(`The simulator at ${simulator} has gone away: is "boxtwin up" still running?`, 1);
  }
}

/** Node's fetch ends a body in which nothing arrives for five minutes; a box may be silent for days. */
export function isBodyTimeout(error: unknown): boolean {
  return (
    error instanceof TypeError &&
    error.cause instanceof Error &&
    'code' in error.cause &&
    error.cause.code === 'UND_ERR_BODY_TIMEOUT'
  );
}

async function refusal(response: Response, address: string): Promise<string> {
  const body = z.looseObject({ detail: z.string() }).safeParse(await response.json().catch(() => undefined));
  return body.success ? body.data.detail : `${address} answered ${response.status}.`;
}

async function* lines(stream: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  let rest = '';
  const decoder = new TextDecoder();
  for await (const chunk of stream) {
    const parts = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = parts.pop() ?? '';
    yield* parts;
  }
  if (rest !== '') yield rest;
}

/** Hex on the left, 16 bytes a line; the decoded fields on the right. */
export function picture(frame: PassedFrame): string {
  const bytes = frame.hex.match(/../g) ?? [];
  const hex: string[] = [];
  for (let at = 0; at < bytes.length; at += HEX_BYTES_A_LINE) {
    hex.push(bytes.slice(at, at + HEX_BYTES_A_LINE).join(' '));
  }
  const fields =
    frame.fault === undefined
      ? (frame.fields ?? []).map(([name, value]) => `${name} ${pc.dim('=')} ${value}`)
      : [pc.red(frame.fault)];
  const arrow = frame.direction === 'up' ? pc.green('▲ up  ') : pc.cyan('▼ down');
  const head = `${pc.dim(frame.at)} ${arrow} ${pc.bold(frame.title ?? 'unreadable')} ${pc.dim(`${bytes.length} bytes`)}`;
  const rows = Math.max(hex.length, fields.length);
  const body = Array.from({ length: rows }, (_, row) => {
    return `  ${pc.dim((hex[row] ?? '').padEnd(HEX_BYTES_A_LINE * 3 - 1))}  ${fields[row] ?? ''}`.trimEnd();
  });
  return `${[head, ...body].join('\n')}\n\n`;
}

/** The used fields of a box as the simulator shows it. Any may be missing. */
const shown = z.looseObject({
  boxId: z.string().catch('?'),
  truth: z.looseObject({ ignitionOn: z.boolean().optional().catch(undefined) }).catch({}),
  belief: z
    .looseObject({
      power: z.string().optional().catch(undefined),
      session: z.string().optional().catch(undefined),
      clockMs: z.number().optional().catch(undefined),
      nextAlarmMs: z.number().nullish().catch(undefined),
    })
    .catch({}),
});

/**
 * What the wire of a box is expected to show, in one or more sentences: the state of the box, when it sends, and how to
 * make it send. `vehicle`: as the user has named it. Total: an invalid box counts as unknown.
 */
export function waitText(box: unknown, vehicle: string): string {
  const { boxId, truth, belief } = shown.safeParse(box).data ?? shown.parse({});
  const { power, session = 'unknown', clockMs, nextAlarmMs } = belief;
  const head = `listening to box ${boxId}, Ctrl-C ends it.`;
  if (power !== undefined && power !== 'up')
    return `${head} The box is ${power}: it sends nothing until it is up.`;
  if (session !== 'ready')
    return `${head} Its session is "${session}": it sends once it is connected with its broker again.`;
  if (truth.ignitionOn !== false) return `${head} Its ignition is on: it sends every now and then.`;
  const alarm =
    clockMs === undefined || nextAlarmMs === undefined || nextAlarmMs === null
      ? ''
      : `, or when it wakes on its own, in ${durationText(nextAlarmMs - clockMs)} at the latest`;
  return [
    `${head} The vehicle is parked: its box sends when something changes, such as a door, when a command comes${alarm}.`,
    `To see frames now: npx boxtwin do ${vehicle} drive`,
  ].join(' ');
}
