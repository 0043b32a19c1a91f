import { COMMANDS, type CommandName, type OutcomeName } from '../../protocol/commands.ts';
import type { CommandRequest } from '../../protocol/message.ts';
import { limits } from '../limits.ts';
import type { Actuation, Senses } from '../vehicle/senses.ts';
import { answer, findAnswer, mayBeForgotten, repeatAnswer } from './answers.ts';
import { resetBluetooth } from './ble.ts';
import { otherNetwork } from './modem.ts';
import { intentKey, intentPage } from './pages.ts';
import { latestMs } from './rtc.ts';
import { noticeOwnDoing } from './sampler.ts';
import type { Errand } from './state.ts';
import { systemStatus } from './status.ts';
import type { Turn } from './turn.ts';
import { isAble } from './version.ts';
import { readSignals, setWorkshop } from './workshop.ts';

/** How a command is carried out. */
type Deed =
  | { readonly do: 'tell-status' }
  | { readonly do: 'tell-state' }
  | { readonly do: 'reset-bluetooth' }
  | { readonly do: 'set-workshop'; readonly isOn: boolean }
  /** Takes the link down: the reply goes first. */
  | { readonly do: 'errand'; readonly what: Errand['what'] }
  | { readonly do: 'actuate'; readonly actuations: readonly Actuation[]; readonly standing: boolean }
  | { readonly do: 'nothing' };

const lock: Actuation = { set: 'locked', to: true };
const unlock: Actuation = { set: 'locked', to: false };
const enable: Actuation = { set: 'drivingEnabled', to: true };
const disable: Actuation = { set: 'drivingEnabled', to: false };
const move = (standing: boolean, ...actuations: readonly Actuation[]): Deed => ({
  do: 'actuate',
  actuations,
  standing,
});

/** One row for each command. `standing`: never while the vehicle moves. Boxes of this kind have no further outputs. */
const DEEDS: Readonly<Record<CommandName, Deed>> = {
  'request-system-status': { do: 'tell-status' },
  'ble-reset': { do: 'reset-bluetooth' },
  'board-reset': { do: 'errand', what: 'board-reset' },
  'modem-reset': { do: 'errand', what: 'modem-reset' },
  'data-connection-reset': { do: 'errand', what: 'data-connection-reset' },
  'switch-mobile-network': { do: 'errand', what: 'switch-mobile-network' },
  'activate-workshop-mode': { do: 'set-workshop', isOn: true },
  'deactivate-workshop-mode': { do: 'set-workshop', isOn: false },
  'request-vehicle-state': { do: 'tell-state' },
  'enable-driving': move(false, enable),
  'disable-driving': move(true, disable),
  'unlock-central-lock': move(true, unlock),
  'lock-central-lock': move(true, lock),
  'unlock-and-enable-driving': move(true, unlock, enable),
  'lock-and-disable-driving': move(true, lock, disable),
  'unlock-top-case': { do: 'nothing' },
  'lock-top-case': { do: 'nothing' },
  'draw-attention': { do: 'nothing' },
  'unlock-battery-compartment': { do: 'nothing' },
};

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
    answer(turn, expiresMs, { requestId, outcome: refusal });
    return;
  }
  carryOut(turn, request, senses);
}

/** Whether a request must not be carried out any more. */
export function isExpired(turn: Turn, expiresMs: number): boolean {
  const latest = latestMs(turn.ram.clock, turn.counterMs);
  return latest === undefined || latest > expiresMs || mayBeForgotten(turn, expiresMs);
}

/** Whether the box is in the middle of something that must end first. */
export function isBusy(turn: Turn): boolean {
  const { errand, leaving } = turn.ram;
  return turn.flash.intent !== undefined || errand !== undefined || leaving !== undefined;
}

function refusalOf(turn: Turn, request: CommandRequest, senses: Senses): OutcomeName | undefined {
  const deed = DEEDS[request.command];
  if (isExpired(turn, request.expiresMs)) return 'expired';
  if (deed.do === 'nothing' || !isAble(turn.facts, request.command)) return 'unsupported';
  if (isBusy(turn)) return 'not-ready';
  if (deed.do === 'actuate' && deed.standing && senses.speedKph >= limits.movingSpeedKph) {
    return 'conflicting-state';
  }
  return undefined;
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
    case 'actuate': {
      // The intent is durable before anything moves: after a reset in between, nothing moves a second time.
      turn.flash.intent = { requestId, expiresMs, commandCode: codeOf(request.command) };
      turn.writes.push({ put: intentKey, bytes: intentPage(turn.flash.intent) });
      turn.effects.push({ kind: 'actuate', actuations: deed.actuations });
      return;
    }
    case 'nothing':
      return;
    default:
      deed satisfies never;
  }
}

function codeOf(name: CommandName): number {
  return COMMANDS.find((row) => row.name === name)?.code ?? 0;
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

/** The actuators answered: the reply tells the state that they left. */
export function actuated(turn: Turn, accepted: boolean, senses: Senses): void {
  const { intent } = turn.flash;
  if (intent === undefined) return;
  const { requestId, expiresMs } = intent;
  const signals = readSignals(turn, senses);
  if (accepted) answer(turn, expiresMs, { requestId, outcome: 'done', signals });
  else answer(turn, expiresMs, { requestId, outcome: 'failed', error: 'the mechanics refused', signals });
  noticeOwnDoing(turn, senses);
}

/** After a boot: what was begun and not answered may or may not have happened, and is not tried again. */
export function answerInterrupted(turn: Turn): void {
  const { intent } = turn.flash;
  if (intent === undefined) return;
  const { requestId, expiresMs } = intent;
  answer(turn, expiresMs, { requestId, outcome: 'failed', error: 'interrupted by a reset' });
}
