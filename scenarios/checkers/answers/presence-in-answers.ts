import type { AnsweredCall } from '../../testbed/port/evidence.ts';
import type { SimulatedVehicle } from '../../testbed/port/simulated-vehicle.ts';
import type { CheckScope } from '../check.ts';
import { type Findings, nameOf } from '../findings.ts';
import { limits } from '../limits.ts';
import { RunTimes, type Span } from './run-times.ts';

/** What ends the session of a box without a fault, and what lets the service take it for ended. */
const ENDS_SESSION = /\/(?:[a-z-]+-reset|switch-mobile-network|network-detach|request-sim-[a-z]+)$/;

/**
 * What ends processes and sessions and leaves nothing behind: a box that has become ready since has told the service all, and the
 * service has stored it before the box could know.
 */
const SOON_OVER = [
  ...['backend crash', 'backend restart', 'the service'],
  ...['weather cut', 'weather take_over', 'weather session_lost', 'weather lose'],
];

const CHANGES_CARD = /\/request-sim-(?:activation|suspension)$/;

/**
 * Holds the life status in each answer against the session that the box itself saw (docs/api.md, Vehicles): ONLINE where
 * it has been ready all the time, and not ONLINE where it has been away for longer than a broker needs to tell. A time in
 * which something was broken lately is left out, for a ready box all but what is soon over (`SOON_OVER`), and so is a box whose
 * broker went down when it left: no will was published then (MQTT 3.1.1, 3.1.2.5). One whose card was suspended is OFFLINE.
 * Resolves with the number of answers.
 */
export async function judgePresenceInAnswers(scope: CheckScope, findings: Findings): Promise<number> {
  const { evidence, vehicles, factsDropped } = scope;
  const calls = await evidence.calls();
  if (factsDropped > 0 || evidence.unrecorded().calls > 0) return 0;
  const times = new RunTimes(scope);
  let count = 0;
  for (const { call, vehicle, told } of toldVehicles(calls, vehicles)) {
    const { life_status: life } = told;
    if (life === undefined) continue;
    const verdict = verdictOf(vehicle, call, calls, times);
    if (verdict === undefined) continue;
    count += 1;
    const isOnline = life.value === 'ONLINE';
    const isWrong = isOnline !== (verdict === 'is ready');
    const hasNoCard = verdict === 'was away' && isSuspended(vehicle, call, calls, times);
    if (!isWrong && !(hasNoCard && life.value !== 'OFFLINE')) continue;
    const why = hasNoCard ? `${verdict}, its card suspended` : verdict;
    findings.add(
      'a life status that was not so',
      `${nameOf(vehicle)}: its box ${why}, and the answer to call ${call.call} says ${String(life.value)}`,
      { vehicle, atMs: call.answeredMs },
    );
  }
  return count;
}

function verdictOf(
  vehicle: SimulatedVehicle,
  { askedMs, answeredMs }: AnsweredCall,
  calls: readonly AnsweredCall[],
  times: RunTimes,
): 'is ready' | 'was away' | undefined {
  const lately: Span = { fromMs: askedMs - limits.calmMs, toMs: answeredMs };
  const long: Span = { fromMs: askedMs - limits.sessionEndMs, toMs: answeredMs };
  // The service asks the card that it has on record, whichever lies in the box.
  const hasOtherCard = times.isUnder('box card', vehicle, { fromMs: 0, toMs: answeredMs });
  const isEnded = calls.some(
    (one) =>
      one.vehicle === vehicle &&
      ENDS_SESSION.test(one.path) &&
      one.askedMs <= answeredMs &&
      one.answeredMs >= lately.fromMs,
  );
  const shortly: Span = { fromMs: askedMs - limits.readySettlesMs, toMs: answeredMs };
  if (times.isReadyThroughout(vehicle, shortly)) {
    const isOver = SOON_OVER.every((name) => !times.isBroken(name, shortly));
    const isCalm = times.isCalm(lately, vehicle, isOver ? SOON_OVER : []);
    return !isEnded && !hasOtherCard && isCalm ? 'is ready' : undefined;
  }
  if (!times.isAwayThroughout(vehicle, long) || !times.isCalm(long)) return undefined;
  const leftMs = times.leftMs(vehicle, askedMs);
  if (leftMs === undefined || times.isUnder('weather slow_close', vehicle, { fromMs: 0, toMs: answeredMs }))
    return undefined;
  // One that connects and gets no further, since its hellos are lost, has a session all the same.
  if (leftMs > long.fromMs || times.nextConnectMs(vehicle, leftMs) <= answeredMs) return undefined;
  // A box whose link is stalled notices the end of its session by its keep-alive alone.
  const since: Span = { fromMs: leftMs - limits.sessionEndMs, toMs: answeredMs };
  return times.isBroken('broker', since) ? undefined : 'was away';
}

/**
 * Whether the card was suspended last of what was ordered of it, and that was answered with success, and its box has not been
 * connected since. A detached card stays what it was; what no answer is known of leaves it open.
 */
function isSuspended(
  vehicle: SimulatedVehicle,
  { askedMs, answeredMs }: AnsweredCall,
  calls: readonly AnsweredCall[],
  times: RunTimes,
): boolean {
  const orders = calls.filter(
    (one) => one.vehicle === vehicle && CHANGES_CARD.test(one.path) && one.askedMs <= answeredMs,
  );
  const last = orders.findLast(({ status }) => status < 400 || status >= 500);
  return (
    last?.path.endsWith('suspension') === true &&
    last.status >= 200 &&
    last.status < 300 &&
    orders.every((one) => one.answeredMs < askedMs) &&
    times.isAwayThroughout(vehicle, { fromMs: last.answeredMs + limits.atOnceMs, toMs: answeredMs })
  );
}

interface ToldVehicle {
  readonly id: string;
  readonly life_status?: { readonly value?: unknown };
  readonly last_contact_at?: unknown;
}

/** What answers tell of vehicles that have a box and are in the run from its begin. */
export function* toldVehicles(
  calls: readonly AnsweredCall[],
  vehicles: readonly SimulatedVehicle[],
): Generator<{
  readonly call: AnsweredCall;
  readonly vehicle: SimulatedVehicle;
  readonly told: ToldVehicle;
}> {
  const byId = new Map(vehicles.map((vehicle) => [vehicle.vehicleId, vehicle]));
  byId.delete('');
  for (const call of calls)
    for (const told of vehiclesIn(call)) {
      const vehicle = byId.get(told.id);
      if (vehicle?.boxId !== undefined && !vehicle.group.isOnShelf) yield { call, vehicle, told };
    }
}

/** The vehicles of an answer: one, or those of a list. */
function vehiclesIn({ method, path, status, body }: AnsweredCall): readonly ToldVehicle[] {
  const [plain = ''] = path.split('?', 1);
  if (method !== 'GET' || status !== 200 || typeof body !== 'object' || body === null) return [];
  if (/^\/vehicles\/[^/]+$/.test(plain)) return [body as ToldVehicle];
  const { items } = body as { readonly items?: unknown };
  return plain === '/vehicles' && Array.isArray(items) ? (items as ToldVehicle[]) : [];
}
