import { sleep, type Time } from '../../world/time/time.ts';
import { type BrokersFile, readBrokersFile } from '../directory/address-files.ts';
import { fetchWithAccount } from '../shared/account-url.ts';
import { CommandError } from '../shared/command-error.ts';
import { limits } from '../shared/limits.ts';

/** The brokers of a data directory if they run, or why they cannot be used; both undefined: there are none. */
interface FoundBrokers {
  readonly brokers?: BrokersFile;
  readonly trouble?: string;
}

/**
 * The brokers of a data directory, once they run. Rejects with a `CommandError` where they do not start within
 * `limits.brokersWaitMs`. `print` gets one line where it has to wait for long.
 */
export async function runningBrokers(
  data: string,
  time: Time,
  print: (line: string) => void = (line) => process.stderr.write(`boxtwin: ${line}\n`),
): Promise<BrokersFile> {
  const untilMs = time.nowMs() + limits.brokersWaitMs;
  // Where all parts are started at once, the brokers are there soon.
  const noticeMs = time.nowMs() + limits.brokerNoticeMs;
  let isPrinted = false;
  for (;;) {
    const { brokers, trouble = `No brokers run on ${data}.` } = await brokersNow(data);
    if (brokers !== undefined) return brokers;
    const todo = 'Start "boxtwin brokers" on it, or give the address of a broker with --mqtt.';
    if (time.nowMs() >= untilMs) throw new CommandError(`${trouble} ${todo}`);
    if (!isPrinted && time.nowMs() >= noticeMs) {
      isPrinted = true;
      print(`${trouble} Waiting for them. ${todo}`);
    }
    await sleep(time, limits.brokersLookMs);
  }
}

/**
 * The brokers of a data directory if they run now: their management interface accepts the account of this installation.
 * A stale address of a killed process is not used, even if another program answers there.
 */
export async function brokersNow(data: string): Promise<FoundBrokers> {
  const brokers = await readBrokersFile(data);
  if (brokers === undefined) return {};
  const trouble = await troubleAt(brokers.amqp_admin_url, data);
  return trouble === undefined ? { brokers } : { trouble };
}

/** Why the brokers at this management interface cannot be used; undefined: they are those of the installation. */
async function troubleAt(adminUrl: string, data: string): Promise<string | undefined> {
  const { host, username } = new URL(adminUrl);
  try {
    const answer = await fetchWithAccount(`${adminUrl.replace(/\/+$/, '')}/api/users/${username}`, {
      signal: AbortSignal.timeout(limits.placeTimeoutMs),
    });
    await answer.body?.cancel();
    if (answer.ok) return undefined;
    return `At ${host}, the address of the brokers in ${data}, something else answers (status ${answer.status}): they have ended.`;
  } catch (error) {
    const cause =
      error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error);
    return `The brokers of ${data} do not answer at ${host} (${cause}).`;
  }
}
