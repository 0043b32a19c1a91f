import type { EventName } from '../../../protocol/message.ts';
import type { BoxHistory } from '../../evidence/box-history.ts';
import type { ClockError, Evidence, RecordedFrame } from '../../evidence/evidence.ts';
import type { SimulatedVehicle } from '../../evidence/simulated-vehicle.ts';
import { ALL_FRAME_KINDS } from '../../recordings.ts';
import { RunTimes } from '../answers/run-times.ts';
import type { Checker, CheckScope } from '../check.ts';
import { Findings, nameOf } from '../findings.ts';
import { limits } from '../limits.ts';
import { mostErrorMs, ranThroughout } from './box-moments.ts';
import { judgeEventValues } from './event-values.ts';
import { type ExpectedEvent, expectedEvents } from './expected-events.ts';
import { SentRecords } from './lost-events.ts';

/** An event of a feature, with the true time at which it began by the box's clock and that clock's recorded error. */
export interface ReportedEvent {
  readonly event: EventName;
  readonly key: string;
  readonly atMs: number;
  readonly beganMs: number;
  /** The tolerance of its beginning. */
  readonly slackMs: number;
  /** Of a crash: how long it was recorded. */
  readonly gatheredMs: number;
}

/**
 * Compares the acts on vehicles with the events that their boxes reported: an act that was strong and long enough while
 * the feature was in force produces exactly one event, which begins at that time, even if a reset interrupted its
 * recording, and has the measured values (event-values.ts; docs/messages.md).
 */
export const eventsAreTold: Checker = async (scope) => {
  const findings = new Findings();
  const times = new RunTimes(scope);
  let seen = 0;
  for (const vehicle of scope.vehicles) {
    if (vehicle.boxId === undefined) continue;
    const { told, sent } = await reportedEvents(vehicle, scope.evidence, findings);
    seen += told.length;
    judgeDoubled(vehicle, told, scope.evidence.boxHistory(vehicle), findings);
    const nowMs = scope.testbed.time.nowMs();
    const expected = expectedEvents(vehicle, scope.evidence, times).filter(
      (one) => one.dueMs < nowMs && !isWriteLost(vehicle, one, scope.evidence.boxHistory(vehicle), times),
    );
    if (expected.length === 0 || (await mayAnyBeLost(vehicle, scope, sent))) continue;
    const hasLost = (await scope.evidence.everStored(vehicle)).lost > 0;
    const errorMs = hasLost ? mostErrorMs(scope.evidence.clockErrors(vehicle), 0, nowMs) : 0;
    for (const one of expected)
      if (!hasLost || !sent.mayHaveGivenUp(one, errorMs)) judgeExpected(vehicle, one, told, findings);
  }
  return findings.result([[seen, 'event']]);
};

/** Whether the power of the box failed during the write of the record: its fault was active, and the box was reset. */
function isWriteLost(
  vehicle: SimulatedVehicle,
  { atMs, dueMs }: ExpectedEvent,
  { memories }: BoxHistory,
  times: RunTimes,
): boolean {
  const span = { fromMs: atMs, toMs: dueMs };
  const isFaulty = LOSES_WRITES.some((name) => times.isUnder(name, vehicle, span));
  return isFaulty && !ranThroughout(memories, atMs, dueMs);
}

const LOSES_WRITES = ['box lost-write', 'box torn-write'];

/** The events of features, and all records that were sent. */
async function reportedEvents(
  vehicle: SimulatedVehicle,
  evidence: Evidence,
  findings: Findings,
): Promise<{ readonly told: readonly ReportedEvent[]; readonly sent: SentRecords }> {
  const told = new Map<string, ReportedEvent>();
  const sent = new SentRecords();
  const clocks = evidence.clockErrors(vehicle);
  for await (const page of evidence.frames(vehicle, ALL_FRAME_KINDS)) {
    for (const frame of page) {
      sent.add(frame);
      const one = reportedEvent(frame, clocks);
      if (one === undefined || told.has(one.key)) continue;
      told.set(one.key, one);
      judgeEventValues(vehicle, frame, evidence, findings);
    }
  }
  return { told: [...told.values()], sent };
}

function reportedEvent(
  { direction, epoch, sequence, clockMs, atMs, message }: RecordedFrame,
  clocks: readonly ClockError[],
): ReportedEvent | undefined {
  if (direction !== 'up' || message.kind !== 'event' || message.measured === undefined) return undefined;
  const { agoMs, crash } = message.measured;
  const isDated = clockMs > 0;
  return {
    event: message.event,
    key: `${epoch}/${sequence}`,
    atMs,
    beganMs: clockMs - agoMs,
    slackMs: isDated ? limits.eventSlackMs + mostErrorMs(clocks, 0, atMs) : Number.POSITIVE_INFINITY,
    gatheredMs: crash?.gatheredMs ?? 0,
  };
}

/**
 * Whether any record of the box can be lost or not sent yet: a wiped flash, a box that is away. Records that a full
 * journal gave up have a tombstone (lost-events.ts).
 */
async function mayAnyBeLost(
  vehicle: SimulatedVehicle,
  { evidence, facts }: CheckScope,
  sent: SentRecords,
): Promise<boolean> {
  if (evidence.unrecorded().frames > 0 || !evidence.boxHistory(vehicle).isWhole) return true;
  // Sent records count, as do receipted ones that its flash still has.
  const journal = await evidence.journal(vehicle);
  if (journal?.held.some(({ sequence }) => !sent.has(journal.epoch, sequence)) === true) return true;
  return facts.some(
    (fact) => fact.kind === 'fault' && LOSES_RECORDS.has(fact.name) && fact.vehicles.includes(vehicle.number),
  );
}

const LOSES_RECORDS: ReadonlySet<string> = new Set(['box wipe', 'box flash-full']);

function judgeExpected(
  vehicle: SimulatedVehicle,
  { event, atMs, what }: ExpectedEvent,
  told: readonly ReportedEvent[],
  findings: Findings,
): void {
  const found = told.some(
    (one) =>
      one.event === event &&
      one.beganMs - one.slackMs <= atMs &&
      atMs <= one.beganMs + one.gatheredMs + one.slackMs,
  );
  if (!found)
    findings.add('not told', `${what} of ${nameOf(vehicle)} led to no event ${event}`, { vehicle, atMs });
}

/** Each crash or smoke has one event. Further blows while a crash is recorded belong to it. */
function judgeDoubled(
  vehicle: SimulatedVehicle,
  told: readonly ReportedEvent[],
  { acts }: BoxHistory,
  findings: Findings,
): void {
  for (const [index, one] of told.entries()) {
    const before = told
      .slice(0, index)
      .find(
        (other) =>
          other.event === one.event &&
          other.slackMs <= limits.eventSlackMs * 2 &&
          Math.abs(other.beganMs - one.beganMs) <= limits.sameEventMs,
      );
    if (before === undefined) continue;
    // Two blows at once are two.
    const blows = acts.filter(
      ({ name, atMs, refusal }) =>
        refusal === undefined && BLOWS.has(name) && Math.abs(atMs - one.beganMs) <= one.slackMs,
    );
    if (blows.length > 1) continue;
    findings.add(
      'told twice',
      `${one.event} of ${nameOf(vehicle)} is in records ${before.key} and ${one.key}`,
      { vehicle, atMs: one.atMs },
    );
  }
}

const BLOWS: ReadonlySet<string> = new Set(['crash', 'shock', 'bump', 'smoke']);
