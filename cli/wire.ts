import pc from 'picocolors';
import { z } from 'zod';
import { Failure } from './failure.ts';

/** One frame as the simulator's wire stream sends it, a line of NDJSON each. */
const passed = z.looseObject({
  at: z.string(),
  direction: z.enum(['up', 'down']),
  hex: z.string(),
  title: z.string().optional(),
  fields: z.array(z.tuple([z.string(), z.string()])).optional(),
  fault: z.string().optional(),
});

export type Passed = z.infer<typeof passed>;

const HEX_BYTES_A_LINE = 16;

/**
 * Prints the frames of a box until the stream or the user ends it. Throws a `Failure` where the simulator does not
 * answer or does not know the box.
 */
export async function wire(
  box: string,
  options: { readonly simulator: string; readonly json: boolean; readonly count?: number },
): Promise<void> {
  const address = `${options.simulator.replace(/\/$/, '')}/boxes/${encodeURIComponent(box)}/wire`;
  const response = await fetch(address).catch((error: unknown) => {
    const cause =
      error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error);
    throw new Failure(
      `No simulator answers at ${options.simulator} (${cause}). Is "boxtwin up" running? Its banner shows the address; give it with --simulator.`,
    );
  });
  if (!response.ok || response.body === null) throw new Failure(await refusal(response, address));
  let left = options.count ?? Number.POSITIVE_INFINITY;
  for await (const line of lines(response.body)) {
    if (line === '') continue;
    process.stdout.write(options.json ? `${line}\n` : picture(passed.parse(JSON.parse(line))));
    left -= 1;
    if (left <= 0) break;
  }
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

/** Hex on the left, 16 bytes a line; the decoded fields beside it. */
export function picture(frame: Passed): string {
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
