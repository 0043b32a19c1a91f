import { counted } from '../../language/document/counted.ts';
import { BULK } from '../../run/request.ts';
import type { AnsweredCall, JobEvidence } from '../../testbed/port/evidence.ts';
import type { SimulatedVehicle } from '../../testbed/port/simulated-vehicle.ts';
import type { Checker } from '../check.ts';
import { Findings, nameOf } from '../findings.ts';
import { limits } from '../limits.ts';
import { judgeRequests } from './attempts-on-the-wire.ts';
import { Haste } from './haste.ts';
import { leastAttempts, longestWaitMs, mostAttempts, PROMISED, spanText } from './promised-times.ts';

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
 * up before and none is pending after; no attempt is made after the end; a vehicle is tried no more often, and no
 * less, than its waits say, by the attempts that each answer tells and by the configuration requests that the wire saw;
 * and one whose box has connected is tried at once.
 */
export const bulkInTime: Checker = async (scope) => {
  const findings = new Findings();
  const { evidence, testbed } = scope;
  const jobs = await evidence.jobs();
  if (jobs.length === 0) return findings.result('0 jobs');
  const calls = await evidence.calls();
  const haste = new Haste(scope);
  const vehiclesById = new Map(scope.vehicles.map((vehicle) => [vehicle.vehicleId, vehicle]));
  const all = jobs.reduce((sum, { items }) => sum + items.length, 0);
  const slackMs = limits.bulkSlackMs + all * limits.bulkItemMs;
  for (const job of jobs) judgeEnd(job, findings);
  const nowMs = testbed.time.nowMs();
  let looks = 0;
  for (const look of looksAt(jobs, calls, vehiclesById, nowMs)) {
    looks += 1;
    judgeLook(look, { haste, slackMs, findings });
  }
  const requests = await judgeRequests(scope, { jobs, calls, haste, findings });
  return findings.result(
    `${counted(jobs.length, 'job')}, ${counted(looks, 'look', 'looks')} at vehicles, ${counted(requests, 'request')}`,
  );
};

function judgeEnd({ id, askedMs, createdMs, expiresMs }: JobEvidence, findings: Findings): void {
  if (expiresMs - createdMs !== PROMISED.jobMs)
    findings.add('a job that does not last 12 h', `job ${id} lasts ${spanText(expiresMs - createdMs)}`);
  if (createdMs < askedMs)
    findings.add('a job from before it was ordered', `job ${id} is ${spanText(askedMs - createdMs)} older`);
}

/** Every time at which the service told how far a vehicle is: in answers, and at the end of the run. */
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
    if (method !== 'GET' || status !== 200 || !path.startsWith(`${BULK}/`)) continue;
    const { id = '', items } = body as { readonly id?: string; readonly items?: readonly ToldItem[] };
    const job = byId.get(id);
    if (job !== undefined && items !== undefined) yield* of(job, items.map(itemOf), answeredMs);
  }
  for (const job of jobs) yield* of(job, job.items, nowMs);
}

/** An item as the API answers it. */
interface ToldItem {
  readonly id: string;
  readonly status: string;
  readonly reason?: { readonly type?: string };
  readonly attempts?: number;
  readonly last_attempt_at?: string;
}

function itemOf({ id, status, reason, attempts, last_attempt_at: lastAt }: ToldItem): Item {
  return {
    id,
    status,
    ...(reason?.type === undefined ? {} : { problem: reason.type.slice(reason.type.lastIndexOf('/') + 1) }),
    attempts: attempts ?? 0,
    ...(lastAt === undefined ? {} : { lastAttemptMs: Date.parse(lastAt) }),
  };
}

interface Judging {
  readonly haste: Haste;
  readonly slackMs: number;
  readonly findings: Findings;
}

function judgeLook({ job, vehicle, item, atMs }: Look, { haste, slackMs, findings }: Judging): void {
  const { createdMs, expiresMs } = job;
  const { status, problem, attempts, lastAttemptMs } = item;
  const add = (kind: string, text: string) =>
    findings.add(kind, `job ${job.id}, ${nameOf(vehicle)}: ${text}`, { vehicle, atMs });
  const isGivenUp = status === 'FAILED' && problem === 'no-connection';
  if (isGivenUp && atMs < expiresMs)
    add('given up before its time', `failed with no-connection ${spanText(expiresMs - atMs)} before the end`);
  if (status === 'PENDING' && atMs > expiresMs + slackMs && !haste.isServiceDisturbed(expiresMs, atMs))
    add('pending after its end', `pending ${spanText(atMs - expiresMs)} after the end`);
  if (lastAttemptMs !== undefined) {
    if (lastAttemptMs > expiresMs)
      add('tried after its end', `tried ${spanText(lastAttemptMs - expiresMs)} after the end`);
    if (lastAttemptMs < createdMs - SECOND_MS)
      add('tried before its beginning', `tried ${spanText(createdMs - lastAttemptMs)} before the beginning`);
    // The time of the attempt is told in whole seconds.
    const times = haste.count(vehicle, createdMs, lastAttemptMs + SECOND_MS) + 1;
    const most = mostAttempts(lastAttemptMs + SECOND_MS - createdMs, times);
    if (attempts > most)
      add(
        'tried too often',
        `${attempts} attempts in ${spanText(Math.max(0, lastAttemptMs + SECOND_MS - createdMs))}, and ${most} are the most`,
      );
  }
  if (status === 'PENDING' || isGivenUp)
    judgeHaste({ job, vehicle, item, atMs: Math.min(atMs, expiresMs) }, { haste, slackMs, findings });
}

/** What is not settled was tried lately, and since its box has connected. */
function judgeHaste({ job, vehicle, item, atMs }: Look, { haste, slackMs, findings }: Judging): void {
  const { attempts, lastAttemptMs } = item;
  const lastMs = lastAttemptMs ?? job.createdMs;
  const waitMs = attempts === 0 ? 0 : longestWaitMs(attempts - 1) + PROMISED.answerMs;
  const add = (kind: string, text: string) =>
    findings.add(kind, `job ${job.id}, ${nameOf(vehicle)}: ${text}`, { vehicle, atMs });
  if (atMs - lastMs > waitMs + slackMs && !haste.isServiceDisturbed(lastMs, atMs))
    add('tried too rarely', `${counted(attempts, 'attempt')}, and none for ${spanText(atMs - lastMs)}`);
  const least = leastAttempts(
    atMs - job.createdMs - slackMs,
    PROMISED.answerMs + slackMs - limits.bulkSlackMs,
  );
  if (attempts < least && !haste.isServiceDisturbed(job.createdMs, atMs))
    add(
      'tried too rarely',
      `${counted(attempts, 'attempt')} in ${spanText(atMs - job.createdMs)}, and ${least} are the least`,
    );
  const readyMs = haste.readySince(vehicle, atMs);
  if (readyMs === undefined || readyMs < job.createdMs || atMs - readyMs < slackMs + PROMISED.answerMs)
    return;
  if (lastMs < readyMs - slackMs && !haste.isDisturbed(vehicle, readyMs, atMs))
    add('not tried when its box connected', `its box is ready for ${spanText(atMs - readyMs)}`);
}

const SECOND_MS = 1_000;
