import { counted } from '../language/counted.ts';
import type { Check, CheckScope } from './check.ts';
import { Findings, nameOf } from './findings.ts';
import { limits } from './limits.ts';
import { Repeats } from './repeats.ts';

/** Where a queue stands with one vehicle. */
interface Lane {
  /** The last message that came for the first time. */
  last: string;
  storedMs: number;
  record: string;
  readonly repeats: Repeats;
}

/**
 * Compares the queues with the store: in each queue the messages of a vehicle stand in the order in which its records
 * were stored, and within one record's time of storing in that of their ids; a repeat stands where it may (repeats.ts).
 */
export const orderPerBox: Check = async (scope) => {
  const findings = new Findings();
  const { records, isWhole } = await storedTimes(scope);
  // It is up for the first time when the run begins.
  const [, ...restartsMs] = scope.facts.flatMap((fact) =>
    fact.kind === 'service' && fact.state === 'up' ? [fact.atMs] : [],
  );
  const players = new Map(scope.players.map((player) => [player.vehicleId, player]));
  let count = 0;
  for (const { name: queue } of await scope.evidence.queues()) {
    const lanes = new Map<string, Lane>();
    for await (const page of scope.evidence.messages(queue)) {
      for (const { messageId, vehicleId, name, atMs } of page) {
        const player = players.get(vehicleId);
        if (player === undefined || vehicleId === '') continue;
        count += 1;
        const about = { player, atMs };
        const lane = lanes.get(vehicleId) ?? laneOf(restartsMs);
        lanes.set(vehicleId, lane);
        if (lane.repeats.has(messageId)) {
          if (!lane.repeats.again(messageId, atMs))
            findings.say(
              'repeated out of order',
              `message ${messageId} (${name}) of ${nameOf(player)} came to ${queue} once more behind the later message ${lane.last}`,
              about,
            );
          continue;
        }
        if (lane.repeats.size < limits.messages) lane.repeats.first(messageId);
        const stored = records.get(messageId);
        if (stored !== undefined && stored.storedMs < lane.storedMs)
          findings.say(
            'out of order',
            `message ${messageId} of record ${stored.key} of ${nameOf(player)}, stored first, stands in ${queue} behind message ${lane.last} of record ${lane.record}`,
            about,
          );
        else if (messageId < lane.last)
          findings.say(
            'out of order',
            `message ${messageId} (${name}) of ${nameOf(player)} was made before message ${lane.last}, and stands in ${queue} behind it`,
            about,
          );
        lane.last = messageId;
        if (stored !== undefined) {
          lane.storedMs = stored.storedMs;
          lane.record = stored.key;
        }
      }
    }
  }
  return findings.checked(`${counted(count, 'message')}${isWhole ? '' : '; not all records were held'}`);
};

function laneOf(restartsMs: readonly number[]): Lane {
  return { last: '', storedMs: 0, record: '', repeats: new Repeats(restartsMs) };
}

interface Stored {
  readonly key: string;
  readonly storedMs: number;
}

/** When the record of each message was stored. */
async function storedTimes({ players, evidence }: CheckScope) {
  const records = new Map<string, Stored>();
  for (const player of players) {
    for await (const page of evidence.records(player)) {
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
