import type { QueuedMessage } from '../../../judge/evidence/evidence.ts';
import { EPOCH, START_MS, ulidOf, type VehicleRecording } from './any-recordings.ts';
import {
  type PlantedFault,
  pickMessage,
  pickSilentRecord,
  pickVehicle,
  queueOf,
  vehicleOfMessage,
  withMessageId,
} from './change-recordings.ts';
import { stateMessage } from './recorded-parts.ts';

/** Every way in which the books of records and messages can disagree. */
export const RECORD_FAULTS: readonly PlantedFault[] = [
  {
    name: 'a record that was receipted is in no store',
    checker: 'nothing-lost',
    plant(history, pick) {
      const { told, record } = pickSilentRecord(history, pick);
      told.records = told.records.filter((one) => one !== record);
      return ['at the hop state', record.key];
    },
  },
  {
    name: 'the box lets go of a record that was never receipted',
    checker: 'nothing-lost',
    plant(history, pick) {
      const { told } = pickVehicle(history, pick);
      told.next += 1;
      return ['at the hop box', `${told.vehicle.boxId}/5/${told.next - 1}`];
    },
  },
  {
    name: 'a message of a stored record is in no queue',
    checker: 'nothing-lost',
    plant(history, pick) {
      const { queue, messages, message } = pickMessage(history, pick);
      history.messages.set(
        queue,
        messages.filter(({ messageId }) => messageId !== message.messageId),
      );
      return ['at the hop queue', message.messageId, message.vehicleId];
    },
  },
  {
    name: 'a box sends bytes that the service cannot read',
    checker: 'nothing-lost',
    plant(history, pick) {
      const { boxId = '' } = pickVehicle(history, pick).told.vehicle;
      history.quarantined.push({ boxId, atMs: 1, fault: 'bad-checksum', detail: 'at offset 7' });
      return ['quarantine', 'bad-checksum', boxId];
    },
  },
  {
    name: 'the service misses records that no tombstone explains',
    checker: 'nothing-lost',
    plant(history, pick) {
      const { boxId = '' } = pickVehicle(history, pick).told.vehicle;
      history.troubles.push({ kind: 'unexplained-gap', boxId, detail: '1 up to 30' });
      return ['an unexplained loss', '1 up to 30', boxId];
    },
  },
  {
    name: 'a receipt names a tombstone without all of its range',
    checker: 'nothing-lost',
    plant(history, pick) {
      const { told } = pickVehicle(history, pick);
      const counts = { first: 2, last: 5, reports: 4, events: 0, replies: 0 } as const;
      const frame = { atMs: START_MS, epoch: EPOCH + 1, clockMs: START_MS } as const;
      told.frames.unshift(
        {
          ...frame,
          direction: 'up',
          sequence: 9,
          message: { kind: 'tombstone', reason: 'overwritten', ...counts },
        },
        {
          ...frame,
          direction: 'down',
          sequence: 0,
          message: { kind: 'receipt', contiguous: 4, ranges: [[6, 9]] },
        },
      );
      return ['a tombstone that settles too little', 'leaves 5 to 5 open', told.vehicle.boxId ?? ''];
    },
  },
  {
    name: 'a record is stored twice',
    checker: 'nothing-doubled',
    plant(history, pick) {
      const { told, record } = pickSilentRecord(history, pick);
      told.records.splice(told.records.indexOf(record), 0, record);
      return ['stored twice', record.key];
    },
  },
  {
    name: 'a record leaves under two ids',
    checker: 'nothing-doubled',
    also: ['flows-agree'],
    plant(history, pick) {
      const { messages, message } = pickMessage(history, pick);
      const messageId = ulidOf(900_000);
      messages.push({ ...message, messageId, body: withMessageId(message, messageId) });
      return ['two ids', messageId, message.messageId];
    },
  },
  {
    name: 'a message belongs to no record',
    checker: 'nothing-doubled',
    plant(history, pick) {
      const { messages, message } = pickMessage(history, pick);
      const { vehicle } = vehicleOfMessage(history, message);
      messages.push(stateMessage(vehicle, message.queue, ulidOf(900_000), message.atMs, 999));
      return ['of no record', ulidOf(900_000), vehicle.vehicleId];
    },
  },
  {
    name: 'a record is stored that never crossed the wire',
    checker: 'nothing-doubled',
    plant(history, pick) {
      const { told } = pickVehicle(history, pick);
      const last = told.records.at(-1) as VehicleRecording['records'][number];
      const sequence = told.next++;
      const key = `${told.vehicle.boxId ?? ''}/5/${sequence}` as const;
      told.records.push({ ...last, key, sequence });
      return ['never sent', key];
    },
  },
  {
    name: 'two messages of a vehicle change places',
    checker: 'order-per-box',
    plant(history, pick) {
      const { told } = pickVehicle(history, pick);
      const messages = queueOf(history, told);
      const own = messages.filter(({ vehicleId }) => vehicleId === told.vehicle.vehicleId);
      const first = own[0] as QueuedMessage;
      // Behind all others of the vehicle.
      const rest = messages.filter(({ messageId }) => messageId !== first.messageId);
      history.messages.set(first.queue, [...rest, first]);
      return own.length === 1 ? [] : ['out of order', first.messageId, told.vehicle.vehicleId];
    },
  },
  {
    name: 'a message is repeated behind a later one',
    checker: 'order-per-box',
    plant(history, pick) {
      const { told } = pickVehicle(history, pick);
      const messages = queueOf(history, told);
      const first = messages.find(({ vehicleId }) => vehicleId === told.vehicle.vehicleId) as QueuedMessage;
      messages.push(first);
      return ['repeated out of order', first.messageId];
    },
  },
  {
    name: 'a property of the twin is not what the frames say',
    checker: 'twin-is-fold',
    also: ['twin-is-true'],
    plant(history, pick) {
      const { told } = pickVehicle(history, pick);
      const [name = ''] = Object.keys(told.twin);
      told.twin[name] = { timestamp: '2026-01-05T06:00:00Z', value: 'something else' };
      return [name, told.vehicle.vehicleId];
    },
  },
  {
    name: 'a property of the twin is missing',
    checker: 'twin-is-fold',
    also: ['twin-is-true'],
    plant(history, pick) {
      const { told } = pickVehicle(history, pick);
      const [name = ''] = Object.keys(told.twin);
      delete told.twin[name];
      return [name, 'absent'];
    },
  },
  {
    name: 'a property of the twin is of another time',
    checker: 'twin-is-fold',
    plant(history, pick) {
      const { told } = pickVehicle(history, pick);
      const [name = ''] = Object.keys(told.twin);
      const value = told.twin[name]?.value;
      told.twin[name] = { timestamp: '2026-01-05T05:59:59Z', value };
      return [name, '2026-01-05T05:59:59Z'];
    },
  },
];
