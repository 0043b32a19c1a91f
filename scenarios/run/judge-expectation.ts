import { BULK_PATH } from '../../contract/operation.ts';
import type { SimulatedVehicle } from '../../judge/evidence/simulated-vehicle.ts';
import { failed, passed, type Verdict } from '../../judge/verdict.ts';
import { counted, valueText } from '../../judge/wording.ts';
import type { Expectation } from '../language/expectations/expectations.ts';
import { type Mismatch, mismatchOf, mismatchText } from '../language/expectations/match.ts';
import type { ApiAnswer, SeenMessage, Testbed } from '../testbed/port/testbed.ts';
import { changedAt, type LookedAt, recordLooked, stateLooked } from './last-change/looked-at.ts';

/** The verdict on an expectation at one moment. `text`: the expected and the actual value. */
export interface ExpectationResult extends Verdict {
  /** True: it cannot change any more, so no further evaluation is needed. */
  readonly isFinal?: true;
  /** True: it holds so far, and only the end of the time decides, as with an absence. */
  readonly isHeld?: true;
  readonly text: string;
  /** The compared value, where it does not hold. */
  readonly looked?: LookedAt;
}

/** The run's knowledge at that moment, in addition to what it can query. */
export interface ExpectationContext {
  readonly testbed: Pick<Testbed, 'ask' | 'snapshotOf' | 'fleetOfQueue'>;
  /** The answer to the call of a step about this vehicle, or about none; undefined while there is none. */
  answerOf(label: string | undefined, vehicle: SimulatedVehicle | undefined): ApiAnswer | undefined;
  /** The result of this step's act. */
  outcomeOf(vehicle: SimulatedVehicle): unknown;
  /** Messages since the step began. */
  messages(vehicle: SimulatedVehicle): readonly SeenMessage[];
  /** When lasting steps were active: those of this label, or all of the kind `weather` or `break`. */
  spansOf(label: string): readonly { readonly fromMs: number; readonly toMs: number }[];
  /** The job of that step, or the last. */
  jobId(label: string | undefined): string | undefined;
}

/** Whether an expectation is one about each vehicle (else it is about the step's one call). */
export function isPerVehicle({ kind }: Expectation): boolean {
  return kind !== 'bulk';
}

/** Evaluates it now. Queries the service in the owner's name if needed; never rejects. */
export async function judgeExpectation(
  expectation: Expectation,
  vehicle: SimulatedVehicle | undefined,
  context: ExpectationContext,
): Promise<ExpectationResult> {
  switch (expectation.kind) {
    case 'answer':
      return judgeAnswer(expectation, context.answerOf(expectation.of, vehicle));
    case 'bulk': {
      const { job, ...wanted } = expectation.bulk;
      const id = context.jobId(job);
      if (id === undefined) return failed('bulk: no job has been made');
      const answer = await context.testbed.ask({
        method: 'GET',
        path: `${BULK_PATH}/${id}?limit=1`,
        as: 'owner',
      });
      const { status, counts } = partsOf(answer.body);
      return judgedBy(mismatchOf(wanted, { status, ...partsOf(counts) }), 'bulk', wanted);
    }
    case 'took':
      return judgeTook(expectation, context.answerOf(undefined, vehicle));
    default:
      if (vehicle === undefined) return failed(`${expectation.kind}: the step is about no vehicle`);
      return judgeVehicle(expectation, vehicle, context);
  }
}

async function judgeVehicle(
  expectation: Exclude<Expectation, { readonly kind: 'answer' | 'bulk' | 'took' }>,
  vehicle: SimulatedVehicle,
  context: ExpectationContext,
): Promise<ExpectationResult> {
  switch (expectation.kind) {
    case 'state': {
      const { latest_vehicle_state: state } = partsOf((await recordOf(vehicle, context)).body);
      const found = mismatchOf(expectation.state, valuesOf(state));
      return lookedAt(found, judgedBy(found, 'state', expectation.state), ({ place }) =>
        stateLooked(state, place),
      );
    }
    case 'life_status': {
      const { life_status: status } = partsOf((await recordOf(vehicle, context)).body);
      const found = mismatchOf(expectation.life_status, partsOf(status)['value']);
      const judged = judgedBy(found, 'life_status', expectation.life_status);
      return lookedAt(found, judged, () => ({ of: 'life_status', ...changedAt(status) }));
    }
    case 'setup_status': {
      const { setup_status: status } = partsOf((await recordOf(vehicle, context)).body);
      return judgedBy(mismatchOf(expectation.setup_status, status), 'setup_status', expectation.setup_status);
    }
    case 'vehicle': {
      const { body } = await recordOf(vehicle, context);
      const found = mismatchOf(expectation.vehicle, body);
      return lookedAt(found, judgedBy(found, 'vehicle', expectation.vehicle), ({ place }) =>
        recordLooked(body, place),
      );
    }
    case 'feature': {
      const { feature, is = 'ACTIVE', parameters } = expectation;
      const path =
        feature === 'box-settings'
          ? 'telematics-unit/box-settings'
          : `telematics-unit/feature-configuration/${feature}`;
      const { body } = await context.testbed.ask({
        method: 'GET',
        path: `/vehicles/${vehicle.vehicleId}/${path}`,
        as: 'owner',
      });
      const wanted = { status: is, ...(parameters === undefined ? {} : { parameters }) };
      const found = mismatchOf(wanted, body);
      return lookedAt(found, judgedBy(found, feature, wanted), () => ({
        of: 'feature',
        feature,
        ...changedAt(body),
      }));
    }
    case 'journal': {
      const { heldRecords: held } = context.testbed.snapshotOf(vehicle);
      const wanted = expectation.journal === 'empty' ? 0 : expectation.journal;
      const found = mismatchOf(wanted, held);
      return lookedAt(found, judgedBy(found, 'journal', wanted), () => ({ of: 'journal' }));
    }
    case 'connected': {
      const found = mismatchOf(expectation.connected, context.testbed.snapshotOf(vehicle).isConnected);
      const judged = judgedBy(found, 'connected', expectation.connected);
      return lookedAt(found, judged, () => ({ of: 'connected' }));
    }
    case 'truth': {
      const found = mismatchOf(expectation.truth, context.testbed.snapshotOf(vehicle).truth);
      return lookedAt(found, judgedBy(found, 'truth', expectation.truth), () => ({ of: 'truth' }));
    }
    case 'belief': {
      const found = mismatchOf(expectation.belief, context.testbed.snapshotOf(vehicle).belief);
      return lookedAt(found, judgedBy(found, 'belief', expectation.belief), () => ({ of: 'belief' }));
    }
    case 'phone':
      return judgedBy(mismatchOf(expectation.phone, context.outcomeOf(vehicle)), 'phone', expectation.phone);
    case 'message':
      return judgeMessages(expectation, vehicle, context);
    default:
      return expectation satisfies never;
  }
}

function judgeAnswer(
  expectation: Extract<Expectation, { readonly kind: 'answer' }>,
  answer: ApiAnswer | undefined,
): ExpectationResult {
  if (answer === undefined) return failed('no answer has come');
  const { status, problem, body } = expectation;
  const { type } = partsOf(answer.body);
  const wanted = {
    ...(status === undefined ? {} : { status: Array.isArray(status) ? { one_of: status } : status }),
    ...(problem === undefined ? {} : { problem }),
    ...(body === undefined ? {} : { body }),
  };
  const found = mismatchOf(wanted, { status: answer.status, problem: type, body: answer.body });
  const { detail } = partsOf(answer.body);
  const why = typeof detail === 'string' ? ` (${valueText(type)}: ${detail})` : '';
  const judged = judgedBy(found, 'answer', wanted);
  if (found === undefined) return judged;
  const text = hasCome(answer)
    ? `${judged.text}; status ${answer.status}${why}`
    : `no answer came: the service was away, or gave no token; expected answer${found.path} ${found.expected}`;
  return { ...failed(text), isFinal: true };
}

function judgeTook(
  { took }: Extract<Expectation, { readonly kind: 'took' }>,
  answer: ApiAnswer | undefined,
): ExpectationResult {
  if (answer === undefined) return failed('took: no answer has come');
  const { at_least: least = 0, at_most: most = Number.POSITIVE_INFINITY } = took;
  const isMet = answer.tookMs >= least && answer.tookMs <= most;
  const what = hasCome(answer) ? 'the answer' : 'the call, to which no answer came,';
  const text = `${what} took ${answer.tookMs} ms, expected ${least} to ${most} ms`;
  return { ...(isMet ? passed(text) : failed(text)), isFinal: true };
}

/** The status is 0 where there is none. */
function hasCome({ status }: ApiAnswer): boolean {
  return status !== 0;
}

function judgeMessages(
  expectation: Extract<Expectation, { readonly kind: 'message' }>,
  vehicle: SimulatedVehicle,
  context: ExpectationContext,
): ExpectationResult {
  const { message, with: wanted, count } = expectation;
  const spans = wanted?.occurred_during === undefined ? undefined : context.spansOf(wanted.occurred_during);
  const named = context.messages(vehicle).filter(({ name }) => name === message);
  // A repeat has the same id: it is the same message.
  const fitting = new Map(
    named
      .filter(({ body, queue, atMs }) => {
        if (wanted?.queue !== undefined && mismatchOf(wanted.queue, queue) !== undefined) return false;
        if (wanted?.fleet !== undefined && context.testbed.fleetOfQueue(queue, atMs) !== wanted.fleet)
          return false;
        const { data } = partsOf(body);
        if (spans !== undefined && !occurredIn(spans, data)) return false;
        if (wanted?.body !== undefined && mismatchOf(wanted.body, body) !== undefined) return false;
        const state = valuesOf(partsOf(data)['vehicle_state']);
        return wanted?.state === undefined || mismatchOf(wanted.state, state) === undefined;
      })
      .map((one) => [one.messageId, one]),
  ).size;
  const isMet = count === undefined ? fitting > 0 : fitting === count;
  // Absence is decided at the end; a message that came stays.
  const isNone = count !== 0 ? {} : isMet ? ({ isHeld: true } as const) : ({ isFinal: true } as const);
  const asked = wanted === undefined ? '' : ` with ${valueText(wanted)}`;
  const text = `${counted(fitting, 'message')} ${message}${asked}, expected ${count ?? 'one or more'}; ${named.length} of that name came`;
  return { ...(isMet ? passed(text) : failed(text)), ...isNone };
}

/** A state's own time is that of its properties; an event has one of its own. Both in whole seconds. */
function occurredIn(
  spans: readonly { readonly fromMs: number; readonly toMs: number }[],
  data: unknown,
): boolean {
  const { occurred_at: at, vehicle_state: state } = partsOf(data);
  const times = typeof at === 'string' ? [at] : timesOf(state);
  return times.some((time) => {
    const ms = Date.parse(time);
    return spans.some(({ fromMs, toMs }) => ms >= fromMs - 1_000 && ms <= toMs + 1_000);
  });
}

function timesOf(state: unknown): readonly string[] {
  return Object.values(partsOf(state)).flatMap((property) => {
    const { timestamp } = partsOf(property);
    return typeof timestamp === 'string' ? [timestamp] : [];
  });
}

/** `{ speed_in_kph: { value: 13, timestamp: ... } }` as `{ speed_in_kph: 13 }`. */
function valuesOf(state: unknown): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(partsOf(state)).map(([name, property]) => {
      const parts = partsOf(property);
      return [name, Object.hasOwn(parts, 'value') ? parts['value'] : withoutTime(property)];
    }),
  );
}

function withoutTime(property: unknown): unknown {
  if (typeof property !== 'object' || property === null) return property;
  const { timestamp: _time, ...rest } = partsOf(property);
  return rest;
}

function recordOf(vehicle: SimulatedVehicle, { testbed }: ExpectationContext): Promise<ApiAnswer> {
  return testbed.ask({ method: 'GET', path: `/vehicles/${vehicle.vehicleId}`, as: 'owner' });
}

function judgedBy(mismatch: Mismatch | undefined, root: string, wanted: unknown): ExpectationResult {
  return mismatch === undefined
    ? passed(`${root} is ${valueText(wanted)}`)
    : failed(mismatchText(mismatch, root));
}

function partsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}

function lookedAt(
  mismatch: Mismatch | undefined,
  result: ExpectationResult,
  what: (mismatch: Mismatch) => Omit<LookedAt, 'place'> & Partial<LookedAt>,
): ExpectationResult {
  if (mismatch === undefined) return result;
  return { ...result, looked: { place: mismatch.place, ...what(mismatch) } };
}
