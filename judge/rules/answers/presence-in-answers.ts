import type { AnsweredCall } from '../../evidence/evidence.ts';
import type { SimulatedVehicle } from '../../evidence/simulated-vehicle.ts';
import type { CheckScope } from '../check.ts';
import { type Findings, nameOf } from '../findings.ts';
import { limits } from '../limits.ts';
import { RunTimes, type Span } from './run-times.ts';

/** What ends the session of a box without a fault, or makes the service treat it as ended. */
const ENDS_SESSION = /\/(?:[a-z-]+-reset|switch-mobile-network|network-detach|request-sim-[a-z]+)$/;

/**
 * What ends processes and sessions without lasting effects: a box that has become ready since has reported everything,
 * and the service stored it before it confirmed the ready.
 */
const SOON_OVER = [
  'backend crash',
  'backend restart',
  'the service',
  'weather cut',
  'weather take_over',
  'weather session_lost',
  'weather lose',
];

const CHANGES_CARD = /\/request-sim-(?:activation|suspension)$/;

/**
 * Checks the life status in each answer against the session recorded by the box (docs/api.md, Vehicles): ONLINE if it
 * was ready all the time, and not ONLINE if it was away for longer than a broker needs to publish its will. Times of
 * recent faults are excluded, for a ready box all but brief ones (`SOON_OVER`), and so is a box whose broker went down
 * when it left: no will was published then (MQTT 3.1.1, 3.1.2.5). One whose card was suspended is OFFLINE. Resolves
 * with the number of answers.
 */
export async function judgePresenceInAnswers(scope: CheckScope, findings: Findings): Promise<number> {
  const { evidence, vehicles, factsDropped } = scope;
  const calls = await evidence.calls();
  if (factsDropped > 0 || evidence.unrecorded().calls > 0) return 0;
  const times = new RunTimes(scope);
  let count = 0;
  for (const { call, vehicle, told } of vehiclesInAnswers(calls, vehicles)) {
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
  // The service uses the card on record, whichever is in the box.
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
  // A box that connects and stays not ready, since its hellos are lost, still has a session.
  if (leftMs > long.fromMs || times.nextConnectMs(vehicle, leftMs) <= answeredMs) return undefined;
  // A box with a stalled link notices the end of its session only by its keep-alive.
  const since: Span = { fromMs: leftMs - limits.sessionEndMs, toMs: answeredMs };
  return times.isBroken('broker', since) ? undefined : 'was away';
}

/**
 * Whether the last successful order for the card suspended it, and its box has not been connected since. A detached
 * card keeps its state; an order without an answer leaves it undetermined.
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

interface VehicleBody {
  readonly id: string;
  readonly life_status?: { readonly value?: unknown };
  readonly last_contact_at?: unknown;
}

/** What answers report of vehicles that have a box and are in the run from its start. */
export function* vehiclesInAnswers(
  calls: readonly AnsweredCall[],
  vehicles: readonly SimulatedVehicle[],
): Generator<{
  readonly call: AnsweredCall;
  readonly vehicle: SimulatedVehicle;
  readonly told: VehicleBody;
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
function vehiclesIn({ method, path, status, body }: AnsweredCall): readonly VehicleBody[] {
  const [plain = ''] = path.split('?', 1);
  if (method !== 'GET' || status !== 200 || typeof body !== 'object' || body === null) return [];
  if (/^\/vehicles\/[^/]+$/.test(plain)) return [body as VehicleBody];
  const { items } = body as { readonly items?: unknown };
  return plain === '/vehicles' && Array.isArray(items) ? (items as VehicleBody[]) : [];
}
