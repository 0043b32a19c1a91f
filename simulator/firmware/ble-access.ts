import { BLUETOOTH_ACTIONS, type BluetoothAction } from '../../protocol/bluetooth.ts';
import type { Signals } from '../../protocol/signals.ts';
import { codeOf } from './deeds.ts';
import { intentKey } from './pages.ts';
import type { Intent } from './state.ts';
import { record, type Turn } from './turn.ts';

/**
 * What the box answers a phone. `refused`: the token is worth nothing here. `hindered`: not now, or not in this vehicle.
 * `failed`: it was tried.
 */
export type PhoneOutcome = 'done' | 'refused' | 'hindered' | 'failed';

/** Answers a phone. `detail` is empty where it is done. */
export function answerPhone(turn: Turn, call: number, outcome: PhoneOutcome, detail: string): void {
  turn.effects.push({ kind: 'answer-phone', call, outcome, detail });
}

/**
 * What was begun for a phone is over: it goes into the journal, with the token, and to the phone where that still
 * listens; a reset in between has cut it off.
 */
export function concludeAccess(
  turn: Turn,
  { requestId, commandCode }: Intent,
  error: string | undefined,
  signals: Signals,
): void {
  const outcome = error === undefined ? 'done' : 'failed';
  const detail = error ?? '';
  const action = actionOf(commandCode);
  record(turn, { kind: 'access', tokenId: requestId, action, outcome, error: detail, signals });
  turn.ram.sampler = { ...turn.ram.sampler, contactAt: turn.at };
  turn.flash.intent = undefined;
  turn.writes.push({ erase: intentKey });
  const { caller } = turn.ram;
  turn.ram.caller = undefined;
  if (caller !== undefined) answerPhone(turn, caller, outcome, detail);
}

/** The action whose command has that code. */
function actionOf(commandCode: number): BluetoothAction {
  return BLUETOOTH_ACTIONS.find((row) => codeOf(row.command) === commandCode)?.name ?? 'unlock';
}
