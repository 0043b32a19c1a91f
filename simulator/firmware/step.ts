import { decodePayload } from '../../protocol/frame.ts';
import type { Frame, Receipt, Unreadable } from '../../protocol/message.ts';
import { limits } from '../limits.ts';
import type { Senses } from '../vehicle/senses.ts';
import { tendBluetooth } from './ble.ts';
import { boot } from './boot.ts';
import { actuated, command } from './commands.ts';
import { configure } from './configuration.ts';
import type { Effect } from './effect.ts';
import { tendErrands } from './errands.ts';
import { tendHealth } from './health.ts';
import type { Input } from './input.ts';
import { receipt, unreadable } from './journal.ts';
import { restartModem, tendModem } from './modem.ts';
import { acknowledged, progressed } from './outbox.ts';
import { forceReset, isPowered } from './power.ts';
import { learn } from './rtc.ts';
import { look, tell } from './sampler.ts';
import { answeredHello, linkLost, opened, subscribed, tendSession } from './session.ts';
import { find } from './shelf.ts';
import type { BoxState } from './state.ts';
import { reckonCpuTime } from './status.ts';
import { adopt, begin, finish, frameOf, keepClock, type Turn } from './turn.ts';

/**
 * The firmware: what a box is and what it must do after one input. Pure and total: the same arguments give the same
 * answer, nothing is thrown whatever the bytes. `at` is true time in milliseconds, never falling; the firmware knows
 * it only through its own counters (rtc.ts).
 */
export function step(
  state: BoxState,
  at: number,
  input: Input,
): { readonly state: BoxState; readonly effects: readonly Effect[] } {
  const turn = begin(state, at);
  if (input.kind === 'boot') boot(turn, input.pages, input.reason, input.entropy);
  else if (input.kind === 'sim') turn.ram.sim = input.to;
  else if (turn.ram.power === 'off') return { state, effects: [] };
  else if (input.kind === 'reset') forceReset(turn, input.reason);
  else if (turn.ram.power === 'dead' && input.kind !== 'tick') return { state, effects: [] };
  else {
    reckonCpuTime(turn);
    hear(turn, input);
  }
  if (turn.ram.power === 'up') tend(turn);
  return finish(turn);
}

/** Everything but boot, reset and SIM, while there is power. */
function hear(turn: Turn, input: Exclude<Input, { readonly kind: 'boot' | 'reset' | 'sim' }>): void {
  switch (input.kind) {
    case 'tick':
      tick(turn, input.senses);
      return;
    case 'opened':
      opened(turn);
      return;
    case 'subscribed':
      subscribed(turn);
      return;
    case 'closed':
      linkLost(turn);
      return;
    case 'acknowledged':
      acknowledged(turn, input.token);
      return;
    case 'received':
      received(turn, input.bytes, input.senses);
      return;
    case 'actuated':
      actuated(turn, input.accepted, input.senses);
      return;
    default:
      input satisfies never;
  }
}

function tick(turn: Turn, senses: Senses): void {
  if (!isPowered(turn, senses)) return;
  turn.ram.networks = senses.hasCoverage ? senses.networks : [];
  turn.ram.csq = senses.hasCoverage ? senses.csq : 99;
  if (turn.ram.power === 'booting') {
    if (turn.at < turn.ram.bootedAt + limits.bootMs) return;
    turn.ram.power = 'up';
    restartModem(turn, 0);
    if (turn.ram.resetReason === 'BROWN_OUT') tell(turn, senses, 'power-restored');
  }
  tendHealth(turn, senses);
  look(turn, senses);
}

/** What is due by itself, in the order in which one thing can make the next one due. */
function tend(turn: Turn): void {
  tendBluetooth(turn);
  tendModem(turn);
  tendSession(turn);
  tendErrands(turn);
  if (turn.ram.power === 'up') tendModem(turn);
}

function received(turn: Turn, bytes: Uint8Array, senses: Senses): void {
  if (turn.ram.power !== 'up') return;
  const payload = decodePayload(bytes);
  let strays = payload.faults.length;
  for (const { frame } of payload.frames) if (!obey(turn, frame, senses)) strays += 1;
  if (strays === 0) return;
  turn.ram.counts = { ...turn.ram.counts, strayFrames: turn.ram.counts.strayFrames + strays };
}

/** Does what a frame of the backend says. False: it is not for this box as it is now. */
function obey(turn: Turn, frame: Frame, senses: Senses): boolean {
  const { message } = frame;
  const isOurs = frame.epoch === turn.flash.journal.epoch;
  switch (message.kind) {
    case 'receipt':
      if (!isOurs) return false;
      receipted(turn, frame, message);
      return true;
    case 'unreadable':
      if (!isOurs) return false;
      sendAgain(turn, message);
      return true;
    case 'command':
    case 'configuration':
      // A backend that does not know the epoch yet writes 0.
      if (!isOurs && frame.epoch !== 0) return false;
      tellTime(turn, frame.clockMs, undefined);
      if (message.kind === 'command') command(turn, message, senses);
      else configure(turn, message);
      return true;
    default:
      return false;
  }
}

function tellTime(turn: Turn, toldMs: number, waitedMs: number | undefined): void {
  turn.ram.clock = learn(turn.ram.clock, turn.counterMs, toldMs, waitedMs);
  keepClock(turn);
}

function receipted(turn: Turn, frame: Frame, message: Receipt): void {
  const { session } = turn.ram;
  const waitedMs = session.phase === 'greeting' ? turn.at - session.helloAt : undefined;
  tellTime(turn, frame.clockMs, waitedMs);
  const change = receipt(turn.flash.journal, message.contiguous, message.ranges);
  adopt(turn, change);
  if (change.gone.length > 0) progressed(turn, message, change.gone);
  answeredHello(turn);
}

function sendAgain(turn: Turn, message: Unreadable): void {
  for (const sequence of message.sequences) {
    const entry = find(turn.flash.journal.shelf, sequence);
    if (entry === undefined) continue;
    const stamp = (number: number, what: Parameters<typeof frameOf>[1]) => frameOf(turn, what, number);
    const { change, again } = unreadable(turn.flash.journal, entry, stamp);
    adopt(turn, change);
    const { outbox } = turn.ram;
    if (again && !outbox.again.includes(sequence)) {
      turn.ram.outbox = { ...outbox, again: [...outbox.again, sequence] };
    }
  }
}
