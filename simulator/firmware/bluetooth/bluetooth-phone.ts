import { BLUETOOTH_ACTIONS } from '../../../protocol/bluetooth.ts';
import { limits } from '../../limits.ts';
import type { SensorInputs } from '../../vehicle/sensing/vehicle-ports.ts';
import { beginActuation, blockingReason } from '../commands/actuation.ts';
import { COMMAND_ACTIONS } from '../commands/command-actions.ts';
import { supportsCommand } from '../commands/command-support.ts';
import { isBusy } from '../commands/commands.ts';
import type { StepContext } from '../core/step-context.ts';
import { latestMs } from '../power/rtc.ts';
import { bluetoothPhase } from './bluetooth.ts';
import { answerPhone } from './bluetooth-access.ts';
import { countTokenUse, TOKEN_REFUSALS, tokenRefusal } from './bluetooth-token.ts';
import type { PhoneRequest } from './phone-request.ts';

/**
 * Handles a phone's request. It is carried out like the command of the same name, with its own record as the reply. A
 * request that moves nothing is not recorded in the journal, so that no one near the vehicle can fill it. While the
 * module is unavailable, there is no answer.
 */
export function handlePhone(
  context: StepContext,
  { call, action, presented, leftMs }: PhoneRequest,
  sensors: SensorInputs,
): void {
  if (context.ram.power !== 'up' || bluetoothPhase(context) !== 'on') return;
  const command = BLUETOOTH_ACTIONS.find((row) => row.name === action)?.command;
  const commandAction = command === undefined ? undefined : COMMAND_ACTIONS[command];
  const refusal = tokenRefusal(context, presented, action);
  if (refusal !== undefined || presented === undefined) {
    answerPhone(context, call, 'refused', TOKEN_REFUSALS[refusal ?? 'no-token']);
    return;
  }
  if (command === undefined || commandAction?.do !== 'actuate' || !supportsCommand(context, command)) {
    answerPhone(context, call, 'hindered', 'this vehicle has nothing of the kind');
    return;
  }
  const isOccupied = isBusy(context) || context.ram.setup !== undefined;
  const reason = isOccupied ? 'the box is busy with something else' : blockingReason(commandAction, sensors);
  if (reason !== undefined) {
    answerPhone(context, call, 'hindered', reason);
    return;
  }
  const { fault } = context.ram;
  if (fault !== undefined) {
    context.ram.fault = fault.isPassing ? undefined : { ...fault, hadEffect: true };
    answerPhone(context, call, 'failed', fault.text);
    return;
  }
  const { token } = presented;
  countTokenUse(context, token);
  context.ram.phoneCall = call;
  // An action that a reset interrupts is rolled back only while the phone may still be near.
  const soonMs = (latestMs(context.ram.clock, context.counterMs) ?? 0) + limits.bluetoothActionMs;
  const expiresMs = Math.min(token.expiresMs, soonMs);
  beginActuation(
    context,
    { requestId: token.id, expiresMs, command, isAccess: true, leftMs },
    commandAction,
    sensors,
  );
}
