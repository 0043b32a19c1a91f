import type { ReplyOutcome } from '../../../protocol/commands.ts';
import type { ClockError, Pages, RecordedFrame } from '../../evidence/evidence.ts';
import type { SimulatedVehicle } from '../../evidence/simulated-vehicle.ts';
import { errorsBetween } from '../box/box-moments.ts';
import { type Findings, nameOf } from '../findings.ts';
import { limits } from '../limits.ts';

/** A request, a command or a configuration, with its first arrival at the box, and the box's replies. */
interface BoxRequest {
  readonly what: string;
  readonly arrivedMs: number;
  readonly expiresMs: number;
  readonly replies: {
    readonly atMs: number;
    readonly key: string;
    readonly epoch: number;
    readonly outcome: ReplyOutcome;
  }[];
}

/**
 * Checks the replies of one box against the arrival times of requests of any kind: only a request that came past its
 * expiry is answered `expired`, and a request has one reply, however often it comes (docs/wire.md, A connection). The
 * clock error of the box at that time is allowed for.
 */
export async function judgeReplies(
  vehicle: SimulatedVehicle,
  frames: Pages<RecordedFrame>,
  clocks: readonly ClockError[],
  findings: Findings,
): Promise<void> {
  for (const [requestId, request] of await requestsOf(frames)) {
    const { what, arrivedMs, expiresMs, replies } = request;
    const name = `${what}, request ${requestId}, in ${nameOf(vehicle)}`;
    const [first, ...others] = replies;
    if (first === undefined) continue;
    const about = { vehicle, atMs: first.atMs };
    const lateMs = arrivedMs - expiresMs;
    if (first.outcome !== 'expired' && lateMs > slackMs(clocks, arrivedMs, first.atMs))
      findings.add(
        'taken up past its expiry',
        `${name} came ${lateMs / 1_000} s behind its expiry, and was answered ${first.outcome}`,
        about,
      );
    const leftMs = expiresMs - first.atMs;
    if (first.outcome === 'expired' && leftMs > aheadMs(clocks, arrivedMs, first.atMs))
      findings.add(
        'refused in time',
        `${name} was answered expired, ${leftMs / 1_000} s before it was, by a box that knew the time`,
        about,
      );
    // A request that the box has forgotten is past its expiry.
    const again = others.find(
      ({ key, epoch, outcome }) => epoch === first.epoch && key !== first.key && outcome !== 'expired',
    );
    if (again !== undefined)
      findings.add('answered twice', `${name}: by record ${first.key}, and by ${again.key}`, about);
  }
}

/** By how much a box may have considered the request too young: its clock was behind. */
export function slackMs(clocks: readonly ClockError[], fromMs: number, toMs: number): number {
  const behindMs = errorsBetween(clocks, fromMs, toMs).map((errorMs) => -(errorMs ?? 0));
  return limits.boxClockMs + Math.max(0, ...behindMs);
}

/**
 * By how much a box may have considered the request too old, by its latest possible time. Infinite if it did not know
 * the time, or nothing is recorded. The request itself may have changed its clock immediately afterwards, so its
 * earlier state counts too.
 */
function aheadMs(clocks: readonly ClockError[], fromMs: number, toMs: number): number {
  const first = clocks.findLastIndex((one) => one.fromMs < fromMs);
  if (first === -1) return Number.POSITIVE_INFINITY;
  const then = clocks.filter((one, index) => index >= first && one.fromMs <= toMs);
  return (
    limits.boxClockMs +
    Math.max(0, ...then.map(({ latestAheadMs = Number.POSITIVE_INFINITY }) => latestAheadMs))
  );
}

async function requestsOf(frames: Pages<RecordedFrame>): Promise<ReadonlyMap<string, BoxRequest>> {
  const requests = new Map<string, BoxRequest>();
  for await (const page of frames) {
    for (const { atMs, direction, epoch, sequence, message } of page) {
      if (direction === 'down' && (message.kind === 'command' || message.kind === 'configuration')) {
        const { requestId, expiresMs } = message;
        const what = message.kind === 'command' ? message.command : 'a configuration';
        if (!requests.has(requestId))
          requests.set(requestId, { what, arrivedMs: atMs, expiresMs, replies: [] });
      } else if (direction === 'up' && message.kind === 'reply') {
        const { requestId, outcome } = message;
        requests.get(requestId)?.replies.push({ atMs, key: `${epoch}/${sequence}`, epoch, outcome });
      }
    }
  }
  return requests;
}
