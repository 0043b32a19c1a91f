import { partitionOf } from '../../protocol/partitions.ts';
import type { PartitionEvent } from '../evidence/partition-history.ts';
import type { SimulatedVehicle } from '../evidence/simulated-vehicle.ts';
import type { Checker, CheckScope } from './check.ts';
import { Findings, nameOf } from './findings.ts';
import { limits } from './limits.ts';
import { Repeats } from './repeats.ts';

/** The progress of a queue with one vehicle. */
interface QueueProgress {
  /** The last message that came for the first time. */
  last: string;
  storedMs: number;
  record: string;
  readonly repeats: Repeats;
}

/**
 * Compares the queues with the store: in each queue the messages of a vehicle are in the order in which its records
 * were stored, and within one storing time in that of their ids; repeats are only at allowed places (repeats.ts).
 */
export const orderPerBox: Checker = async (scope) => {
  const findings = new Findings();
  const { records, isWhole } = await storedTimes(scope);
  // Its first start is at the start of the run.
  const [, ...restartsMs] = scope.facts.flatMap((fact) =>
    fact.kind === 'service' && fact.state === 'up' ? [fact.atMs] : [],
  );
  const taken = takenByPartition(scope.evidence.partitions()?.events ?? []);
  // The new holder of a partition acts like a restarted service: it begins with messages that are not marked as sent.
  const movesOf = ({ boxId, vehicleId }: SimulatedVehicle): readonly number[] =>
    taken.get(partitionOf(boxId ?? vehicleId))?.slice(1) ?? [];
  const vehiclesById = new Map(scope.vehicles.map((vehicle) => [vehicle.vehicleId, vehicle]));
  let count = 0;
  for (const { name: queue } of await scope.evidence.queues()) {
    const progressByVehicle = new Map<string, QueueProgress>();
    for await (const page of scope.evidence.messages(queue)) {
      for (const { messageId, vehicleId, name, atMs } of page) {
        const vehicle = vehiclesById.get(vehicleId);
        if (vehicle === undefined || vehicleId === '') continue;
        count += 1;
        const about = { vehicle, atMs };
        const progress =
          progressByVehicle.get(vehicleId) ?? newProgress([...restartsMs, ...movesOf(vehicle)]);
        progressByVehicle.set(vehicleId, progress);
        if (progress.repeats.has(messageId)) {
          if (!progress.repeats.isAllowedRepeat(messageId, atMs))
            findings.add(
              'repeated out of order',
              `message ${messageId} (${name}) of ${nameOf(vehicle)} came to ${queue} once more behind the later message ${progress.last}`,
              about,
            );
          continue;
        }
        if (progress.repeats.size < limits.messages) progress.repeats.addFirst(messageId);
        const stored = records.get(messageId);
        if (stored !== undefined && stored.storedMs < progress.storedMs)
          findings.add(
            'out of order',
            `message ${messageId} of record ${stored.key} of ${nameOf(vehicle)}, stored first, is in ${queue} behind message ${progress.last} of record ${progress.record}`,
            about,
          );
        else if (messageId < progress.last)
          findings.add(
            'out of order',
            `message ${messageId} (${name}) of ${nameOf(vehicle)} was made before message ${progress.last}, and is in ${queue} behind it`,
            about,
          );
        progress.last = messageId;
        if (stored !== undefined) {
          progress.storedMs = stored.storedMs;
          progress.record = stored.key;
        }
      }
    }
  }
  return findings.result([[count, 'message']], isWhole ? '' : '; not all records were held');
};

function newProgress(restartsMs: readonly number[]): QueueProgress {
  const rising = restartsMs.toSorted((one, other) => one - other);
  return { last: '', storedMs: 0, record: '', repeats: new Repeats(rising) };
}

function takenByPartition(events: readonly PartitionEvent[]): ReadonlyMap<number, readonly number[]> {
  const taken = new Map<number, number[]>();
  for (const { what, partition, atMs } of events) {
    if (what !== 'taken') continue;
    const of = taken.get(partition) ?? [];
    taken.set(partition, of);
    of.push(atMs);
  }
  return taken;
}

interface StoredTime {
  readonly key: string;
  readonly storedMs: number;
}

/** When the record of each message was stored. */
async function storedTimes({ vehicles, evidence }: CheckScope) {
  const records = new Map<string, StoredTime>();
  for (const vehicle of vehicles) {
    for await (const page of evidence.records(vehicle)) {
      for (const { key, storedMs, messageIds } of page) {
        for (const messageId of messageIds) {
          if (records.size >= limits.messages) return { records, isWhole: false };
          records.set(messageId, { key, storedMs });
        }
      }
    }
  }
  return { records, isWhole: true };
}
