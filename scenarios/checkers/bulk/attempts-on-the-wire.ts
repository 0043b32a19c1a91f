import type { AnsweredCall, JobEvidence } from '../../testbed/port/evidence.ts';
import type { SimulatedVehicle } from '../../testbed/port/simulated-vehicle.ts';
import type { CheckScope } from '../check.ts';
import { type RequestRecording, readRequests } from '../commands/request-recording.ts';
import { type Findings, nameOf } from '../findings.ts';
import { limits } from '../limits.ts';
import { REQUEST_KINDS } from '../needed-recordings.ts';
import type { Haste } from './haste.ts';
import { PROMISED, shortestWaitMs, spanText } from './promised-times.ts';

/**
 * Holds the configuration requests of vehicles that only one job configures against the waits that are promised, against
 * the job's end, and against each other: none is sent while one is under way. Resolves to their number.
 */
export async function judgeRequests(
  scope: CheckScope,
  {
    jobs,
    calls,
    haste,
    findings,
  }: {
    readonly jobs: readonly JobEvidence[];
    readonly calls: readonly AnsweredCall[];
    readonly haste: Haste;
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
    // A command, too, can be what an attempt finds open: what comes after one is not judged.
    const untilMs = others.reduce(
      (firstMs, { vehicle: asked, askedMs, answeredMs }) =>
        asked === vehicle && answeredMs + PROMISED.answerMs >= job.createdMs
          ? Math.min(firstMs, askedMs)
          : firstMs,
      Number.POSITIVE_INFINITY,
    );
    const recording = await readRequests(evidence.frames(vehicle, REQUEST_KINDS));
    count += judgeVehicle({ job, vehicle, untilMs, recording, haste, findings });
  }
  return count;
}

function judgeVehicle({
  job,
  vehicle,
  untilMs,
  recording: { configurations, configurationsSent, replies },
  haste,
  findings,
}: {
  readonly job: JobEvidence;
  readonly vehicle: SimulatedVehicle;
  readonly untilMs: number;
  readonly recording: RequestRecording;
  readonly haste: Haste;
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
      againMs < Math.min(repliedMs, beganMs + PROMISED.answerMs) &&
      againMs > beganMs &&
      !haste.mayHaveBrokenOff(vehicle, beganMs, againMs)
    )
      findings.add(
        'asked twice at once',
        `${name}: ${spanText(againMs - beganMs)} after request ${earlier}, which was under way`,
        { vehicle, atMs: sentMs },
      );
    if (haste.count(vehicle, beganMs, sentMs) > 0) {
      inARow = 0;
      continue;
    }
    // A reply that came behind the next attempt has ended none. A box that writes slowly gets that attempt late.
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
