import type { CommandName } from '../../../protocol/commands.ts';
import type { DownMessage, Reply } from '../../../protocol/message.ts';
import type { IdGenerator } from '../../../world/ids/ids.ts';
import { sleep, type Time } from '../../../world/time/time.ts';
import { limits } from '../limits.ts';
import type { BoxLog } from './box-log.ts';
import type { ServiceStandIn } from './service-stand-in.ts';

/** A request to a box in a trial, and its replies. */
export interface TriedRequest {
  readonly requestId: string;
  readonly sentMs: number;
  /** Undefined: none came. */
  readonly reply: Reply | undefined;
}

/** What was tried with one box; undefined: it did not come to that. */
export interface BoxTrials {
  readonly boxId: string;
  /** Since when its hello and ready were waited for. */
  readonly beganMs: number;
  isReady: boolean;
  status?: TriedRequest;
  state?: TriedRequest;
  expired?: TriedRequest;
  /** Sent twice. */
  doubled?: TriedRequest;
  configured?: TriedRequest;
  configuredAgain?: TriedRequest;
  configuredLower?: TriedRequest;
  /** The record whose receipt was withheld, and when. */
  withheld?: { readonly epoch: number; readonly sequence: number; readonly sinceMs: number };
  reset?: TriedRequest & { readonly readyAgainMs: number | undefined };
}

export interface TrialParts {
  readonly service: ServiceStandIn;
  readonly time: Time;
  readonly ids: Pick<IdGenerator, 'ulid'>;
}

/** Takes a box through all trials, one after the other. Never rejects for what a box does. */
export async function tryBox(parts: TrialParts, log: BoxLog): Promise<BoxTrials> {
  const { service, time } = parts;
  const { boxId } = log;
  const trials: BoxTrials = { boxId, beganMs: time.nowMs(), isReady: false };
  trials.isReady = await seen(time, limits.helloMs, () => log.find('ready', 0) !== undefined);
  if (!trials.isReady) return trials;

  const command = (name: CommandName, lifeMs: number = limits.replyMs, times = 1) =>
    request(
      parts,
      log,
      (requestId) => ({
        kind: 'command',
        ...{ requestId, command: name, expiresMs: time.nowMs() + lifeMs },
      }),
      times,
    );
  trials.status = await command('request-system-status');
  // Who answers nothing would have to be waited for each time.
  if (trials.status.reply === undefined) return trials;
  trials.state = await command('request-vehicle-state');
  trials.expired = await command('request-system-status', -limits.pastMs);
  trials.doubled = await command('request-system-status', limits.replyMs, 2);

  const hello = log.find('hello', 0);
  const known = hello?.frame.message.kind === 'hello' ? hello.frame.message.configurationRevision : 0;
  const configure = (revision: number) =>
    request(parts, log, (requestId) => ({
      kind: 'configuration',
      ...{ requestId, revision, expiresMs: time.nowMs() + limits.replyMs, settings: [] },
    }));
  trials.configured = await configure(known + 2);
  trials.configuredAgain = await configure(known + 2);
  trials.configuredLower = await configure(known + 1);

  await service.withhold(boxId, true);
  const sinceMs = time.nowMs();
  const held = await command('request-system-status');
  const { epoch = 0, sequence = 0 } =
    log.find('reply', sinceMs, (_, { requestId }) => requestId === held.requestId)?.frame ?? {};
  trials.withheld = { epoch, sequence, sinceMs };
  await seen(time, limits.repeatMs, () => timesSent(log, epoch, sequence, sinceMs) > 1);
  await service.withhold(boxId, false);
  await sleep(time, limits.quietMs);

  const reset = await command('board-reset');
  await seen(time, limits.restartMs, () => log.find('ready', reset.sentMs + 1) !== undefined);
  trials.reset = { ...reset, readyAgainMs: log.find('ready', reset.sentMs + 1)?.atMs };
  await sleep(time, limits.quietMs);
  return trials;
}

/** How often a record was sent since then. */
export function timesSent(log: BoxLog, epoch: number, sequence: number, sinceMs: number): number {
  return log.frames.filter(
    ({ direction, atMs, frame }) =>
      direction === 'up' && atMs >= sinceMs && frame.epoch === epoch && frame.sequence === sequence,
  ).length;
}

async function request(
  { service, time, ids }: TrialParts,
  log: BoxLog,
  make: (requestId: string) => DownMessage,
  times = 1,
): Promise<TriedRequest> {
  const requestId = ids.ulid();
  const message = make(requestId);
  const sentMs = time.nowMs();
  for (let count = 0; count < times; count += 1)
    await service.send(log.boxId, message).catch(() => undefined);
  const replyOf = () => log.find('reply', sentMs, (_, reply) => reply.requestId === requestId)?.frame.message;
  await seen(time, limits.replyMs, () => replyOf() !== undefined);
  // What comes twice comes soon after.
  if (times > 1) await sleep(time, limits.quietMs);
  const reply = replyOf();
  return { requestId, sentMs, reply: reply?.kind === 'reply' ? reply : undefined };
}

async function seen(time: Time, mostMs: number, look: () => boolean): Promise<boolean> {
  const untilMs = time.nowMs() + mostMs;
  while (!look()) {
    if (time.nowMs() >= untilMs) return false;
    await sleep(time, limits.frameLookMs);
  }
  return true;
}
