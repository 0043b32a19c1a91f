import type { CheckerName } from '../../../../scenarios/language/checkers.ts';
import type { AnsweredCall, QueuedMessage } from '../../../../scenarios/run/evidence.ts';
import type { History, Told } from './history.ts';

/** One thing that goes wrong, and by which checker it is found. */
export interface Fault {
  readonly name: string;
  readonly checker: CheckerName;
  /** What else must find it, since it is wrong in more than one way. */
  readonly also?: readonly CheckerName[];
  /** Changes the books; the words that the finding must name. `pick`: a drawn number. */
  readonly plant: (history: History, pick: number) => readonly string[];
}

export function vehicle(history: History, pick: number): { readonly told: Told } {
  return { told: history.vehicles[pick % history.vehicles.length] as Told };
}

/** The reply to a configuration: it tells nothing of the vehicle, and nothing but itself is touched by its loss. */
export function silentRecord(history: History, pick: number) {
  const { told } = vehicle(history, pick);
  return { told, record: told.records.at(-1) as Told['records'][number] };
}

export function queueOf(history: History, { player }: Told): QueuedMessage[] {
  return history.messages.get(`VehicleState_v1-${player.group.fleet}`) ?? [];
}

export function published(history: History, pick: number) {
  const { told } = vehicle(history, pick);
  const messages = queueOf(history, told);
  const message = messages[pick % messages.length] as QueuedMessage;
  return { queue: message.queue, messages, message };
}

export function ofVehicle(history: History, { vehicleId }: QueuedMessage): Told {
  return history.vehicles.find(({ player }) => player.vehicleId === vehicleId) as Told;
}

export function withId({ body }: QueuedMessage, messageId: string): unknown {
  const { metadata, ...rest } = body as { readonly metadata: object };
  return { ...rest, metadata: { ...metadata, message_id: messageId } };
}

export function acted(history: History, pick: number) {
  const { told } = vehicle(history, pick);
  return { told, act: told.acted[pick % told.acted.length] as Told['acted'][number] };
}

export function command(history: History, pick: number, became: 'done' | 'not-sent') {
  const { told } = vehicle(history, pick);
  const call = history.calls.find(
    (one) =>
      one.player === told.player &&
      (became === 'done' ? one.status === 200 : one.detail?.includes('did not connect') === true),
  ) as AnsweredCall;
  return { told, call };
}

/** One more answer to the owner, later than all others; its number. */
export function pushCall(history: History, change: Partial<AnsweredCall>): number {
  const last = history.calls.at(-1) as AnsweredCall;
  const answeredMs = last.answeredMs + 1_000;
  const call = last.call + 1;
  const token = { endsMs: answeredMs + 3_600_000 };
  history.calls.push({ ...last, call, status: 200, askedMs: answeredMs - 100, answeredMs, token, ...change });
  return call;
}
