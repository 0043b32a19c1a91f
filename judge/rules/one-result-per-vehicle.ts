import { BULK_PATH } from '../../contract/operation.ts';
import { REQUEST_KINDS } from '../checkers.ts';
import type { AnsweredCall, JobEvidence } from '../evidence/evidence.ts';
import type { SimulatedVehicle } from '../evidence/simulated-vehicle.ts';
import { counted } from '../wording.ts';
import { judgeReasons } from './bulk/bulk-reasons.ts';
import type { Checker } from './check.ts';
import { type RequestRecording, readRequests } from './commands/request-recording.ts';
import { InForce } from './configuration-in-force.ts';
import { Findings, nameOf } from './findings.ts';
import { judgeSetups } from './setups.ts';
import { judgeWaitingSetups } from './waiting-setups.ts';

/** The result of one vehicle of one job, as an answer reported it. */
interface ReportedResult {
  readonly status: string;
  readonly call: number;
}

/**
 * Compares what was ordered (the caller's recording) with the service's items and with the wire: each vehicle has one
 * item and no other has one; an ended job has no pending item; a reported result never changes; and an applied vehicle
 * has answered a configuration request with `done`; boxes have the last reported configuration in force
 * (configuration-in-force.ts); a vehicle fails for an existing reason, and for no temporary one (bulk/bulk-reasons.ts).
 * Each setup ends once as well (setups.ts), and begins once its box is ready (waiting-setups.ts). Unfinished ones are
 * checked by `heals`.
 */
export const oneResultPerVehicle: Checker = async (scope) => {
  const { evidence } = scope;
  const findings = new Findings();
  const vehiclesById = new Map(scope.vehicles.map((vehicle) => [vehicle.vehicleId, vehicle]));
  const jobs = await evidence.jobs();
  const calls = await evidence.calls();
  const reported = reportedResults(jobs.length === 0 ? [] : calls, findings);
  const applied = new Set<string>();
  let count = 0;
  let boxes = 0;
  for (const job of jobs) {
    count += job.vehicleIds.length;
    judgeJob(job, reported, vehiclesById, findings);
    for (const { id, status } of job.items) if (status === 'APPLIED') applied.add(id);
  }
  await judgeSetups(scope, calls, findings);
  await judgeWaitingSetups(scope, calls, findings);
  judgeReasons(scope, jobs, calls, findings);
  const isWireWhole = evidence.unrecorded().frames === 0;
  const inForce = new InForce(scope, jobs, calls, findings);
  for (const vehicle of scope.vehicles) {
    if (vehicle.boxId === undefined) continue;
    boxes += 1;
    const recording = isWireWhole ? await readRequests(evidence.frames(vehicle, REQUEST_KINDS)) : undefined;
    if (recording !== undefined && applied.has(vehicle.vehicleId)) judgeApplied(vehicle, recording, findings);
    await inForce.judge(vehicle, recording);
  }
  return findings.result([
    [jobs.length, 'job'],
    [count, 'vehicle'],
    [boxes, 'box', 'boxes'],
  ]);
};

function judgeJob(
  { id: job, vehicleIds, status, items, counts: said }: JobEvidence,
  reported: ReadonlyMap<string, ReportedResult>,
  vehiclesById: ReadonlyMap<string, SimulatedVehicle>,
  findings: Findings,
): void {
  const counts = new Map(vehicleIds.map((id) => [id, 0]));
  for (const item of items) {
    const vehicle = vehiclesById.get(item.id);
    const what = `job ${job}, ${named(vehicle, item.id)}`;
    const count = counts.get(item.id);
    if (count === undefined) findings.add('a result for a vehicle that is not in the job', what, { vehicle });
    else counts.set(item.id, count + 1);
    if (status === 'COMPLETED' && item.status === 'PENDING')
      findings.add('no result', `${what}: pending, though the job is over`, { vehicle });
    if (item.status === 'FAILED' && (item.reason ?? '') === '')
      findings.add('a failure without a reason', what, { vehicle });
    if (item.status !== 'FAILED' && item.status !== 'PENDING' && item.reason !== undefined)
      findings.add('a reason without a failure', `${what}: ${item.status}, ${item.reason}`, { vehicle });
    const once = reported.get(`${job} ${item.id}`);
    if (once !== undefined && once.status !== item.status)
      findings.add(
        'a result that changed',
        `${what}: the answer to call ${once.call} said ${once.status}, and now it is ${item.status}`,
        { vehicle },
      );
  }
  const isCounted =
    said.total === vehicleIds.length &&
    (['pending', 'applied', 'failed'] as const).every(
      (one) => said[one] === items.filter((item) => item.status === one.toUpperCase()).length,
    );
  if (!isCounted)
    findings.add(
      'a job that miscounts',
      `job ${job} of ${counted(vehicleIds.length, 'vehicle')} counts ${JSON.stringify(said)}`,
    );
  for (const [id, count] of counts) {
    const vehicle = vehiclesById.get(id);
    const what = `job ${job}, ${named(vehicle, id)}`;
    if (count === 0) findings.add('no result', `${what}: it has no item`, { vehicle });
    if (count > 1) findings.add('more than one result', `${what}: it has ${count} items`, { vehicle });
  }
}

/** The first result of each vehicle in answers; a different later one is a finding. */
function reportedResults(
  calls: readonly AnsweredCall[],
  findings: Findings,
): ReadonlyMap<string, ReportedResult> {
  const reported = new Map<string, ReportedResult>();
  for (const { call, method, path, status, body, answeredMs } of calls) {
    if (method !== 'GET' || status !== 200 || !path.startsWith(`${BULK_PATH}/`)) continue;
    const { id: job, items } = body as { readonly id?: string; readonly items?: unknown };
    for (const item of Array.isArray(items) ? (items as { id: string; status: string }[]) : []) {
      if (item.status === 'PENDING') continue;
      const key = `${job} ${item.id}`;
      const before = reported.get(key);
      if (before === undefined) reported.set(key, { status: item.status, call });
      else if (before.status !== item.status)
        findings.add(
          'a result that changed',
          `job ${job}, vehicle ${item.id}: ${before.status} by call ${before.call}, ${item.status} by call ${call}`,
          { atMs: answeredMs },
        );
    }
  }
  return reported;
}

function judgeApplied(
  vehicle: SimulatedVehicle,
  { configurations, replies }: RequestRecording,
  findings: Findings,
): void {
  if ([...configurations.keys()].some((id) => replies.get(id)?.outcome === 'done')) return;
  const text = `${nameOf(vehicle)} never answered a configuration with 'done'`;
  findings.add('applied, and it was not', text, { vehicle });
}

function named(vehicle: SimulatedVehicle | undefined, vehicleId: string): string {
  return vehicle === undefined ? `vehicle ${vehicleId}` : nameOf(vehicle);
}
