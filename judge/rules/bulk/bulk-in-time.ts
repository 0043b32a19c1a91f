import { LIMITS } from '../../../contract/limits.ts';
import { BULK_PATH } from '../../../contract/operation.ts';
import type { AnsweredCall, JobEvidence } from '../../evidence/evidence.ts';
import type { SimulatedVehicle } from '../../evidence/simulated-vehicle.ts';
import { counted } from '../../wording.ts';
import type { Checker } from '../check.ts';
import { Findings, nameOf, nothingCompared } from '../findings.ts';
import { limits } from '../limits.ts';
import { judgeRequests } from './attempts-on-the-wire.ts';
import { leastAttempts, longestWaitMs, mostAttempts, spanText } from './promised-times.ts';
import { RetryTimes } from './retry-on-connect.ts';

type Item = JobEvidence['items'][number];

/** A vehicle of a job, as it was at some time. */
interface Look {
  readonly job: JobEvidence;
  readonly vehicle: SimulatedVehicle;
  readonly item: Item;
  readonly atMs: number;
}

/**
 * Compares the times of bulk jobs with what is promised (promised-times.ts): a job ends after 12 h, no vehicle is given
 * up before and none is pending after; no attempt is made after the end; a vehicle is tried exactly as often as its
 * waits allow, by the attempts in each answer and by the configuration requests on the wire; and one whose box has
 * connected is tried at once.
 */
export const bulkInTime: Checker = async (scope) => {
  const findings = new Findings();
  const { evidence, testbed } = scope;
  const jobs = await evidence.jobs();
  if (jobs.length === 0) return nothingCompared('0 jobs');
  const calls = await evidence.calls();
  const retries = new RetryTimes(scope);
  const vehiclesById = new Map(scope.vehicles.map((vehicle) => [vehicle.vehicleId, vehicle]));
  const all = jobs.reduce((sum, { items }) => sum + items.length, 0);
  const slackMs = limits.bulkSlackMs + all * limits.bulkItemMs;
  for (const job of jobs) judgeEnd(job, findings);
  const nowMs = testbed.time.nowMs();
  let looks = 0;
  for (const look of looksAt(jobs, calls, vehiclesById, nowMs)) {
    looks += 1;
    judgeLook(look, { retries, slackMs, findings });
  }
  const requests = await judgeRequests(scope, { jobs, calls, retries, findings });
  return findings.result([
    [jobs.length, 'job'],
    [looks, 'look at vehicles', 'looks at vehicles'],
    [requests, 'request'],
  ]);
};

function judgeEnd({ id, askedMs, createdMs, expiresMs }: JobEvidence, findings: Findings): void {
  if (expiresMs - createdMs !== LIMITS.bulk.jobMs)
    findings.add('a job that does not last 12 h', `job ${id} lasts ${spanText(expiresMs - createdMs)}`);
  if (createdMs < askedMs)
    findings.add('a job from before it was ordered', `job ${id} is ${spanText(askedMs - createdMs)} older`);
}

/** Every report of the service about a vehicle's progress: in answers, and at the end of the run. */
function* looksAt(
  jobs: readonly JobEvidence[],
  calls: readonly AnsweredCall[],
  vehiclesById: ReadonlyMap<string, SimulatedVehicle>,
  nowMs: number,
): Generator<Look> {
  const byId = new Map(jobs.map((job) => [job.id, job]));
  const of = function* (job: JobEvidence, items: readonly Item[], atMs: number): Generator<Look> {
    for (const item of items) {
      const vehicle = vehiclesById.get(item.id);
      if (vehicle !== undefined) yield { job, vehicle, item, atMs };
    }
  };
  for (const { method, path, status, body, answeredMs } of calls) {
    if (method !== 'GET' || status !== 200 || !path.startsWith(`${BULK_PATH}/`)) continue;
    const { id = '', items } = body as { readonly id?: string; readonly items?: readonly ItemBody[] };
    const job = byId.get(id);
    if (job !== undefined && items !== undefined) yield* of(job, items.map(itemOf), answeredMs);
  }
  for (const job of jobs) yield* of(job, job.items, nowMs);
}

/** An item as the API answers it. */
interface ItemBody {
  readonly id: string;
  readonly status: string;
  readonly reason?: { readonly type?: string };
  readonly attempts?: number;
  readonly last_attempt_at?: string;
}

function itemOf({ id, status, reason, attempts, last_attempt_at: lastAt }: ItemBody): Item {
  return {
    id,
    status,
    ...(reason?.type === undefined ? {} : { problem: reason.type.slice(reason.type.lastIndexOf('/') + 1) }),
    attempts: attempts ?? 0,
    ...(lastAt === undefined ? {} : { lastAttemptMs: Date.parse(lastAt) }),
  };
}

interface Judging {
  readonly retries: RetryTimes;
  readonly slackMs: number;
  readonly findings: Findings;
}

function judgeLook({ job, vehicle, item, atMs }: Look, { retries, slackMs, findings }: Judging): void {
  const { createdMs, expiresMs } = job;
  const { status, problem, attempts, lastAttemptMs } = item;
  const add = (kind: string, text: string) =>
    findings.add(kind, `job ${job.id}, ${nameOf(vehicle)}: ${text}`, { vehicle, atMs });
  const isGivenUp = status === 'FAILED' && problem === 'no-connection';
  if (isGivenUp && atMs < expiresMs)
    add('given up before its time', `failed with no-connection ${spanText(expiresMs - atMs)} before the end`);
  if (status === 'PENDING' && atMs > expiresMs + slackMs && !retries.isServiceDisturbed(expiresMs, atMs))
    add('pending after its end', `pending ${spanText(atMs - expiresMs)} after the end`);
  if (lastAttemptMs !== undefined) {
    if (lastAttemptMs > expiresMs)
      add('tried after its end', `tried ${spanText(lastAttemptMs - expiresMs)} after the end`);
    if (lastAttemptMs < createdMs - SECOND_MS)
      add('tried before its beginning', `tried ${spanText(createdMs - lastAttemptMs)} before the beginning`);
    // The time of the attempt is in whole seconds.
    const times = retries.count(vehicle, createdMs, lastAttemptMs + SECOND_MS) + 1;
    const most = mostAttempts(lastAttemptMs + SECOND_MS - createdMs, times);
    if (attempts > most)
      add(
        'tried too often',
        `${attempts} attempts in ${spanText(Math.max(0, lastAttemptMs + SECOND_MS - createdMs))}, and ${most} are the most`,
      );
  }
  if (status === 'PENDING' || isGivenUp)
    judgeRetries({ job, vehicle, item, atMs: Math.min(atMs, expiresMs) }, { retries, slackMs, findings });
}

/** A pending vehicle was tried recently, and since its box has connected. */
function judgeRetries({ job, vehicle, item, atMs }: Look, { retries, slackMs, findings }: Judging): void {
  const { attempts, lastAttemptMs } = item;
  const lastMs = lastAttemptMs ?? job.createdMs;
  const waitMs = attempts === 0 ? 0 : longestWaitMs(attempts - 1) + LIMITS.answer.vehicleMs;
  const add = (kind: string, text: string) =>
    findings.add(kind, `job ${job.id}, ${nameOf(vehicle)}: ${text}`, { vehicle, atMs });
  if (atMs - lastMs > waitMs + slackMs && !retries.isServiceDisturbed(lastMs, atMs))
    add('tried too rarely', `${counted(attempts, 'attempt')}, and none for ${spanText(atMs - lastMs)}`);
  const least = leastAttempts(
    atMs - job.createdMs - slackMs,
    LIMITS.answer.vehicleMs + slackMs - limits.bulkSlackMs,
  );
  if (attempts < least && !retries.isServiceDisturbed(job.createdMs, atMs))
    add(
      'tried too rarely',
      `${counted(attempts, 'attempt')} in ${spanText(atMs - job.createdMs)}, and ${least} are the least`,
    );
  const readyMs = retries.readySince(vehicle, atMs);
  if (readyMs === undefined || readyMs < job.createdMs || atMs - readyMs < slackMs + LIMITS.answer.vehicleMs)
    return;
  if (lastMs < readyMs - slackMs && !retries.isDisturbed(vehicle, readyMs, atMs))
    add('not tried when its box connected', `its box is ready for ${spanText(atMs - readyMs)}`);
}

const SECOND_MS = 1_000;
