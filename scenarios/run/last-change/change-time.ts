import { isDeepStrictEqual } from 'node:util';
import type { BoxMemory } from '../../../judge/evidence/box-history.ts';
import type { Fact } from '../../../judge/evidence/fact.ts';
import type { SimulatedVehicle } from '../../../judge/evidence/simulated-vehicle.ts';
import { TRUE_VALUES } from '../../../judge/rules/twin/true-values.ts';
import { knownModel } from '../../../protocol/models/known-models.ts';
import { valueAt } from '../../language/document/place.ts';
import type { DocumentPlace } from '../../language/vary/vary.ts';
import type { Testbed } from '../../testbed/port/testbed.ts';
import { isRefused } from './change-cause.ts';
import type { LookedAt } from './looked-at.ts';
import { type Change, changeBefore } from './truth-change.ts';

export interface ChangeContext {
  readonly testbed: {
    readonly evidence: Pick<Testbed['evidence'], 'truthsBetween' | 'boxHistory' | 'clockErrors'>;
  };
  readonly facts: readonly Fact[];
  /** Whether older facts are no longer kept. */
  readonly isCut: boolean;
  /** Epoch milliseconds: when the scenario began, and when the value was compared. */
  readonly startMs: number;
  readonly atMs: number;
}

/** The API reports whole seconds: a time may be so much later. */
const SECOND_MS = 999;
/** A box whose clock is wrong by more than that reports a time at which another value was true. */
const WRONG_CLOCK_MS = 2_000;

/** What is known of the last change of a value. */
export interface KnownChange {
  readonly change: Change;
  /** The uncertainty of its time, milliseconds. */
  readonly slackMs: number;
}

/** When the compared value last changed, by its kind; undefined: it is not recorded. */
export function changeOf(
  looked: LookedAt,
  vehicle: SimulatedVehicle,
  context: ChangeContext,
): KnownChange | undefined {
  const exact = (change: Change | undefined): KnownChange | undefined =>
    change === undefined ? undefined : { change, slackMs: 0 };
  switch (looked.of) {
    case 'truth':
      return exact(truthChange(looked.place, vehicle, context));
    case 'state':
      return exact(stateChange(looked, vehicle, context));
    case 'belief':
      return exact(beliefChange(looked, vehicle, context));
    case 'connected':
      return exact(factChange(context, (fact) => isReady(fact, vehicle)));
    case 'journal':
      return exact(factChange(context, (fact) => heldOf(fact, vehicle)));
    case 'life_status':
    case 'feature':
    case 'vehicle': {
      const { toldMs } = looked;
      if (toldMs === undefined) return exact(deactivation(looked, vehicle, context));
      const isBefore = toldMs + SECOND_MS <= context.startMs;
      const sinceMs = Math.max(toldMs, context.startMs);
      return { change: isBefore ? 'beginning' : { sinceMs }, slackMs: toldMs + SECOND_MS - sinceMs };
    }
    default:
      return looked.of satisfies never;
  }
}

function truthChange(
  place: DocumentPlace,
  vehicle: SimulatedVehicle,
  { testbed: { evidence }, startMs, atMs }: ChangeContext,
): Change | undefined {
  const now = evidence.truthsBetween(vehicle, atMs, atMs)?.at(-1);
  if (now === undefined) return undefined;
  const value = valueAt(now, place);
  return changeBefore(
    (fromMs, toMs) => evidence.truthsBetween(vehicle, fromMs, toMs),
    (truth) => isDeepStrictEqual(valueAt(truth, place), value),
    { fromMs: startMs, toMs: atMs },
  );
}

/** Since when the truth has fitted the value that the service reports, searched back from its measurement. */
function stateChange(
  { place: [name], value, toldMs }: LookedAt,
  vehicle: SimulatedVehicle,
  { testbed: { evidence }, startMs, atMs }: ChangeContext,
): Change | undefined {
  const row = TRUE_VALUES[String(name)];
  // The state of a maker's car comes from polls, and not to the second.
  if (row === undefined || toldMs === undefined || vehicle.boxId === undefined) return undefined;
  const clock = evidence.clockErrors(vehicle).findLast(({ fromMs }) => fromMs <= toldMs + SECOND_MS);
  if (clock !== undefined && !(Math.abs(clock.errorMs ?? Number.NaN) <= WRONG_CLOCK_MS)) return undefined;
  const precision = { model: knownModel(vehicle.model) };
  const isSame = (truth: Readonly<Record<string, unknown>>): boolean =>
    row.fits(value, [truth], precision, toldMs);
  const measured = evidence
    .truthsBetween(vehicle, toldMs, Math.min(toldMs + SECOND_MS, atMs))
    ?.findLast(isSame)?.['atMs'];
  if (typeof measured !== 'number') return undefined;
  if (measured <= startMs) return 'beginning';
  return changeBefore((fromMs, toMs) => evidence.truthsBetween(vehicle, fromMs, toMs), isSame, {
    fromMs: startMs,
    toMs: measured,
  });
}

/** The parts of the belief that the recorded memory of a box contains. */
const REMEMBERED: Readonly<Record<string, (memory: BoxMemory) => unknown>> = {
  power: ({ power }) => power,
  boot: ({ boot }) => boot,
  connection: ({ connection }) => connection,
  workshopMode: ({ isWorkshop }) => isWorkshop,
  configuration: ({ configuration: { revision, values } }) => ({ revision, ...values }),
};

/** The session and the journal are among the facts, the rest is in the history of the box, if recorded. */
function beliefChange(
  { place }: LookedAt,
  vehicle: SimulatedVehicle,
  context: ChangeContext,
): Change | undefined {
  const [name, ...within] = place;
  if (name === 'session') return factChange(context, (fact) => sessionOf(fact, vehicle));
  if (name === 'journal' && within[0] === 'held') return factChange(context, (fact) => heldOf(fact, vehicle));
  const remembered = REMEMBERED[String(name)];
  const { memories, isWhole } = context.testbed.evidence.boxHistory(vehicle);
  if (remembered === undefined) return undefined;
  const values = memories.map((memory) => ({
    atMs: memory.atMs,
    value: valueAt(remembered(memory), within),
  }));
  return lastOf(values, context, !isWhole);
}

/** The API has no time for a feature that is off: it has been so since it was switched off. */
function deactivation(
  { feature }: LookedAt,
  { number }: SimulatedVehicle,
  { facts }: ChangeContext,
): Change | undefined {
  const call = facts.findLast(
    (fact) =>
      fact.kind === 'call' &&
      fact.vehicle === number &&
      feature !== undefined &&
      fact.what === `deactivate ${feature}` &&
      !isRefused(facts, fact.call),
  );
  return call === undefined ? undefined : { sinceMs: call.atMs };
}

function factChange(context: ChangeContext, read: (fact: Fact) => unknown): Change | undefined {
  const values = context.facts
    .map((fact) => ({ atMs: fact.atMs, value: read(fact) }))
    .filter(({ value }) => value !== undefined);
  return lastOf(values, context, context.isCut);
}

/** For values in the order of time, each valid until the next. `isCut`: there were earlier ones. */
function lastOf(
  values: readonly { readonly atMs: number; readonly value: unknown }[],
  { startMs, atMs }: ChangeContext,
  isCut: boolean,
): Change | undefined {
  const known = values.filter((one) => one.atMs <= atMs);
  const value = known.at(-1)?.value;
  const other = known.findLastIndex((one) => !isDeepStrictEqual(one.value, value));
  const first = known[other + 1];
  if (first === undefined) return undefined;
  if (other < 0 && isCut) return { beforeMs: first.atMs };
  return other < 0 || first.atMs <= startMs ? 'beginning' : { sinceMs: first.atMs };
}

function sessionOf(fact: Fact, { number }: SimulatedVehicle): string | undefined {
  return fact.kind === 'connectivity' && fact.vehicle === number ? fact.state : undefined;
}

function isReady(fact: Fact, vehicle: SimulatedVehicle): boolean | undefined {
  const session = sessionOf(fact, vehicle);
  return session === undefined ? undefined : session === 'ready';
}

function heldOf(fact: Fact, { number }: SimulatedVehicle): number | undefined {
  return fact.kind === 'journal' && fact.vehicle === number ? fact.held : undefined;
}
