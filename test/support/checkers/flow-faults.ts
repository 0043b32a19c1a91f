import type { QueuedMessage } from '../../../judge/evidence/evidence.ts';
import { type RunRecordings, ulidOf, type VehicleRecording } from './any-recordings.ts';
import { addCall, type PlantedFault, pickAct, pickMessage, pickVehicle } from './change-recordings.ts';

/** Every way in which commands, their messages and what moves can disagree, beyond the answers to them. */
export const FLOW_FAULTS: readonly PlantedFault[] = [
  {
    name: 'a command goes down while the one before it is open',
    checker: 'one-open-command',
    plant(history, pick) {
      const { told } = pickVehicle(history, pick);
      const first = told.frames.find(({ message }) => message.kind === 'command');
      if (first?.message.kind !== 'command') return [];
      const requestId = ulidOf(900_001);
      told.frames.push({ ...first, message: { ...first.message, command: 'draw-attention', requestId } });
      return ['draw-attention', requestId, told.vehicle.boxId ?? ''];
    },
  },
  {
    name: 'a lock moves in a vehicle that drives',
    checker: 'outputs-are-safe',
    also: ['twin-is-true'],
    plant(history, pick) {
      const { told, act } = pickAct(history, pick);
      told.acted[told.acted.indexOf(act)] = { ...act, command: 'lock-central-lock' };
      told.truth = { ...told.truth, speedKph: 50 };
      return ['lock-central-lock', act.requestId, '50.0 km/h'];
    },
  },
  {
    name: 'a header says another type than the metadata',
    checker: 'flows-agree',
    plant(history, pick) {
      const { messages, message } = pickMessage(history, pick);
      const headers = { ...message.headers, 'Message-Type': 'service.DamageDetected' };
      messages[messages.indexOf(message)] = { ...message, headers };
      return ['Message-Type is service.DamageDetected', message.messageId];
    },
  },
  {
    name: 'a call is answered five seconds behind its message',
    checker: 'flows-agree',
    plant(history, pick) {
      const { message } = pickMessage(history, pick);
      const call = addCallOf(history, message, { askedMs: -100, answeredMs: 5_000 });
      return ['an answer that waited', `call ${call}`];
    },
  },
  {
    name: 'a message comes a minute behind the answer to its call',
    checker: 'flows-agree',
    plant(history, pick) {
      const { message } = pickMessage(history, pick);
      addCallOf(history, message, { askedMs: -60_100, answeredMs: -60_000 });
      return ['a message that waited', message.messageId];
    },
  },
  {
    name: 'two reports have one flow',
    checker: 'flows-agree',
    plant(history) {
      const [queue] = history.messages.values();
      const ids = [...new Set(queue?.map(({ messageId }) => messageId))];
      const [one, other] = ids.slice(0, 2).map((id) => queue?.find(({ messageId }) => messageId === id));
      if (queue === undefined || one === undefined || other === undefined) return [];
      const { metadata, data } = other.body as { readonly metadata: object; readonly data: object };
      const flowId = one.headers['Flow-ID'] ?? '';
      queue.forEach((message, index) => {
        if (message.messageId !== other.messageId) return;
        queue[index] = {
          ...message,
          headers: { ...message.headers, 'Flow-ID': flowId },
          body: { metadata: { ...metadata, flow_id: flowId }, data },
        };
      });
      return [one.messageId, other.messageId];
    },
  },
  {
    name: 'a state was answered, and no message came of it',
    checker: 'flows-agree',
    plant(history) {
      const vehicle = history.vehicles[0]?.vehicle;
      if (vehicle === undefined) return [];
      const path = `/vehicles/${vehicle.vehicleId}/commands/request-vehicle-state`;
      const command = { kind: 'command', command: 'request-vehicle-state' } as const;
      const call = addCall(history, { method: 'POST', path, vehicle, flowId: 'flow of nothing' });
      const { askedMs = 0 } = history.calls.at(-1) ?? {};
      const requestId = ulidOf(900_002);
      const told = history.vehicles[0] as VehicleRecording;
      const frame = {
        epoch: told.frames[0]?.epoch ?? 0,
        sequence: told.next,
        clockMs: askedMs,
        atMs: askedMs,
      };
      told.frames.push(
        { ...frame, direction: 'down', message: { ...command, requestId, expiresMs: askedMs + 20_000 } },
        { ...frame, direction: 'up', message: { kind: 'reply', requestId, outcome: 'done', error: '' } },
      );
      return [`call ${call}`, 'flow of nothing'];
    },
  },
  {
    name: 'a box that is ready is said to be away',
    checker: 'presence-agrees',
    plant(history, pick) {
      const { told } = pickVehicle(history, pick);
      told.lifeStatus = 'STANDBY';
      return [told.vehicle.vehicleId, 'STANDBY'];
    },
  },
];

/** A call with the flow of a message, asked and answered so long behind it; its number. */
function addCallOf(
  history: RunRecordings,
  message: QueuedMessage,
  { askedMs, answeredMs }: { readonly askedMs: number; readonly answeredMs: number },
): number {
  const times = { askedMs: message.atMs + askedMs, answeredMs: message.atMs + answeredMs };
  return addCall(history, {
    method: 'GET',
    path: '/health',
    flowId: message.headers['Flow-ID'] ?? '',
    ...times,
  });
}
