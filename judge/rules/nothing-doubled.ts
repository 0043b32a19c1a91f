import { EVENT_MESSAGES } from '../../contract/messages.ts';
import type { SimulatedVehicle } from '../evidence/simulated-vehicle.ts';
import { MessageRecording } from '../ledger/message-recording.ts';
import { readMessage } from '../ledger/read-message.ts';
import { ALL_FRAME_KINDS } from '../recordings.ts';
import type { Checker, CheckScope } from './check.ts';
import { Findings, nameOf } from './findings.ts';
import { readJournals } from './journal-recording.ts';
import { FirstIds } from './messages/first-ids.ts';
import { allMessages, STATE_TOPIC } from './queue-messages.ts';

/** Their flow ids are unique to their record: a second message with the same one repeats the record. */
const FEATURE_MESSAGES: ReadonlySet<string> = new Set(
  Object.values(EVENT_MESSAGES).map(({ message }) => message),
);

interface MessageBody {
  readonly metadata?: { readonly flow_id?: unknown };
}

/**
 * Compares store, wire and queues: no record stored twice, none stored that never crossed the wire, no message id of
 * two records, no message in a queue that belongs to no record of its vehicle (`MessageRecording.unclaimed` names the
 * record that it repeats), and no event of a feature reported under two ids.
 */
export const nothingDoubled: Checker = async (scope) => {
  const findings = new Findings();
  const recording = new MessageRecording();
  let isWhole = true;
  const features = new FirstIds();
  const vehiclesById = new Map(scope.vehicles.map((vehicle) => [vehicle.vehicleId, vehicle]));
  for await (const page of allMessages(scope.evidence)) {
    for (const message of page) {
      const { queue, atMs, name, messageId, vehicleId } = message;
      if (FEATURE_MESSAGES.has(name)) {
        const { flow_id: flowId } = (message.body as MessageBody).metadata ?? {};
        const other =
          typeof flowId === 'string'
            ? features.otherThan(messageId, `${vehicleId} ${name} ${flowId}`)
            : undefined;
        const vehicle = vehiclesById.get(vehicleId);
        if (other !== undefined)
          findings.add(
            'an event under two ids',
            `${name} of ${vehicle === undefined ? vehicleId : nameOf(vehicle)} is reported by message ${other} and by message ${messageId} in ${queue}`,
            { vehicle, atMs },
          );
      }
      if (!queue.startsWith(STATE_TOPIC)) continue;
      isWhole &&= !recording.isFull;
      const arrival = isWhole
        ? readMessage(message.body, { queue, redelivered: false, arrivedMs: atMs })
        : undefined;
      if (arrival !== undefined) recording.record(arrival);
    }
  }
  const pruned = new Set<string>();
  let records = 0;
  for (const vehicle of scope.vehicles) {
    if (vehicle.boxId === undefined) continue;
    const count = await judgeRecords(scope, vehicle, recording, findings);
    records += count;
    const ever = await scope.evidence.everStored(vehicle);
    if (ever.records > count) pruned.add(vehicle.vehicleId);
  }
  for (const { messageId, vehicleId, queue, duplicateOf: twin, arrivedMs } of isWhole
    ? recording.unclaimed()
    : []) {
    const vehicle = vehiclesById.get(vehicleId);
    // Of a maker's car, of a deleted vehicle, or of one whose oldest records are pruned.
    if (vehicle?.boxId === undefined || pruned.has(vehicleId)) continue;
    const about = { vehicle, ...(arrivedMs === undefined ? {} : { atMs: arrivedMs }) };
    if (twin === undefined)
      findings.add(
        'a message of no record',
        `message ${messageId} of ${nameOf(vehicle)} in ${queue} belongs to no stored record`,
        about,
      );
    else
      findings.add(
        'a record under two ids',
        `message ${messageId} of ${nameOf(vehicle)} in ${queue} tells what message ${twin} has told`,
        about,
      );
  }
  return findings.result(
    [
      [records, 'record'],
      [recording.size, 'message'],
    ],
    isWhole ? '' : ' and more',
  );
};

async function judgeRecords(
  { evidence }: CheckScope,
  vehicle: SimulatedVehicle,
  recording: MessageRecording,
  findings: Findings,
): Promise<number> {
  // Frames on the wire after the store was read do not matter; what was stored before was on the wire.
  const stored: { readonly epoch: number; readonly sequence: number; readonly storedMs: number }[] = [];
  const keyOf = new Map<string, string>();
  let before = '';
  for await (const page of evidence.records(vehicle)) {
    for (const { key, epoch, sequence, storedMs, messageIds } of page) {
      if (key === before)
        findings.add('a record stored twice', `record ${key} of ${nameOf(vehicle)} is stored twice`, {
          vehicle,
          atMs: storedMs,
        });
      else stored.push({ epoch, sequence, storedMs });
      before = key;
      for (const messageId of messageIds) {
        recording.claim(messageId);
        const other = keyOf.get(messageId);
        if (other !== undefined && other !== key)
          findings.add(
            'a message for two records',
            `message ${messageId} of ${nameOf(vehicle)} is of record ${other} and of record ${key}`,
            { vehicle, atMs: storedMs },
          );
        keyOf.set(messageId, key);
      }
    }
  }
  if (evidence.unrecorded().frames > 0) return stored.length;
  const journals = await readJournals(evidence.frames(vehicle, ALL_FRAME_KINDS));
  for (const { epoch, sequence, storedMs } of stored) {
    if (journals.get(epoch)?.sent.has(sequence) === true) continue;
    findings.add(
      'a record that was never sent',
      `record ${vehicle.boxId}/${epoch}/${sequence} of ${nameOf(vehicle)} is stored, and no frame of it crossed the wire`,
      { vehicle, atMs: storedMs },
    );
  }
  return stored.length;
}
