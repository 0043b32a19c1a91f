import { LIMITS } from '../../../contract/limits.ts';
import { calledOperation } from '../../../contract/operations.ts';
import { endsSession } from '../../../protocol/commands.ts';
import type { AnsweredCall } from '../../evidence/evidence.ts';
import type { SimulatedVehicle } from '../../evidence/simulated-vehicle.ts';
import { activationAt } from '../configuration/configuration-reads.ts';
import { limits } from '../limits.ts';
import { idIn } from './access-rules.ts';
import type { GuardedCall, GuardRule, KnownRun, Verdict } from './guard-rule.ts';
import type { Span } from './run-times.ts';

/** What takes a box off the air, or slows it, without being a fault. */
const DISTURBING: ReadonlySet<string> = new Set(['update', 'firmware', 'workshop', 'mechanics', 'sleep']);

const STUCK: ReadonlySet<string> = new Set(['lock-motor', 'mechanics']);

/** The activities of vehicle and service. */
export const READINESS_RULES: readonly GuardRule[] = [
  {
    name: 'the setup of the vehicle',
    problems: ['/problems/vehicle/conflicting-setup-status'],
    verdict: setup,
  },
  {
    name: 'whether the box is ready',
    problems: ['/problems/conflicting-resource'],
    verdict: readiness,
  },
  {
    name: 'another command of the vehicle',
    problems: ['/problems/vehicle/conflicting-command'],
    verdict: conflict,
  },
  {
    name: 'an activation of the same feature',
    problems: ['/problems/conflicting-operation'],
    verdict: activation,
  },
  {
    name: 'whether the vehicle moves',
    problems: ['/problems/vehicle/conflicting-state'],
    verdict: movement,
  },
  {
    name: 'the interface of a maker',
    problems: ['/problems/third-party/error'],
    verdict: ({ call, vehicle }, { times }) => {
      if (vehicle === undefined || vehicle.boxId !== undefined) return 'must not';
      // A stuck part of the vehicle also is an error of its maker's interface.
      const isStuck = times.wasDone(vehicle, STUCK, { fromMs: 0, toMs: call.answeredMs });
      return isStuck || !times.isCalm(spanOf(call)) ? 'unknown' : 'must not';
    },
  },
  { name: 'the connection', problems: ['/problems/vehicle/no-connection'], verdict: connection },
  {
    name: 'a failure of the service',
    problems: ['/problems/internal-server-error'],
    verdict: ({ call }, { times }) => (times.isCalm(spanOf(call)) ? 'must not' : 'unknown'),
  },
];

/** The time of a call. */
export function spanOf({ askedMs, answeredMs }: AnsweredCall): Span {
  return { fromMs: askedMs, toMs: answeredMs };
}

function setup({ call, operation, vehicleId, vehicle }: GuardedCall, { calls, framesOf }: KnownRun): Verdict {
  if (!operation.guards.includes('setup-status') || vehicle === undefined) return 'must not';
  const made = calls.find((one) => one.status === 201 && idIn(one.body) === vehicleId);
  // Vehicles from the start of the run are set up, and a box that changes vehicles is set up again.
  if (made === undefined) return vehicle.group.isOnShelf ? 'unknown' : 'must not';
  const told = calls.filter(({ method, path }) => method === 'GET' && path === `/vehicles/${vehicleId}`);
  const before = told.findLast(({ status, answeredMs }) => status === 200 && answeredMs < call.askedMs);
  const status = statusIn(before?.body);
  // Both outcomes of a setup are final: a retry needs another vehicle record.
  if (status === 'SUCCEEDED') return 'must not';
  if (status === 'FAILED') return 'must';
  const hasAnswered = framesOf(vehicle).some(
    ({ atMs, direction, message }) =>
      direction === 'up' && message.kind === 'reply' && atMs >= made.askedMs && atMs <= call.answeredMs,
  );
  return hasAnswered || made.answeredMs > call.askedMs ? 'unknown' : 'must';
}

function statusIn(body: unknown): string | undefined {
  return ((body ?? {}) as { readonly setup_status?: string }).setup_status;
}

function readiness({ call, operation, vehicle }: GuardedCall, known: KnownRun): Verdict {
  if (!operation.guards.includes('not-ready')) return 'unknown';
  if (vehicle === undefined) return 'unknown';
  if (vehicle.boxId === undefined) return 'must not';
  const { times, calls } = known;
  const span = spanOf(call);
  const isAnnounced = calls.some(
    (one) => hasEndedSession(one, vehicle) && isBetween(one, span, known, vehicle),
  );
  if (isAnnounced) return 'must';
  const isSettled =
    !vehicle.group.isOnShelf &&
    isCalmBox(vehicle, span, known) &&
    times.isReadyThroughout(vehicle, { fromMs: call.askedMs - limits.calmMs, toMs: call.answeredMs }) &&
    !mayHaveEndedSession(calls, vehicle, span);
  return isSettled ? 'must not' : 'unknown';
}

/** From the 204 of such a command on the box accepts no commands until it reports that it is ready again. */
function hasEndedSession(call: AnsweredCall, of: SimulatedVehicle): boolean {
  if (call.vehicle !== of || call.status !== 204) return false;
  return endsSession(calledOperation(call)?.operation.name ?? '');
}

/**
 * Whether the box cannot have reconnected between the 204 and the time at which the call was judged: a new connection
 * may be lost before it is ready, and then the box is known to have none. A refused call is judged by the time of its
 * answer; without faults calls are judged at once, however late another answer came.
 */
function isBetween(
  reset: AnsweredCall,
  { fromMs, toMs }: Span,
  { times }: KnownRun,
  vehicle: SimulatedVehicle,
): boolean {
  const atOnceMs = fromMs + limits.refusalMs;
  const judgedMs = atOnceMs < toMs && times.isCalm({ fromMs, toMs: atOnceMs }) ? atOnceMs : toMs;
  return (
    reset.answeredMs < fromMs &&
    // A box whose connection breaks in the meantime is known to have none.
    times.isCalm({ fromMs: reset.answeredMs, toMs: judgedMs }, vehicle) &&
    judgedMs < times.nextConnectMs(vehicle, reset.askedMs) &&
    judgedMs < reset.askedMs + LIMITS.vehicle.notReadyMs
  );
}

/** Whether the session may be ending because of a request without a known answer, or with a recent one. */
function mayHaveEndedSession(calls: readonly AnsweredCall[], of: SimulatedVehicle, { fromMs, toMs }: Span) {
  return calls.some(
    (call) =>
      call.vehicle === of &&
      call.askedMs <= toMs &&
      call.answeredMs >= fromMs - limits.calmMs &&
      mayEndSession(call),
  );
}

/** A command that ends the session of its box, and requests about its SIM. */
function mayEndSession(call: AnsweredCall): boolean {
  const { kind, name = '' } = calledOperation(call)?.operation ?? {};
  return kind === 'connectivity-command' || endsSession(name);
}

/** Another request of the same vehicle that may be open in that time. */
function conflict({ call, operation, vehicleId, vehicle }: GuardedCall, known: KnownRun): Verdict {
  if (!operation.guards.includes('connection')) return 'must not';
  if (vehicle === undefined || vehicle.group.isOnShelf) return 'unknown';
  const isAsked = known.calls.some((one) => one !== call && one.vehicle === vehicle && mayBeOpen(one, call));
  const isSent = framesInForce(vehicle, call, known);
  // The items of a bulk job are sent at times that no caller knows, and over a bad link do not reach the box.
  const mayBeTried = known.inJobs.has(vehicleId ?? '') && !isCalmBox(vehicle, spanOf(call), known);
  return isAsked || isSent || mayBeTried ? 'unknown' : 'must not';
}

function mayBeOpen(one: AnsweredCall, { askedMs, answeredMs }: AnsweredCall): boolean {
  const { guards = [] } = calledOperation(one)?.operation ?? {};
  if (!guards.includes('connection') || one.askedMs > answeredMs) return false;
  const isEnded = one.status > 0 && one.status < 500;
  const endMs = isEnded
    ? one.answeredMs
    : Math.max(one.answeredMs, one.askedMs + 2 * LIMITS.answer.vehicleMs);
  return endMs >= askedMs;
}

/** Whether a request was on the wire that was neither answered nor past its expiry when the call was asked. */
function framesInForce(vehicle: SimulatedVehicle, { askedMs, answeredMs }: AnsweredCall, known: KnownRun) {
  const frames = known.framesOf(vehicle);
  return frames.some(({ atMs, direction, message }) => {
    if (direction !== 'down' || (message.kind !== 'command' && message.kind !== 'configuration'))
      return false;
    return atMs <= answeredMs && message.expiresMs + limits.atOnceMs >= askedMs;
  });
}

/**
 * Damage detection that is put while it calibrates. A change with an unknown outcome makes this undetermined, and so
 * does another command of the vehicle, for which a configuration is refused with the same problem.
 */
function activation(guarded: GuardedCall, known: KnownRun): Verdict {
  const { call, operation, vehicle } = guarded;
  const { kind, name = '' } = operation;
  if (kind !== 'configure' && kind !== 'deactivate') return 'must not';
  if (vehicle === undefined || vehicle.group.isOnShelf) return 'unknown';
  const isOther = kind !== 'configure' || name !== 'damage-detection';
  if (conflict(guarded, known) !== 'must not') return 'unknown';
  if (isOther) return 'must not';
  const writes = known.writes.of(vehicle, name);
  if (writes.every((one) => one.call === call || one.askedMs > call.answeredMs))
    return Object.hasOwn(featuresOf(vehicle), name) ? 'unknown' : 'must not';
  const state = activationAt(
    writes.filter((one) => one.call !== call),
    call,
    known.times,
  );
  if (state === 'is calibrated') return 'must not';
  // A box that is away, or whose flash was wiped, has other objections.
  return state === 'calibrates' && isCalmBox(vehicle, spanOf(call), known) ? 'must' : 'unknown';
}

function featuresOf({ group: { features } }: SimulatedVehicle): object {
  return typeof features === 'object' ? features : { 'damage-detection': features };
}

/** A vehicle that is and was stationary and is not towed does not move. The box may have other objections. */
function movement({ call, operation, vehicle }: GuardedCall, { truthsBetween }: KnownRun): Verdict {
  if (!operation.guards.includes('connection')) return 'must not';
  if (vehicle === undefined || !/moving/.test(call.detail ?? '')) return 'unknown';
  const truths = truthsBetween(vehicle, call.askedMs - limits.calmMs, call.answeredMs);
  if (truths === undefined || truths.length === 0) return 'unknown';
  return truths.every(({ speedKph, isTowed }) => speedKph === 0 && isTowed !== true) ? 'must not' : 'unknown';
}

function connection({ call, operation, vehicle }: GuardedCall, known: KnownRun): Verdict {
  if (!operation.guards.includes('connection')) return 'must not';
  if (vehicle === undefined || vehicle.boxId === undefined || vehicle.group.isOnShelf) return 'unknown';
  const span = spanOf(call);
  const isReady = known.times.isReadyThroughout(vehicle, {
    fromMs: call.askedMs - limits.calmMs,
    toMs: call.answeredMs,
  });
  // It uses the latest possible time, which is off by twice as much as the middle (docs/wire.md, A connection). A box
  // whose clock is ahead by a request's time-out treats it as expired, and its caller gets a time-out.
  const tookMs = call.answeredMs - call.askedMs;
  const mayExpire =
    2 * known.clockErrorMs(vehicle, call.askedMs, call.answeredMs) + tookMs + limits.clockSlackMs >=
    LIMITS.answer.vehicleMs;
  const isSettled =
    isReady &&
    isCalmBox(vehicle, span, known, known.backends > 1 ? ROLLING : []) &&
    !mayExpire &&
    !mayHaveEndedSession(known.calls, vehicle, span);
  return isSettled ? 'must not' : 'unknown';
}

/** With several backends, one that stops in order answers its calls and hands over its boxes: no caller notices. */
const ROLLING = ['backend restart', 'the service'];

/** Nothing could prevent the box's answer: no fault but these, no action on it, and an ideal radio. */
function isCalmBox(
  vehicle: SimulatedVehicle,
  span: Span,
  { times }: KnownRun,
  but: readonly string[] = [],
): boolean {
  return (
    vehicle.group.radio !== 'road' &&
    times.isCalm(span, vehicle, but) &&
    !times.wasDone(vehicle, DISTURBING, { fromMs: 0, toMs: span.toMs })
  );
}
