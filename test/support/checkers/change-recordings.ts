import type { CheckerName } from '../../../judge/checkers.ts';
import type { AnsweredCall, QueuedMessage } from '../../../judge/evidence/evidence.ts';
import type { RunRecordings, VehicleRecording } from './any-recordings.ts';

/** One fault, and the checker that finds it. */
export interface PlantedFault {
  readonly name: string;
  readonly checker: CheckerName;
  /** What else must find it, since it is wrong in more than one way. */
  readonly also?: readonly CheckerName[];
  /** Changes the recordings; returns the words that the finding must contain. `pick`: a drawn number. */
  readonly plant: (history: RunRecordings, pick: number) => readonly string[];
}

export function pickVehicle(history: RunRecordings, pick: number): { readonly told: VehicleRecording } {
  return { told: history.vehicles[pick % history.vehicles.length] as VehicleRecording };
}

/** The reply to a configuration: it has no vehicle state, so that its loss affects nothing else. */
export function pickSilentRecord(history: RunRecordings, pick: number) {
  const { told } = pickVehicle(history, pick);
  return { told, record: told.records.at(-1) as VehicleRecording['records'][number] };
}

export function queueOf(history: RunRecordings, { vehicle }: VehicleRecording): QueuedMessage[] {
  return history.messages.get(`VehicleState_v1-${vehicle.group.fleet}`) ?? [];
}

export function pickMessage(history: RunRecordings, pick: number) {
  const { told } = pickVehicle(history, pick);
  const messages = queueOf(history, told);
  const message = messages[pick % messages.length] as QueuedMessage;
  return { queue: message.queue, messages, message };
}

export function vehicleOfMessage(history: RunRecordings, { vehicleId }: QueuedMessage): VehicleRecording {
  return history.vehicles.find(({ vehicle }) => vehicle.vehicleId === vehicleId) as VehicleRecording;
}

export function withMessageId({ body }: QueuedMessage, messageId: string): unknown {
  const { metadata, ...rest } = body as { readonly metadata: object };
  return { ...rest, metadata: { ...metadata, message_id: messageId } };
}

export function pickAct(history: RunRecordings, pick: number) {
  const { told } = pickVehicle(history, pick);
  return { told, act: told.acted[pick % told.acted.length] as VehicleRecording['acted'][number] };
}

export function pickCommand(history: RunRecordings, pick: number, became: 'done' | 'not-sent') {
  const { told } = pickVehicle(history, pick);
  const call = history.calls.find(
    (one) =>
      one.vehicle === told.vehicle &&
      (became === 'done' ? one.status === 200 : one.detail?.includes('did not connect') === true),
  ) as AnsweredCall;
  return { told, call };
}

/** One more answer to the owner, later than all others; its number. */
export function addCall(history: RunRecordings, change: Partial<AnsweredCall>): number {
  const last = history.calls.at(-1) as AnsweredCall;
  const answeredMs = last.answeredMs + 1_000;
  const call = last.call + 1;
  const token = { endsMs: answeredMs + 3_600_000 };
  history.calls.push({ ...last, call, status: 200, askedMs: answeredMs - 100, answeredMs, token, ...change });
  return call;
}
