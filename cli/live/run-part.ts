import { useLightAnswers } from '../../deployment/http/http-server.ts';
import { limits as deploymentLimits } from '../../deployment/shared/limits.ts';
import type { FromChild, StartedPart } from '../../deployment/shared/started-part.ts';
import { type LogFormat, setLogFormat } from '../../world/log/real-log.ts';
import { limits } from '../shared/limits.ts';
import { onOutputClosed, printable } from '../shared/output.ts';
import { type LiveOutput, type LiveSetting, showLive } from './live-output.ts';

/** The output of a part. */
export interface PartOutput<Facts> {
  /** One line of JSON instead of the banner, once it is ready. */
  readonly json: boolean;
  /** The figures of the running part. */
  readonly live: LiveSetting;
  /** The form of its log lines; absent: `auto`. */
  readonly logFormat?: LogFormat;
  /** Without a line break at its end. */
  line(facts: Facts): string;
  banner(facts: Facts): string;
  /**
   * The notices of the banner in addition to addresses: a script that reads the one line of JSON gets them on stderr.
   */
  notices(facts: Facts): readonly string[];
  /** Before the banner, and after the end: writes and removes the file by which others find it. */
  begun?(facts: Facts): void;
  ended?(facts: Facts): void;
}

/**
 * Runs a part: shows its banner, and ends it and the process at SIGINT or SIGTERM, or when the reader of its output has
 * left. Rejects with what ends it otherwise. `start` is called after the signal handlers are installed.
 */
export async function runPart<Facts extends object>(
  start: () => StartedPart<Facts>,
  output: PartOutput<Facts>,
): Promise<void> {
  const ended = Promise.withResolvers<'ended'>();
  let isEnding = false;
  const onSignal = () => {
    // The second signal ends the process immediately; the data on disk is consistent at any moment.
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

  // Without its parent process nothing would end it, or know of it.
  process.on('disconnect', onSignal);
  // A failed start ends the process; the channel alone must not keep it alive.
  process.channel?.unref();

  useLightAnswers();
  setLogFormat(output.logFormat ?? 'auto');
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
  // A signal counts from the first moment, also during the wait for a broker.
  const first = await Promise.race([output.json ? part.ready : part.reachable, ended]);
  const facts = first === 'ended' ? undefined : first;
  if (facts !== undefined) {
    output.begun?.(facts);
    if (process.send !== undefined) process.send({ facts } satisfies FromChild);
    else if (output.json) {
      for (const notice of output.notices(facts)) process.stderr.write(`boxtwin: ${printable(notice)}\n`);
      process.stdout.write(`${output.line(facts)}\n`);
    } else showBanner(output.banner(facts));
    // A failure after the banner ends it too.
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
 * In a pipe the last line is written a moment later: only a write reveals that the reader has left (`| head`), and a
 * banner that was written whole would be the last one.
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
  // A hanging part must not keep the user waiting: all acknowledged data is durable already.
  const patienceMs = part.patienceMs ?? deploymentLimits.shutdownMs;
  const impatience = setTimeout(() => {
    process.stderr.write(`boxtwin: something did not end within ${patienceMs / 1000} s; it was cut off.\n`);
    process.exit(1);
  }, patienceMs);
  // If it was ended during its start, there is nothing more to report about that.
  part.ready.catch(() => undefined);
  await part.close();
  if (facts !== undefined) output.ended?.(facts);
  clearTimeout(impatience);
  process.exit(0);
}
