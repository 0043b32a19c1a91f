import type { Fact } from '../../evidence/fact.ts';
import type { SimulatedVehicle } from '../../evidence/simulated-vehicle.ts';
import { RunTimes, type Span } from '../answers/run-times.ts';
import type { Checker, CheckScope } from '../check.ts';
import { Findings, nameOf, nothingCompared } from '../findings.ts';
import { limits } from '../limits.ts';
import { errorsBetween, ranThroughout } from './box-moments.ts';

/** Client requests that end the session of a box, at once or once the provider of its card has acted. */
const ENDS_SESSION =
  /\/(?:[a-z-]+-reset|switch-mobile-network|network-detach|request-sim-[a-z]+)$|^\/vehicles(?:\/[^/]+)?$/;

/**
 * Lost PUBACKs of a box exhaust its broker's in-flight window. Then nothing more comes down in that session, however
 * long the weather is over, and the box ends it (docs/wire.md, A connection).
 */
export const STOPS_BROKER = 'weather lose {"message":"box-puback"';

/** Weather in which packets may arrive minutes after it is over. */
const SLOW = ['latency', 'delay', 'bandwidth', 'trace', 'cell', 'slow_close'].map(
  (name) => `weather ${name}`,
);

/**
 * A session of a box ends for a cause: a fault that is active, or was within the last minute, a reset or going-down of
 * the box, or a request. A connection survives disturbances that ended long ago. On a road (`radio: road`) a vehicle
 * loses its network randomly; such a fleet is not judged.
 */
export const sessionsLast: Checker = async (scope) => {
  const findings = new Findings();
  const { evidence, vehicles, facts, factsDropped } = scope;
  const calls = await evidence.calls();
  if (factsDropped > 0 || evidence.unrecorded().calls > 0)
    return nothingCompared('not all of the run was kept');
  const times = new RunTimes(scope);
  let ends = 0;
  for (const vehicle of vehicles) {
    if (vehicle.boxId === undefined || vehicle.group.radio === 'road') continue;
    for (const { sinceMs, atMs } of endsOf(vehicle, facts)) {
      ends += 1;
      const before: Span = { fromMs: atMs - limits.sessionEndMs, toMs: atMs };
      const isAsked = calls.some(
        (call) =>
          (call.vehicle === vehicle || call.vehicle === undefined) &&
          call.method !== 'GET' &&
          ENDS_SESSION.test(call.path) &&
          call.askedMs <= atMs &&
          call.answeredMs >= before.fromMs,
      );
      if (isAsked || hasCause(vehicle, before, scope, times)) continue;
      if (times.isUnder(STOPS_BROKER, vehicle, { fromMs: sinceMs, toMs: atMs })) continue;
      findings.add('a session ended without a cause', nameOf(vehicle), { vehicle, atMs });
    }
  }
  return findings.result([[ends, 'end of a session', 'ends of sessions']]);
};

function hasCause(
  vehicle: SimulatedVehicle,
  before: Span,
  { evidence }: Pick<CheckScope, 'evidence'>,
  times: RunTimes,
): boolean {
  const { toMs } = before;
  if (!times.isCalm({ fromMs: toMs, toMs }, vehicle)) return true;
  // Slow packets arrive late: an old CONNECT takes over the session.
  const longBefore: Span = { fromMs: toMs - limits.lateArrivalMs, toMs };
  if (SLOW.some((name) => times.isUnder(name, vehicle, longBefore))) return true;
  // A box whose clock is further ahead of a frame than any connection can delay it requests the time in a new session.
  const errors = errorsBetween(evidence.clockErrors(vehicle), toMs - limits.atOnceMs, toMs);
  if (errors.some((errorMs = 0) => errorMs >= limits.clockFarAheadMs)) return true;
  // The box processes packets that came during its write, such as PUBACKs, after it.
  if (times.stoodStillUntilMs(vehicle, { fromMs: toMs - limits.calmMs, toMs }) !== undefined) return true;
  // A frame older than any delay of a connection makes the box request the time in a new session.
  if (times.mayArriveLate(vehicle, before)) return true;
  // On a half-open connection a peer may detect losses only by its keep-alive.
  if (times.isUnder('weather half_open', vehicle, before) || times.isBroken('backend half_open', before))
    return true;
  return !ranThroughout(evidence.boxHistory(vehicle).memories, toMs - limits.calmMs, toMs + limits.atOnceMs);
}

/** The spans of a box's sessions that were answered and have ended. */
function endsOf(
  vehicle: SimulatedVehicle,
  facts: readonly Fact[],
): readonly { readonly sinceMs: number; readonly atMs: number }[] {
  const ends: { readonly sinceMs: number; readonly atMs: number }[] = [];
  let readyMs: number | undefined;
  for (const fact of facts) {
    if (fact.kind !== 'connectivity' || fact.vehicle !== vehicle.number) continue;
    if (readyMs !== undefined && fact.state !== 'ready') ends.push({ sinceMs: readyMs, atMs: fact.atMs });
    readyMs = fact.state === 'ready' ? (readyMs ?? fact.atMs) : undefined;
  }
  return ends;
}
