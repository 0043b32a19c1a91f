import { isDeepStrictEqual } from 'node:util';
import { SETTINGS } from '../../../protocol/settings.ts';
import type { BoxHistory, BoxMemory } from '../../evidence/box-history.ts';
import type { Evidence, RecordedFrame } from '../../evidence/evidence.ts';
import type { SimulatedVehicle } from '../../evidence/simulated-vehicle.ts';
import { ALL_FRAME_KINDS } from '../../recordings.ts';
import { RunTimes } from '../answers/run-times.ts';
import type { Checker, CheckScope } from '../check.ts';
import { Findings, nameOf } from '../findings.ts';
import { limits } from '../limits.ts';
import { errorsBetween } from './box-moments.ts';
import { judgeEvictions } from './journal-evictions.ts';

/**
 * Compares the memory of a box after each reset with its memory before, and its sequences and connections with earlier
 * ones: only a wipe loses data, nothing is counted twice, and a setup removes all data of the previous vehicle
 * (docs/wire.md, A connection).
 */
export const boxRemembers: Checker = async ({ evidence, vehicles, facts }) => {
  const findings = new Findings();
  const times = new RunTimes({ facts });
  let changes = 0;
  let resets = 0;
  for (const vehicle of vehicles) {
    if (vehicle.boxId === undefined) continue;
    const history = evidence.boxHistory(vehicle);
    const wipes = wipesOf(facts, vehicle);
    for (const [index, after] of history.memories.entries()) {
      const before = history.memories[index - 1];
      if (before === undefined) continue;
      changes += 1;
      if (after.boot !== before.boot) resets += 1;
      judgeChange({ vehicle, before, after, wipes, evidence }, findings);
    }
    judgeConnections(vehicle, history, findings);
    await judgeSequences(vehicle, evidence, findings);
    await judgeEvictions(vehicle, evidence, times, findings);
  }
  return findings.result([
    [changes, 'change'],
    [resets, 'reset'],
  ]);
};

function wipesOf(facts: CheckScope['facts'], { number }: SimulatedVehicle): readonly number[] {
  return facts.flatMap((fact) =>
    fact.kind === 'fault' && fact.name === 'box wipe' && fact.vehicles.includes(number) ? [fact.atMs] : [],
  );
}

interface Change {
  readonly vehicle: SimulatedVehicle;
  readonly before: BoxMemory;
  readonly after: BoxMemory;
  readonly wipes: readonly number[];
  readonly evidence: Pick<Evidence, 'clockErrors'>;
}

function judgeChange({ vehicle, before, after, wipes, evidence }: Change, findings: Findings): void {
  const { atMs } = after;
  const about = { vehicle, atMs };
  if (before.power === 'off' && before.boot === 0) return;
  if (after.epoch !== before.epoch) {
    if (!wipes.some((wipeMs) => wipeMs <= atMs))
      findings.add('a new epoch without a wipe', nameOf(vehicle), about);
    return;
  }
  if (after.isSettingUp !== before.isSettingUp) judgeSetup(vehicle, before, after, findings);
  if (after.boot === before.boot) return;
  for (const [what, was, is] of [
    ['its workshop mode', before.isWorkshop, after.isWorkshop],
    ['its configuration', before.configuration, after.configuration],
    ['the calibration of its damage detection', before.calibrated, after.calibrated],
    ['its Bluetooth tokens', before.tokens, after.tokens],
    ['its connection counter', before.connection, after.connection],
    ['that it knows the time', before.knowsTime, after.knowsTime],
  ] as const)
    if (!isDeepStrictEqual(was, is))
      findings.add(
        'forgotten by a reset',
        `${nameOf(vehicle)}: ${what} was ${shortly(was)} and is ${shortly(is)}`,
        about,
      );
  judgeClock(vehicle, before, after, evidence, findings);
}

/** A successful setup returns every setting to its standard. A failed one changes none. */
function judgeSetup(
  vehicle: SimulatedVehicle,
  before: BoxMemory,
  after: BoxMemory,
  findings: Findings,
): void {
  if (!before.isSettingUp || after.boot !== before.boot) return;
  if (after.configuration === before.configuration) return;
  const left = SETTINGS.find(({ name, standard }) => after.configuration.values[name] !== standard);
  if (left !== undefined && after.configuration.revision === before.configuration.revision)
    findings.add(
      'kept from the last vehicle',
      `${nameOf(vehicle)} has ${left.name} ${String(after.configuration.values[left.name])} after its setup`,
      { vehicle, atMs: after.atMs },
    );
}

/** The clock continues over a reset, apart from time corrections and causes of jumps. */
function judgeClock(
  vehicle: SimulatedVehicle,
  before: BoxMemory,
  after: BoxMemory,
  { clockErrors }: Pick<Evidence, 'clockErrors'>,
  findings: Findings,
): void {
  if (!before.knowsTime || !after.knowsTime) return;
  const clocks = clockErrors(vehicle);
  const [was] = errorsBetween(clocks, after.atMs - 1, after.atMs - 1).slice(-1);
  const [is] = errorsBetween(clocks, after.atMs, after.atMs).slice(-1);
  if (was === undefined || is === undefined || Math.abs(is - was) <= limits.keptClockMs) return;
  findings.add(
    'another time after a reset',
    `${nameOf(vehicle)}: its clock was ${was} ms off, and is ${is} ms off`,
    { vehicle, atMs: after.atMs },
  );
}

/** The connection counter rises with each connection of an epoch. */
function judgeConnections(
  vehicle: SimulatedVehicle,
  { connects, memories }: BoxHistory,
  findings: Findings,
): void {
  const highest = new Map<number, number>();
  for (const { atMs, connection } of connects) {
    const epoch = memories.findLast((one) => one.atMs <= atMs)?.epoch ?? 0;
    const before = highest.get(epoch) ?? 0;
    if (connection <= before)
      findings.add(
        'a connection counted twice',
        `${nameOf(vehicle)}: connection ${connection} after ${before} in epoch ${epoch}`,
        { vehicle, atMs },
      );
    highest.set(epoch, Math.max(before, connection));
  }
}

/** A sequence always identifies the same record. */
async function judgeSequences(
  vehicle: SimulatedVehicle,
  evidence: Pick<Evidence, 'frames'>,
  findings: Findings,
): Promise<void> {
  const known = new Map<string, string>();
  for await (const page of evidence.frames(vehicle, ALL_FRAME_KINDS)) {
    for (const frame of page) {
      if (frame.direction !== 'up' || frame.sequence === 0) continue;
      const key = `${frame.epoch}/${frame.sequence}`;
      const what = recordText(frame);
      const before = known.get(key);
      if (before === undefined) known.set(key, what);
      else if (before !== what)
        findings.add(
          'a sequence given twice',
          `${vehicle.boxId ?? ''}/${key} of ${nameOf(vehicle)}: ${before}, and then ${what}`,
          { vehicle, atMs: frame.atMs },
        );
    }
  }
}

/** What identifies a record, whatever layout it was sent in. */
function recordText({ clockMs, message }: RecordedFrame): string {
  const { kind } = message;
  const what =
    message.kind === 'event'
      ? message.event
      : message.kind === 'reply'
        ? message.requestId
        : message.kind === 'report'
          ? message.cause
          : '';
  return `${kind} ${what} of ${clockMs}`;
}

function shortly(value: unknown): string {
  const text = JSON.stringify(value) ?? 'nothing';
  return text.length > 80 ? `${text.slice(0, 80)}...` : text;
}
