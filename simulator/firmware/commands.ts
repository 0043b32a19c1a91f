import type { OutcomeName } from '../../protocol/commands.ts';
import type { CommandRequest } from '../../protocol/message.ts';
import { limits } from '../limits.ts';
import type { Senses } from '../vehicle/senses.ts';
import { beginMoves, isOfMoves, obstacleTo } from './actuation.ts';
import { answer, findAnswer, isExpired, repeatAnswer } from './answers.ts';
import { resetBluetooth } from './ble.ts';
import { codeOf, DEEDS } from './deeds.ts';
import { otherNetwork } from './modem.ts';
import { beginSetup } from './setup.ts';
import type { Errand } from './state.ts';
import { systemStatus } from './status.ts';
import type { Turn } from './turn.ts';
import { isAble } from './version.ts';
import { readSignals, setWorkshop } from './workshop.ts';

/**
 * Takes a command. At most once: an answered request gets its answer again, one that is under way is let be. Never
 * late: past its expiry, or without knowing the time, nothing is done.
 */
export function command(turn: Turn, request: CommandRequest, senses: Senses): void {
  const { requestId, expiresMs } = request;
  const answered = findAnswer(turn, requestId);
  if (answered !== undefined) {
    repeatAnswer(turn, answered);
    return;
  }
  if (turn.flash.intent?.requestId === requestId) return;
  const refusal = refusalOf(turn, request, senses);
  if (refusal !== undefined) {
    answer(turn, expiresMs, { requestId, ...refusal });
    return;
  }
  if (isStoppedByFault(turn, request)) return;
  carryOut(turn, request, senses);
}

/** Whether the box is in the middle of something that must end first. */
export function isBusy(turn: Turn): boolean {
  const { errand, leaving } = turn.ram;
  return turn.flash.intent !== undefined || errand !== undefined || leaving !== undefined;
}

interface Refused {
  readonly outcome: OutcomeName;
  readonly error?: string;
}

function refusalOf(turn: Turn, request: CommandRequest, senses: Senses): Refused | undefined {
  const deed = DEEDS[request.command];
  if (isExpired(turn, request.expiresMs)) return { outcome: 'expired' };
  if (!isAble(turn, request.command)) return { outcome: 'unsupported' };
  if (isBusy(turn)) return { outcome: 'not-ready' };
  const obstacle = deed.do === 'actuate' ? obstacleTo(deed, senses) : undefined;
  return obstacle === undefined ? undefined : { outcome: 'conflicting-state', error: obstacle };
}

/** A box with a fault of its own fails at whatever it is told, and says why. */
export function isStoppedByFault(
  turn: Turn,
  { requestId, expiresMs }: Pick<CommandRequest, 'requestId' | 'expiresMs'>,
): boolean {
  const { fault } = turn.ram;
  if (fault === undefined) return false;
  const sequence = answer(turn, expiresMs, { requestId, outcome: 'failed', error: fault.text });
  if (sequence !== undefined && fault.isPassing) turn.ram.fault = undefined;
  return true;
}

function carryOut(turn: Turn, request: CommandRequest, senses: Senses): void {
  const { requestId, expiresMs } = request;
  const deed = DEEDS[request.command];
  const done = { requestId, outcome: 'done' } as const;
  switch (deed.do) {
    case 'tell-status':
      answer(turn, expiresMs, { ...done, status: systemStatus(turn, senses) });
      return;
    case 'tell-state':
      answer(turn, expiresMs, { ...done, signals: readSignals(turn, senses) });
      return;
    case 'reset-bluetooth':
      if (answer(turn, expiresMs, done) !== undefined) resetBluetooth(turn);
      return;
    case 'set-workshop':
      if (answer(turn, expiresMs, done) !== undefined) setWorkshop(turn, deed.isOn, senses);
      return;
    case 'errand':
      runErrand(turn, request, deed.what);
      return;
    case 'begin-setup':
      beginSetup(turn, request, codeOf(request.command), senses);
      return;
    case 'actuate':
      beginMoves(turn, request, deed, senses);
      return;
    default:
      deed satisfies never;
  }
}

function runErrand(turn: Turn, request: CommandRequest, what: Errand['what']): void {
  const { requestId, expiresMs } = request;
  if (
    what === 'switch-mobile-network' &&
    otherNetwork(turn.ram.networks, turn.flash.counters.network) === undefined
  ) {
    answer(turn, expiresMs, { requestId, outcome: 'failed', error: 'no other mobile network here' });
    return;
  }
  const sequence = answer(turn, expiresMs, { requestId, outcome: 'done' });
  if (sequence === undefined) return;
  turn.ram.errand = { what, sequence, token: undefined, until: turn.at + limits.errandMs };
}

/**
 * After a boot: what was begun and not answered may or may not have happened, and is not tried again. What the outputs
 * moved waits for the first look at how it stands.
 */
export function answerInterrupted(turn: Turn): void {
  const { intent } = turn.flash;
  if (intent === undefined || isOfMoves(intent)) return;
  const { requestId, expiresMs } = intent;
  answer(turn, expiresMs, { requestId, outcome: 'failed', error: 'interrupted by a reset' });
}
