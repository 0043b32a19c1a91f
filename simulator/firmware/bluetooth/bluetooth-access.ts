import { BLUETOOTH_ACTIONS, type BluetoothAction } from '../../../protocol/bluetooth.ts';
import type { Signals } from '../../../protocol/signals.ts';
import { codeOf } from '../commands/command-actions.ts';
import type { CommandIntent } from '../commands/command-state.ts';
import { intentKey } from '../core/pages.ts';
import type { StepContext } from '../core/step-context.ts';
import { appendRecord } from '../core/step-writes.ts';
import type { PhoneOutcome } from './phone-request.ts';

/** Answers a phone. `detail` is empty where it is done. */
export function answerPhone(context: StepContext, call: number, outcome: PhoneOutcome, detail: string): void {
  context.effects.push({ kind: 'answer-phone', call, outcome, detail });
}

/**
 * An action for a phone is over: its result goes into the journal, with the token, and to the phone if that is
 * still connected; a reset in between has disconnected it.
 */
export function recordAccess(
  context: StepContext,
  { requestId, commandCode }: CommandIntent,
  error: string | undefined,
  signals: Signals,
): void {
  const outcome = error === undefined ? 'done' : 'failed';
  const detail = error ?? '';
  const action = actionOf(commandCode);
  appendRecord(context, { kind: 'access', tokenId: requestId, action, outcome, error: detail, signals });
  context.ram.sampler = { ...context.ram.sampler, contactAt: context.at };
  context.flash.intent = undefined;
  context.writes.push({ erase: intentKey });
  const { phoneCall } = context.ram;
  context.ram.phoneCall = undefined;
  if (phoneCall !== undefined) answerPhone(context, phoneCall, outcome, detail);
}

/** The action whose command has that code. */
function actionOf(commandCode: number): BluetoothAction {
  return BLUETOOTH_ACTIONS.find((row) => codeOf(row.command) === commandCode)?.name ?? 'unlock';
}
