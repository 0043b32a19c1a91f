import { BLUETOOTH_ACTIONS, type BluetoothAction } from '../../protocol/bluetooth.ts';
import { limits } from '../limits.ts';
import type { Senses } from '../vehicle/senses.ts';
import { beginMoves, obstacleTo } from './actuation.ts';
import { bluetoothPhase } from './ble.ts';
import { answerPhone } from './ble-access.ts';
import { countUse, type Presented, TOKEN_REFUSALS, tokenRefusal } from './ble-token.ts';
import { isBusy } from './commands.ts';
import { DEEDS } from './deeds.ts';
import { latestMs } from './rtc.ts';
import type { Turn } from './turn.ts';
import { isAble } from './version.ts';

/** What a phone in radio range asks for. `call` is its own number of this question. */
export interface PhoneRequest {
  readonly call: number;
  readonly action: BluetoothAction;
  readonly presented: Presented;
}

/**
 * Takes what a phone asks for. It is carried out as the command of the same name is, with its own record for a reply.
 * A question that moves nothing leaves no trace in the journal, so that nobody beside the vehicle can fill it. Where
 * the module does not hear, nothing is answered.
 */
export function phone(turn: Turn, { call, action, presented }: PhoneRequest, senses: Senses): void {
  if (turn.ram.power !== 'up' || bluetoothPhase(turn) !== 'on') return;
  const command = BLUETOOTH_ACTIONS.find((row) => row.name === action)?.command;
  const deed = command === undefined ? undefined : DEEDS[command];
  const refusal = tokenRefusal(turn, presented, action);
  if (refusal !== undefined || presented === undefined) {
    answerPhone(turn, call, 'refused', TOKEN_REFUSALS[refusal ?? 'no-token']);
    return;
  }
  if (command === undefined || deed?.do !== 'actuate' || !isAble(turn, command)) {
    answerPhone(turn, call, 'hindered', 'this vehicle has nothing of the kind');
    return;
  }
  const isOccupied = isBusy(turn) || turn.ram.setup !== undefined;
  const obstacle = isOccupied ? 'the box is busy with something else' : obstacleTo(deed, senses);
  if (obstacle !== undefined) {
    answerPhone(turn, call, 'hindered', obstacle);
    return;
  }
  const { fault } = turn.ram;
  if (fault !== undefined) {
    if (fault.isPassing) turn.ram.fault = undefined;
    answerPhone(turn, call, 'failed', fault.text);
    return;
  }
  const { token } = presented;
  countUse(turn, token);
  turn.ram.caller = call;
  // What a reset leaves half done is put back only while somebody may still stand there.
  const soonMs = (latestMs(turn.ram.clock, turn.counterMs) ?? 0) + limits.bluetoothDeedMs;
  const expiresMs = Math.min(token.expiresMs, soonMs);
  beginMoves(turn, { requestId: token.id, expiresMs, command, isAccess: true }, deed, senses);
}
