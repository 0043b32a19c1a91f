import type { JournalEviction } from '../../evidence/box-history.ts';
import type { Evidence } from '../../evidence/evidence.ts';
import type { SimulatedVehicle } from '../../evidence/simulated-vehicle.ts';
import type { SequenceRange } from '../../ledger/facts.ts';
import { ALL_FRAME_KINDS } from '../../recordings.ts';
import type { RunTimes } from '../answers/run-times.ts';
import { type Findings, nameOf } from '../findings.ts';
import { limits } from '../limits.ts';

interface Eviction {
  readonly atMs: number;
  readonly sequence: number;
  readonly first: number;
  readonly what: string;
}

/**
 * A full journal, and no other, gives up its oldest report, and events, accesses and replies only when it has no report
 * left, the oldest first; so each record finds room (docs/wire.md, A connection). Judged by the journal's content
 * before and after each step in which it gave up records, and by records sent later.
 */
export async function judgeEvictions(
  vehicle: SimulatedVehicle,
  evidence: Pick<Evidence, 'frames' | 'boxHistory'>,
  times: RunTimes,
  findings: Findings,
): Promise<void> {
  for (const eviction of evidence.boxHistory(vehicle).evictions) {
    judgeRoom(vehicle, eviction, times, findings);
    judgeStep(vehicle, eviction, findings);
  }
  await judgeTombstones(vehicle, evidence, findings);
}

/** Each record fits, and none is given up while there is room: other data counts too if the flash is full. */
function judgeRoom(
  vehicle: SimulatedVehicle,
  { atMs, refused, room, held, reports, others }: JournalEviction,
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

function judgeStep(vehicle: SimulatedVehicle, one: JournalEviction, findings: Findings): void {
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
 * If a tombstone names an event, the box held no report older than all that the tombstone names: a report that is sent
 * afterwards, without an earlier receipt, was held all the time.
 */
async function judgeTombstones(
  vehicle: SimulatedVehicle,
  evidence: Pick<Evidence, 'frames'>,
  findings: Findings,
): Promise<void> {
  const evictions = new Map<number, Eviction[]>();
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
        evictions.set(epoch, [...(evictions.get(epoch) ?? []), { atMs, sequence, first, what }]);
      } else if (message.kind === 'report') {
        const isKnown = (receipted.get(epoch) ?? []).some(([from, to]) => from <= sequence && sequence <= to);
        if (isKnown) continue;
        for (const one of evictions.get(epoch) ?? []) {
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
