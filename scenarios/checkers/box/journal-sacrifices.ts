import type { SequenceRange } from '../../ledger/facts.ts';
import type { JournalSacrifice } from '../../testbed/port/box-history.ts';
import type { Evidence } from '../../testbed/port/evidence.ts';
import { ALL_FRAME_KINDS } from '../../testbed/port/recordings.ts';
import type { SimulatedVehicle } from '../../testbed/port/simulated-vehicle.ts';
import type { RunTimes } from '../answers/run-times.ts';
import { type Findings, nameOf } from '../findings.ts';
import { limits } from '../limits.ts';

interface Sacrifice {
  readonly atMs: number;
  readonly sequence: number;
  readonly first: number;
  readonly what: string;
}

/**
 * A full journal, and no other, gives up its oldest report, and events, accesses and replies only when it has no report left,
 * the oldest first; so each record finds room (docs/wire.md, A connection). Judged by what the journal held before and after each step in which it gave
 * something up, and by what is sent later.
 */
export async function judgeSacrifices(
  vehicle: SimulatedVehicle,
  evidence: Pick<Evidence, 'frames' | 'boxHistory'>,
  times: RunTimes,
  findings: Findings,
): Promise<void> {
  for (const sacrifice of evidence.boxHistory(vehicle).sacrifices) {
    judgeRoom(vehicle, sacrifice, times, findings);
    judgeStep(vehicle, sacrifice, findings);
  }
  await judgeTombstones(vehicle, evidence, findings);
}

/** Each record finds room, and none is given up before all is taken: by other things as well where the flash is full. */
function judgeRoom(
  vehicle: SimulatedVehicle,
  { atMs, refused, room, held, reports, others }: JournalSacrifice,
  times: RunTimes,
  findings: Findings,
): void {
  const about = { vehicle, atMs };
  const name = nameOf(vehicle);
  if (refused > 0) {
    const text = `${name}: ${refused} of them, and the oldest was not given up for it`;
    findings.add('a record that found no room', text, about);
  }
  if (reports + others === 0 || held >= room) return;
  if (times.isUnder('box flash-full', vehicle, { fromMs: atMs - limits.calmMs, toMs: atMs })) return;
  const text = `${name}: ${reports + others} of its records, and it held ${held} of ${room}`;
  findings.add('given up though there was room', text, about);
}

function judgeStep(vehicle: SimulatedVehicle, one: JournalSacrifice, findings: Findings): void {
  const { atMs, reports, others, oldestReport, oldestOther, heldReport, heldOther } = one;
  const about = { vehicle, atMs };
  const name = nameOf(vehicle);
  if (others > 0 && heldReport !== undefined)
    findings.add(
      'an event given up before a report',
      `${name}: ${others} of them, and report ${heldReport} was still held`,
      about,
    );
  const kept =
    reports > 0 && oldestReport !== undefined && oldestReport === heldReport
      ? `report ${heldReport}`
      : others > 0 && oldestOther !== undefined && oldestOther === heldOther
        ? `event or reply ${heldOther}`
        : undefined;
  if (kept !== undefined)
    findings.add('a younger record given up before the oldest', `${name}: ${kept} was kept`, about);
}

/**
 * Where a tombstone names an event, the box held no report that is older than all that the tombstone names: one that is
 * sent afterwards, and that no receipt had named before, was held all the time.
 */
async function judgeTombstones(
  vehicle: SimulatedVehicle,
  evidence: Pick<Evidence, 'frames'>,
  findings: Findings,
): Promise<void> {
  const sacrifices = new Map<number, Sacrifice[]>();
  const receipted = new Map<number, SequenceRange[]>();
  const told = new Set<string>();
  for await (const page of evidence.frames(vehicle, ALL_FRAME_KINDS)) {
    for (const { atMs, direction, epoch, sequence, message } of page) {
      if (direction === 'down' && message.kind === 'receipt') {
        const ranges: readonly SequenceRange[] = [[1, message.contiguous], ...message.ranges];
        receipted.set(epoch, [...(receipted.get(epoch) ?? []).slice(-64), ...ranges]);
      } else if (direction !== 'up') continue;
      else if (message.kind === 'tombstone') {
        const { reason, first, events, replies } = message;
        if (reason !== 'overwritten' || events + replies === 0) continue;
        const what = `${events} events and ${replies} replies from ${first} on`;
        sacrifices.set(epoch, [...(sacrifices.get(epoch) ?? []), { atMs, sequence, first, what }]);
      } else if (message.kind === 'report') {
        const isKnown = (receipted.get(epoch) ?? []).some(([from, to]) => from <= sequence && sequence <= to);
        if (isKnown) continue;
        for (const one of sacrifices.get(epoch) ?? []) {
          const key = `${epoch}/${one.sequence}`;
          if (sequence >= one.first || told.has(key)) continue;
          told.add(key);
          findings.add(
            'an event given up before a report',
            `${nameOf(vehicle)}: tombstone ${key} names ${one.what}, and report ${sequence} was still held`,
            { vehicle, atMs: one.atMs },
          );
        }
      }
    }
  }
}
