import { counted } from '../language/counted.ts';
import type { AnsweredCall, JobFact } from '../run/evidence.ts';
import { BULK } from '../run/request.ts';
import type { Player } from '../run/theatre.ts';
import { OF_REQUESTS } from './books.ts';
import type { Check, CheckScope } from './check.ts';
import { Findings, nameOf } from './findings.ts';
import { readRequests } from './request-book.ts';

/** Of one vehicle of one job, as an answer once told it. */
interface Once {
  readonly status: string;
  readonly call: number;
}

/**
 * Compares what was ordered (the caller's book) with the service's items and with the wire: each vehicle has one item
 * and no other has one; a job that is over has no pending item; a result that an answer has told never changes; and a
 * vehicle that was applied to has answered a configuration request with `done`. Jobs that are not over are the business
 * of `heals`.
 */
export const oneResultPerVehicle: Check = async (scope) => {
  const { evidence } = scope;
  const findings = new Findings();
  const players = new Map(scope.players.map((player) => [player.vehicleId, player]));
  const jobs = await evidence.jobs();
  const told = toldResults(jobs.length === 0 ? [] : await evidence.calls(), findings);
  const applied = new Set<string>();
  let count = 0;
  for (const job of jobs) {
    count += job.vehicleIds.length;
    judgeJob(job, told, players, findings);
    for (const { id, status } of job.items) if (status === 'APPLIED') applied.add(id);
  }
  if (evidence.unbooked().frames === 0) await judgeApplied(scope, applied, players, findings);
  return findings.checked(`${counted(jobs.length, 'job')}, ${counted(count, 'vehicle')}`);
};

function judgeJob(
  { id: job, vehicleIds, status, items }: JobFact,
  told: ReadonlyMap<string, Once>,
  players: ReadonlyMap<string, Player>,
  findings: Findings,
): void {
  const counts = new Map(vehicleIds.map((id) => [id, 0]));
  for (const item of items) {
    const player = players.get(item.id);
    const what = `job ${job}, ${named(player, item.id)}`;
    const count = counts.get(item.id);
    if (count === undefined) findings.say('a result that nobody asked for', what, { player });
    else counts.set(item.id, count + 1);
    if (status === 'COMPLETED' && item.status === 'PENDING')
      findings.say('no result', `${what}: pending, though the job is over`, { player });
    if (item.status === 'FAILED' && (item.reason ?? '') === '')
      findings.say('a failure without a reason', what, { player });
    const once = told.get(`${job} ${item.id}`);
    if (once !== undefined && once.status !== item.status)
      findings.say(
        'a result that changed',
        `${what}: the answer to call ${once.call} said ${once.status}, and now it is ${item.status}`,
        { player },
      );
  }
  for (const [id, count] of counts) {
    const player = players.get(id);
    const what = `job ${job}, ${named(player, id)}`;
    if (count === 0) findings.say('no result', `${what}: it has no item`, { player });
    if (count > 1) findings.say('more than one result', `${what}: it has ${count} items`, { player });
  }
}

/** Results that answers have told, the first of each; one that a later answer told otherwise is a finding. */
function toldResults(calls: readonly AnsweredCall[], findings: Findings): ReadonlyMap<string, Once> {
  const told = new Map<string, Once>();
  for (const { call, method, path, status, body, answeredMs } of calls) {
    if (method !== 'GET' || status !== 200 || !path.startsWith(`${BULK}/`)) continue;
    const { id: job, items } = body as { readonly id?: string; readonly items?: unknown };
    for (const item of Array.isArray(items) ? (items as { id: string; status: string }[]) : []) {
      if (item.status === 'PENDING') continue;
      const key = `${job} ${item.id}`;
      const before = told.get(key);
      if (before === undefined) told.set(key, { status: item.status, call });
      else if (before.status !== item.status)
        findings.say(
          'a result that changed',
          `job ${job}, vehicle ${item.id}: ${before.status} by call ${before.call}, ${item.status} by call ${call}`,
          { atMs: answeredMs },
        );
    }
  }
  return told;
}

async function judgeApplied(
  { evidence }: CheckScope,
  applied: ReadonlySet<string>,
  players: ReadonlyMap<string, Player>,
  findings: Findings,
): Promise<void> {
  for (const vehicleId of applied) {
    const player = players.get(vehicleId);
    if (player?.boxId === undefined) continue;
    const { configurations, replies } = await readRequests(evidence.frames(player, OF_REQUESTS));
    const isDone = [...configurations.keys()].some((id) => replies.get(id)?.outcome === 'done');
    if (!isDone)
      findings.say(
        'applied, and it was not',
        `${nameOf(player)} never answered a configuration with 'done'`,
        {
          player,
        },
      );
  }
}

function named(player: Player | undefined, vehicleId: string): string {
  return player === undefined ? `vehicle ${vehicleId}` : nameOf(player);
}
