import { wireLimits } from '../../protocol/limits.ts';
import type { Pages, RecordedFrame } from '../evidence/evidence.ts';
import type { SimulatedVehicle } from '../evidence/simulated-vehicle.ts';
import type { SequenceRange } from '../ledger/facts.ts';
import { split } from '../ledger/ranges.ts';
import { type Findings, nameOf } from './findings.ts';

/**
 * A tombstone that is stored settles all that it names (docs/wire.md, A connection): nothing else will come for these
 * sequences. So a receipt that names the tombstone names its whole range too, unless there was no room for all ranges.
 * A missing part would be an unexplained loss at the next hello.
 */
export async function judgeTombstones(
  vehicle: SimulatedVehicle,
  frames: Pages<RecordedFrame>,
  findings: Findings,
): Promise<void> {
  const covers = new Map<number, Map<number, SequenceRange>>();
  const told = new Set<string>();
  for await (const page of frames) {
    for (const { atMs, direction, epoch, sequence, message } of page) {
      if (direction === 'up' && message.kind === 'tombstone') {
        const ofEpoch = covers.get(epoch) ?? new Map<number, SequenceRange>();
        covers.set(epoch, ofEpoch.set(sequence, [message.first, message.last]));
      } else if (direction === 'down' && message.kind === 'receipt') {
        const { contiguous, ranges } = message;
        if (ranges.length >= wireLimits.receiptRanges) continue;
        const named: readonly SequenceRange[] = contiguous === 0 ? ranges : [[1, contiguous], ...ranges];
        const known = [...(covers.get(epoch) ?? [])];
        for (const [own, range] of known) {
          const key = `${vehicle.boxId ?? ''}/${epoch}/${own}`;
          const isNamed = (one: number) => named.some(([first, last]) => first <= one && one <= last);
          if (told.has(key) || !isNamed(own)) continue;
          const [missing] = split([range], named).outside;
          if (missing === undefined) continue;
          // One that another replaces is named with that one, and need not be stored itself.
          const isStoodFor = known.some(
            ([other, [first, last]]) => other !== own && first <= own && own <= last && isNamed(other),
          );
          if (isStoodFor) continue;
          told.add(key);
          findings.add(
            'a tombstone that settles too little',
            `tombstone ${key} of ${nameOf(vehicle)} names ${range.join(' to ')}, and its receipt leaves ${missing.join(' to ')} open`,
            { vehicle, atMs },
          );
        }
      }
    }
  }
}
