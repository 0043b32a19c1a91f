import { REQUEST_KINDS } from '../checkers.ts';
import type { AnsweredCall } from '../evidence/evidence.ts';
import type { SimulatedVehicle } from '../evidence/simulated-vehicle.ts';
import { RunTimes } from './answers/run-times.ts';
import type { CheckScope } from './check.ts';
import { readRequests } from './commands/request-recording.ts';
import { type Findings, nameOf } from './findings.ts';
import { limits } from './limits.ts';

/** A vehicle whose setup was waiting in an answer. */
interface Waiting {
  readonly vehicle: SimulatedVehicle;
  readonly call: number;
  readonly atMs: number;
  /** When the request with that answer was made, and answered. */
  readonly onboardedMs: number;
  readonly answeredMs: number;
}

/**
 * A crashed backend leaves only begun setups unfinished, which another one continues. Without coverage a box is away.
 * No setup waits for the exchange.
 */
const MINDED_APART: readonly string[] = ['backend crash', 'the service', 'weather coverage', 'exchange'];

/**
 * A setup begins soon once its box is ready, even if the backend that received the ready crashed before it began: no
 * later answer has PENDING. A setup that was begun once may be pending for other reasons, and is not judged.
 */
export async function judgeWaitingSetups(
  scope: CheckScope,
  calls: readonly AnsweredCall[],
  findings: Findings,
): Promise<void> {
  const { evidence, facts, factsDropped } = scope;
  const { frames, calls: callsMissing } = evidence.unrecorded();
  if (frames > 0 || callsMissing > 0 || factsDropped > 0) return;
  const waiting = waitingIn(calls);
  if (waiting.length === 0) return;
  const times = new RunTimes(scope);
  const movesMs = facts.flatMap((fact) =>
    fact.kind === 'service' || (fact.kind === 'fault' && fact.name === 'backend crash') ? [fact.atMs] : [],
  );
  for (const { vehicle, call, atMs, onboardedMs, answeredMs } of waiting) {
    // One that was begun before that, and failed, waits for its retry.
    if (atMs - onboardedMs > limits.setupAgainMs) continue;
    const fromMs = atMs - limits.unservedMs - limits.setupBeginsMs;
    const span = { fromMs, toMs: atMs };
    if (answeredMs > fromMs || movesMs.some((moveMs) => moveMs > fromMs && moveMs <= atMs)) continue;
    if (!times.isReadyThroughout(vehicle, span) || !times.isCalm(span, vehicle, MINDED_APART)) continue;
    if (times.mayArriveLate(vehicle, span)) continue;
    const { requests } = await readRequests(evidence.frames(vehicle, REQUEST_KINDS));
    const wasBegun = [...requests.values()].some(
      ({ command, sentMs, seenMs }) => command === 'begin-setup' && seenMs >= onboardedMs && sentMs <= atMs,
    );
    if (wasBegun) continue;
    findings.add(
      'a setup that does not begin',
      `the answer to call ${call} told PENDING of ${nameOf(vehicle)}, whose box had been ready for ${Math.round((atMs - fromMs) / 1_000)} s and more`,
      { vehicle, atMs },
    );
  }
}

/** The PENDING setups in answers, of vehicles that were onboarded in the run. */
function waitingIn(calls: readonly AnsweredCall[]): readonly Waiting[] {
  const onboarded = new Map<string, { readonly onboardedMs: number; readonly answeredMs: number }>();
  return calls.flatMap(({ call, vehicle, method, path, status, body, askedMs, answeredMs }): Waiting[] => {
    const { id, setup_status: told } = (body ?? {}) as {
      readonly id?: string;
      readonly setup_status?: string;
    };
    if (method === 'POST' && path === '/vehicles' && status === 201 && id !== undefined)
      onboarded.set(id, { onboardedMs: askedMs, answeredMs });
    const known = onboarded.get(/^\/vehicles\/([^/?]+)$/.exec(path)?.[1] ?? '');
    if (method !== 'GET' || status !== 200 || told !== 'PENDING') return [];
    if (vehicle?.boxId === undefined || known === undefined) return [];
    return [{ vehicle, call, atMs: askedMs, ...known }];
  });
}
