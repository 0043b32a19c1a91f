import { calledOperation } from '../../../contract/operations.ts';
import { REQUEST_KINDS } from '../../checkers.ts';
import type { AnsweredCall, RecordedFrame } from '../../evidence/evidence.ts';
import { mostErrorMs } from '../box/box-moments.ts';
import type { Checker, CheckScope } from '../check.ts';
import { ConfigurationWrites } from '../configuration/configuration-writes.ts';
import { Findings, nameOf, nothingCompared } from '../findings.ts';
import { limits } from '../limits.ts';
import { SharingRecording } from '../sharing-recording.ts';
import { ACCESS_RULES } from './access-rules.ts';
import { ClientHistory } from './client-history.ts';
import { EQUIPMENT_RULES } from './equipment-rules.ts';
import { type GuardedCall, type GuardRule, type KnownRun, rankOf } from './guard-rule.ts';
import { problemFaults } from './problem-bodies.ts';
import { READINESS_RULES } from './readiness-rules.ts';
import { RunTimes } from './run-times.ts';

const RULES: readonly GuardRule[] = [...ACCESS_RULES, ...EQUIPMENT_RULES, ...READINESS_RULES];

/**
 * Compares each answer with the contract's reasons for refusals (docs/api.md, Problems), computed from the plan of the
 * run, the calls before it and the recordings of boxes and wire: what must be refused is refused with that problem, or
 * one that ranks before it; and nothing is refused without its reason. The body of a refusal has the status and title
 * of its problem, and names its subject (problem-bodies.ts). A call for a box that the service knows to be away is
 * refused at once.
 */
export const guardsHold: Checker = async (scope) => {
  const { evidence, vehicles } = scope;
  const findings = new Findings();
  const calls = await evidence.calls();
  const { frames: framesLost, calls: callsLost } = evidence.unrecorded();
  if (framesLost > 0 || callsLost > 0)
    return nothingCompared('a recording was full, and absence proves nothing');
  const known = await knownOf(scope, calls);
  const clients = clientsOf(scope);
  const history = new ClientHistory(scope.facts);
  let count = 0;
  for (const call of calls) {
    for (const text of problemFaults(call))
      findings.add(
        'a problem that is not right',
        `call ${call.call}, ${call.method} ${call.path} as ${call.as}: ${text}`,
        { vehicle: call.vehicle, atMs: call.answeredMs },
      );
    const called = calledOperation(call);
    const client = clients.get(call.as);
    // Invalid tokens are checked by `tokens-expire`; a missing answer proves nothing.
    if (called === undefined || client === undefined || call.status === 0 || call.status === 401) continue;
    const { vehicle } = call;
    const isFilled = called.vehicleId === undefined || vehicle !== undefined;
    if (!isFilled || (vehicle !== undefined && !vehicles.includes(vehicle))) continue;
    count += 1;
    const equipment = vehicle === undefined ? undefined : evidence.equipment(vehicle);
    const permissions = history.permissionsAt(call.as, client.permissions, call);
    judge(
      { ...called, call, vehicle, equipment, callerFleetId: client.callerFleetId, permissions },
      known,
      findings,
    );
  }
  return findings.result([[count, 'answer']]);
};

function judge(guarded: GuardedCall, known: KnownRun, findings: Findings): void {
  const { call, vehicle } = guarded;
  const of = vehicle === undefined ? '' : ` of ${nameOf(vehicle)}`;
  const what = `${call.status} to call ${call.call}, ${call.method} ${call.path} as ${call.as}${of}`;
  const about = { vehicle, atMs: call.answeredMs };
  const isFailure = call.status >= 500 && call.problem === '/problems/internal-server-error';
  const rank = call.problem === undefined ? Number.POSITIVE_INFINITY : rankOf(call.problem);
  for (const rule of RULES) {
    const isTold = call.problem !== undefined && rule.problems.includes(call.problem);
    const isBefore = rank <= rankOf(rule.problems[0] ?? '');
    if (!isTold && (isBefore || isFailure)) continue;
    const verdict = rule.verdict(guarded, known);
    if (isTold && verdict === 'must not')
      findings.add('refused without its reason', `${what}, for ${rule.name}: ${call.detail ?? ''}`, about);
    if (!isTold && verdict === 'must')
      findings.add(
        'not refused',
        `${what}: ${call.problem ?? 'a success'}, and ${rule.name} is against it (${rule.problems.join(' or ')})`,
        about,
      );
  }
  if (isSlow(guarded, known))
    findings.add(
      'not told at once',
      `${what}: after ${(call.answeredMs - call.askedMs) / 1_000} s, and its box had no connection for long`,
      about,
    );
}

/** Whether the box was known to be away, and the answer came only after the time that a box has to answer. */
function isSlow({ call, operation, vehicle }: GuardedCall, { times }: KnownRun): boolean {
  if (call.status !== 504 || !operation.guards.includes('connection') || vehicle?.boxId === undefined)
    return false;
  const span = { fromMs: call.askedMs - limits.sessionEndMs, toMs: call.answeredMs };
  return (
    call.answeredMs - call.askedMs > limits.atOnceMs &&
    // A box that was never in a session has an unknown state: the command is tried.
    times.leftMs(vehicle, call.askedMs) !== undefined &&
    times.isAwayThroughout(vehicle, span) &&
    times.isCalm(span) &&
    // Packets delayed by minutes keep a connection alive at the broker that the box has abandoned.
    !times.isUnder('weather latency', vehicle, { fromMs: 0, toMs: call.answeredMs }) &&
    // A broker that went down published no will.
    !times.wasEver('broker')
  );
}

async function knownOf(scope: CheckScope, calls: readonly AnsweredCall[]): Promise<KnownRun> {
  const { evidence, testbed, vehicles, plan } = scope;
  const frames = new Map<number, readonly RecordedFrame[]>();
  for (const vehicle of vehicles) {
    const own: RecordedFrame[] = [];
    for await (const page of evidence.frames(vehicle, REQUEST_KINDS))
      own.push(...page.filter(({ message }) => REQUEST_KINDS.has(message.kind)));
    frames.set(vehicle.number, own);
  }
  const jobs = await evidence.jobs();
  return {
    calls,
    backends: plan.backends,
    times: new RunTimes(scope),
    writes: new ConfigurationWrites(calls, jobs),
    sharing: new SharingRecording(calls, testbed.fleetId('partner')),
    partnerFleetIds: ['own', 'partner', 'stranger'].map((fleet) => testbed.fleetId(fleet)),
    inJobs: new Set(jobs.flatMap(({ vehicleIds }) => vehicleIds)),
    framesOf: ({ number }) => frames.get(number) ?? [],
    clockErrorMs: (vehicle, fromMs, toMs) => mostErrorMs(evidence.clockErrors(vehicle), fromMs, toMs),
    truthsBetween: (...what) => evidence.truthsBetween(...what),
  };
}

interface KnownClient {
  readonly callerFleetId: string;
  /** Undefined: every one. */
  readonly permissions: readonly string[] | undefined;
}

/** Fleet and permissions of each client that has a valid token. */
function clientsOf({ plan, testbed }: CheckScope) {
  const standing = [
    ['owner', 'own'],
    ['partner', 'partner'],
    ['stranger', 'stranger'],
  ] as const;
  return new Map<string, KnownClient>([
    ...standing.map(
      ([name, fleet]) => [name, { callerFleetId: testbed.fleetId(fleet), permissions: undefined }] as const,
    ),
    ...plan.clients.map(
      ({ name, fleet, permissions }) =>
        [name, { callerFleetId: testbed.fleetId(fleet), permissions }] as const,
    ),
  ]);
}
