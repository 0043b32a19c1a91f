import { limits } from '../limits.ts';
import type { LiveFigures } from '../live/live-figures.ts';
import { type LiveOutput, type LiveSetting, showLive } from '../live/live-output.ts';
import { useLightAnswers } from '../server/http-server.ts';
import { onOutputClosed } from '../shared/closed-output.ts';

/** Something that was started and runs until it is ended. */
export interface StartedPart<Facts> {
  /** Resolves when it can be used; the banner is shown then. Rejects with a `CommandError` where something given cannot be used. */
  readonly reachable: Promise<Facts>;
  /** Resolves when everything of it is there. Rejects where `reachable` does, or where something failed behind it. */
  readonly ready: Promise<Facts>;
  /** Rejects where it can go on no longer; absent: it ends only when it is told to. */
  readonly failed?: Promise<never>;
  /** How long its end may take; absent: `limits.shutdownMs`. */
  readonly patienceMs?: number;
  /** What can be seen of it now. Asked twice a second, from the start on: it must cost next to nothing. */
  readonly figures: () => LiveFigures;
  /** Ends it, also while it is still starting. */
  close(): Promise<void>;
}

/** What a part tells the process that started it (`up --processes several`), once it is up. */
export interface FromChild {
  readonly facts: unknown;
}

/** What a part says of itself. */
export interface PartOutput<Facts> {
  /** One line of JSON in place of the banner, once it is ready. */
  readonly json: boolean;
  /** What is told of it while it runs. */
  readonly live: LiveSetting;
  /** Without a line break at its end. */
  line(facts: Facts): string;
  banner(facts: Facts): string;
  /** Before the banner, and after the end: what others find it by. */
  begun?(facts: Facts): void;
  ended?(facts: Facts): void;
}

/**
 * Runs a part: shows its banner, and ends it and the process at SIGINT or SIGTERM, or when the reader of its output has
 * left. Rejects with what ends it otherwise. `start` is called once signals are listened to.
 */
export async function runPart<Facts extends object>(
  start: () => StartedPart<Facts>,
  output: PartOutput<Facts>,
): Promise<void> {
  const ended = Promise.withResolvers<'ended'>();
  let isEnding = false;
  const onSignal = () => {
    // The second signal means now; what is on disk is safe at any moment.
    if (isEnding) process.exit(1);
    isEnding = true;
    ended.resolve('ended');
  };
  process.on('SIGINT', onSignal);
  process.on('SIGTERM', onSignal);
  onOutputClosed(() => {
    isEnding = true;
    ended.resolve('ended');
  });

  // Without the process that supervises it nobody would end it, or know of it.
  process.on('disconnect', onSignal);
  // A start that fails ends the process; the channel alone must not keep it.
  process.channel?.unref();

  useLightAnswers();
  const part = start();
  const live = showLive(output.live, part.figures);
  try {
    await runToItsEnd(part, output, ended.promise, live);
  } finally {
    live.end();
  }
}

async function runToItsEnd<Facts extends object>(
  part: StartedPart<Facts>,
  output: PartOutput<Facts>,
  ended: Promise<'ended'>,
  live: LiveOutput,
): Promise<void> {
  // A signal counts from the first moment, also while a broker is being waited for.
  const first = await Promise.race([output.json ? part.ready : part.reachable, ended]);
  const facts = first === 'ended' ? undefined : first;
  if (facts !== undefined) {
    output.begun?.(facts);
    if (process.send !== undefined) process.send({ facts } satisfies FromChild);
    else if (output.json) process.stdout.write(`${output.line(facts)}\n`);
    else showBanner(output.banner(facts));
    // What fails behind the banner ends it too.
    const over = [ended, part.ready.then(() => ended), ...(part.failed === undefined ? [] : [part.failed])];
    await Promise.race(over).catch(async (error: unknown) => {
      await part.close();
      output.ended?.(facts);
      throw error;
    });
  }
  live.end();
  await end(part, output, facts);
}

/**
 * In a pipe the last line comes a moment later: only a write tells that the reader has left (`| head`), and a banner
 * that went out whole would be the last one.
 */
function showBanner(banner: string): void {
  const lastAt = banner.trimEnd().lastIndexOf('\n') + 1;
  process.stdout.write(banner.slice(0, lastAt));
  const rest = () => void process.stdout.write(`${banner.slice(lastAt)}\n`);
  if (process.stdout.isTTY) rest();
  else setTimeout(rest, limits.readerLookMs).unref();
}

async function end<Facts>(
  part: StartedPart<Facts>,
  output: PartOutput<Facts>,
  facts: Facts | undefined,
): Promise<void> {
  if (!output.json && process.stderr.isTTY) process.stderr.write('\nboxtwin: ending\n');
  // What hangs must not keep the user waiting: all that was acknowledged is durable already.
  const patienceMs = part.patienceMs ?? limits.shutdownMs;
  const impatience = setTimeout(() => {
    process.stderr.write(`boxtwin: something did not end within ${patienceMs / 1000} s; it was cut off.\n`);
    process.exit(1);
  }, patienceMs);
  // Ended in the middle of its start, it has nothing more to say about that.
  part.ready.catch(() => undefined);
  await part.close();
  if (facts !== undefined) output.ended?.(facts);
  clearTimeout(impatience);
  process.exit(0);
}
