import { isDeepStrictEqual } from 'node:util';
import type { AnsweredCall } from '../../evidence/evidence.ts';
import type { SimulatedVehicle } from '../../evidence/simulated-vehicle.ts';
import { counted, valueText } from '../../wording.ts';
import type { Checker, CheckScope } from '../check.ts';
import { Findings, nameOf, nothingCompared } from '../findings.ts';
import { limits } from '../limits.ts';
import { type FoldSettings, foldFrames } from './fold-frames.ts';

/**
 * Compares a vehicle's latest state in the API with an independent fold of the frames on the wire (fold-frames.ts):
 * every property, its value, and its time to the second. The store is used only for which records count and when they
 * arrived. A maker's car has no frames and is not compared.
 */
export const twinIsFold: Checker = async (scope) => {
  const findings = new Findings();
  let vehicles = 0;
  let properties = 0;
  let records = 0;
  if (scope.evidence.unrecorded().frames > 0)
    return nothingCompared('the recording of frames was full, and a fold of a part proves nothing');
  const onboarded = new Map<string, number>();
  const calls = await scope.evidence.calls();
  for (const { method, path, status, body, askedMs } of calls)
    if (method === 'POST' && path === '/vehicles' && status === 201) onboarded.set(idIn(body), askedMs);
  for (const vehicle of scope.vehicles) {
    if (vehicle.boxId === undefined || vehicle.vehicleId === '') continue;
    vehicles += 1;
    const compared = await compare(scope, vehicle, {
      onboardedMs: onboarded.get(vehicle.vehicleId),
      changes: bookingsOf(vehicle, calls),
    });
    properties += compared.properties;
    records += compared.records;
    for (const text of compared.differences)
      findings.add('the twin is not the fold', `${nameOf(vehicle)}: ${text}`, { vehicle });
  }
  return findings.result(
    [
      [vehicles, 'vehicle'],
      [properties, 'property', 'properties'],
    ],
    ` of ${counted(records, 'record')}`,
  );
};

interface Compared {
  readonly differences: readonly string[];
  readonly properties: number;
  readonly records: number;
}

/** A driving vehicle keeps reporting: a difference is read again before it counts. */
async function compare(
  { evidence }: CheckScope,
  vehicle: SimulatedVehicle,
  {
    onboardedMs,
    changes,
  }: { readonly onboardedMs: number | undefined; readonly changes: readonly Booking[] },
): Promise<Compared> {
  for (let look = 1; ; look += 1) {
    const answered = await evidence.twin(vehicle);
    const twin = stateOf(answered['latest_vehicle_state']);
    const { state, records } = await foldFrames(evidence, vehicle, {
      ...settingsOf(answered, changes),
      onboardedMs,
    });
    const differences: string[] = [];
    for (const name of new Set([...state.keys(), ...twin.keys()])) {
      const folded = state.get(name);
      if (folded?.isOpen) continue;
      const answer = twin.get(name);
      if (folded === undefined) {
        // Properties neither in the fold nor in records that are still stored cannot be judged.
        const { records: ever } = await evidence.everStored(vehicle);
        if (ever <= records)
          differences.push(`${name} is ${valueText(answer)}, and no stored frame tells it`);
      } else if (folded.value === null) {
        // The record reported that there is none any more.
        if (answer !== undefined)
          differences.push(
            `${name} is ${valueText(answer)}, and record ${folded.key} tells that it has ended`,
          );
      } else if (answer === undefined) {
        differences.push(
          `${name} is absent, and record ${folded.key} tells ${valueText(asJson(folded.value))}`,
        );
      } else if (!isDeepStrictEqual(asJson(folded.value), answer.value)) {
        differences.push(
          `${name} is ${valueText(answer.value)}, and record ${folded.key} tells ${valueText(asJson(folded.value))}`,
        );
      } else if (Math.floor(folded.timestampMs / 1_000) * 1_000 !== Date.parse(answer.timestamp)) {
        const told = new Date(folded.timestampMs).toISOString();
        differences.push(`${name} is of ${answer.timestamp}, and record ${folded.key} tells it of ${told}`);
      }
    }
    if (differences.length === 0 || look >= limits.looks)
      return { differences, properties: state.size, records };
  }
}

function settingsOf(
  answered: Readonly<Record<string, unknown>>,
  changes: readonly Booking[],
): Pick<FoldSettings, 'isBookedAt' | 'isSetUp'> {
  const isBookedNow = answered['maintenance_booked'] === true;
  return {
    // What is no longer booked is not returned, even if it was stored before.
    isBookedAt: (atMs) => isBookedNow && (changes.length === 0 || bookedAt(changes, atMs)),
    isSetUp: answered['setup_status'] === 'SUCCEEDED',
  };
}

/** A PATCH that books the maintenance set, or ends that. */
interface Booking {
  readonly fromMs: number;
  readonly toMs: number;
  /** Absent: its effect is unknown. */
  readonly isBooked?: boolean;
}

function bookingsOf({ vehicleId }: SimulatedVehicle, calls: readonly AnsweredCall[]): readonly Booking[] {
  return calls.flatMap(({ method, path, status, sent, askedMs, answeredMs }) => {
    const wanted = ((sent ?? {}) as { readonly maintenance_booked?: unknown }).maintenance_booked;
    if (method !== 'PATCH' || path !== `/vehicles/${vehicleId}` || typeof wanted !== 'boolean') return [];
    // A record that was received before may be translated after, with the others of its batch.
    const span = { fromMs: askedMs - limits.bookedMs, toMs: answeredMs + limits.bookedMs };
    if (status >= 400 && status < 500) return [];
    return [status === 200 ? { ...span, isBooked: wanted } : { ...span, toMs: Number.POSITIVE_INFINITY }];
  });
}

/** Whether it was booked then; undefined: unknown, as before the first change. */
function bookedAt(changes: readonly Booking[], atMs: number): boolean | undefined {
  if (changes.some(({ fromMs, toMs }) => fromMs <= atMs && atMs <= toMs)) return undefined;
  return changes.findLast(({ toMs }) => toMs < atMs)?.isBooked;
}

interface ApiProperty {
  readonly timestamp: string;
  readonly value: unknown;
}

function stateOf(state: unknown): ReadonlyMap<string, ApiProperty> {
  if (typeof state !== 'object' || state === null) return new Map();
  return new Map(Object.entries(state as Readonly<Record<string, ApiProperty>>));
}

/** As JSON has it. */
function asJson(value: unknown): unknown {
  return value === undefined ? undefined : (JSON.parse(JSON.stringify(value)) as unknown);
}

/** The id in the body of an answer. */
function idIn(body: unknown): string {
  return String((body as { readonly id?: unknown } | null | undefined)?.id ?? '');
}
