import { LIMITS } from '../../../contract/limits.ts';
import { REQUEST_KINDS } from '../../checkers.ts';
import type { AnsweredCall, JobEvidence } from '../../evidence/evidence.ts';
import type { SimulatedVehicle } from '../../evidence/simulated-vehicle.ts';
import type { CheckScope } from '../check.ts';
import { type RequestRecording, readRequests } from '../commands/request-recording.ts';
import { type Findings, nameOf } from '../findings.ts';
import { limits } from '../limits.ts';
import { shortestWaitMs, spanText } from './promised-times.ts';
import type { RetryTimes } from './retry-on-connect.ts';

/**
 * Checks the configuration requests of vehicles that only one job configures against the promised waits, the job's end,
 * and each other: none is sent while one is in progress. Resolves to their number.
 */
export async function judgeRequests(
  scope: CheckScope,
  {
    jobs,
    calls,
    retries,
    findings,
  }: {
    readonly jobs: readonly JobEvidence[];
    readonly calls: readonly AnsweredCall[];
    readonly retries: RetryTimes;
    readonly findings: Findings;
  },
): Promise<number> {
  const { evidence } = scope;
  if (evidence.unrecorded().frames > 0 || evidence.unrecorded().calls > 0) return 0;
  const jobsOf = new Map<string, JobEvidence[]>();
  for (const job of jobs) for (const id of job.vehicleIds) jobsOf.set(id, [...(jobsOf.get(id) ?? []), job]);
  const others = calls.filter(({ method }) => method !== 'GET');
  let count = 0;
  for (const vehicle of scope.vehicles) {
    const [job, ...more] = jobsOf.get(vehicle.vehicleId) ?? [];
    if (job === undefined || more.length > 0 || vehicle.boxId === undefined) continue;
    // An attempt may also find a command open: requests after one are not judged.
    const untilMs = others.reduce(
      (firstMs, { vehicle: asked, askedMs, answeredMs }) =>
        asked === vehicle && answeredMs + LIMITS.answer.vehicleMs >= job.createdMs
          ? Math.min(firstMs, askedMs)
          : firstMs,
      Number.POSITIVE_INFINITY,
    );
    const recording = await readRequests(evidence.frames(vehicle, REQUEST_KINDS));
    count += judgeVehicle({ job, vehicle, untilMs, recording, retries, findings });
  }
  return count;
}

function judgeVehicle({
  job,
  vehicle,
  untilMs,
  recording: { configurations, configurationsSent, replies },
  retries,
  findings,
}: {
  readonly job: JobEvidence;
  readonly vehicle: SimulatedVehicle;
  readonly untilMs: number;
  readonly recording: RequestRecording;
  readonly retries: RetryTimes;
  readonly findings: Findings;
}): number {
  const own = [...configurations]
    .filter(([, atMs]) => atMs >= job.createdMs && atMs < untilMs)
    .toSorted(([, one], [, other]) => one - other);
  let inARow = 0;
  for (const [index, [id, sentMs]] of own.entries()) {
    const name = `${nameOf(vehicle)}, request ${id}`;
    if (sentMs > job.expiresMs + limits.bulkSlackMs)
      findings.add(
        'sent after its end',
        `${name}: ${spanText(sentMs - job.expiresMs)} after the end of job ${job.id}`,
        {
          vehicle,
          atMs: sentMs,
        },
      );
    const before = own[index - 1];
    if (before === undefined) continue;
    const [earlier, earlierMs] = before;
    const beganMs = configurationsSent.get(earlier) ?? earlierMs;
    const againMs = configurationsSent.get(id) ?? sentMs;
    const repliedMs = replies.get(earlier)?.atMs ?? Number.POSITIVE_INFINITY;
    if (
      againMs < Math.min(repliedMs, beganMs + LIMITS.answer.vehicleMs) &&
      againMs > beganMs &&
      !retries.mayHaveBrokenOff(vehicle, beganMs, againMs)
    )
      findings.add(
        'asked twice at once',
        `${name}: ${spanText(againMs - beganMs)} after request ${earlier}, which was under way`,
        { vehicle, atMs: sentMs },
      );
    if (retries.count(vehicle, beganMs, sentMs) > 0) {
      inARow = 0;
      continue;
    }
    // A reply that came after the next attempt has ended none. A box that writes slowly receives that attempt late.
    const endMs = repliedMs <= againMs ? Math.max(beganMs, repliedMs) : beganMs;
    const leastMs = shortestWaitMs(inARow);
    inARow += 1;
    if (againMs - endMs < leastMs)
      findings.add(
        'tried too early',
        `${name}: ${spanText(againMs - endMs)} after request ${earlier}, and ${spanText(leastMs)} is the least`,
        { vehicle, atMs: sentMs },
      );
  }
  return own.length;
}
