import type { BoxTrials, TriedRequest } from '../../judge/certify/boxes/box-evidence.ts';
import type { BoxLog } from '../../judge/certify/boxes/box-log.ts';
import { limits as bounds } from '../../judge/certify/limits.ts';
import type { CommandName } from '../../protocol/commands.ts';
import type { DownMessage } from '../../protocol/message.ts';
import type { IdGenerator } from '../../world/ids/ids.ts';
import { sleep, type Time } from '../../world/time/time.ts';
import { limits } from '../limits.ts';
import type { ServiceStandIn } from './service-stand-in.ts';

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
  trials.isReady = await seen(time, bounds.helloMs, () => log.find('ready', 0) !== undefined);
  if (!trials.isReady) return trials;

  const command = (name: CommandName, lifeMs: number = bounds.replyMs, times = 1) =>
    request(
      parts,
      log,
      (requestId) => ({
        kind: 'command',
        requestId,
        command: name,
        expiresMs: time.nowMs() + lifeMs,
      }),
      times,
    );
  trials.status = await command('request-system-status');
  // A box that never answers would cost the whole timeout each time.
  if (trials.status.reply === undefined) return trials;
  trials.state = await command('request-vehicle-state');
  trials.expired = await command('request-system-status', -limits.pastMs);
  trials.doubled = await command('request-system-status', bounds.replyMs, 2);

  const hello = log.find('hello', 0);
  const known = hello?.frame.message.kind === 'hello' ? hello.frame.message.configurationRevision : 0;
  const configure = (revision: number) =>
    request(parts, log, (requestId) => ({
      kind: 'configuration',
      requestId,
      revision,
      expiresMs: time.nowMs() + bounds.replyMs,
      settings: [],
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
  await seen(time, bounds.repeatMs, () => log.timesSent(epoch, sequence, sinceMs) > 1);
  await service.withhold(boxId, false);
  await sleep(time, limits.quietMs);

  const reset = await command('board-reset');
  await seen(time, bounds.restartMs, () => log.find('ready', reset.sentMs + 1) !== undefined);
  trials.reset = { ...reset, readyAgainMs: log.find('ready', reset.sentMs + 1)?.atMs };
  await sleep(time, limits.quietMs);
  return trials;
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
  await seen(time, bounds.replyMs, () => replyOf() !== undefined);
  // A duplicate arrives soon after.
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
