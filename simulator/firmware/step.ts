import { decodePayload } from '../../protocol/frame.ts';
import type { Frame, Receipt, Unreadable } from '../../protocol/message.ts';
import { limits } from '../limits.ts';
import type { Senses } from '../vehicle/senses.ts';
import { actuated, resumeMoves } from './actuation.ts';
import { tendBluetooth } from './ble.ts';
import { phone } from './ble-phone.ts';
import { takeWithdrawn } from './ble-token.ts';
import { boot } from './boot.ts';
import { tendCalibration } from './calibration.ts';
import { command, isBusy } from './commands.ts';
import { configure } from './configuration.ts';
import type { Effect } from './effect.ts';
import { takeFirmware, tendErrands } from './errands.ts';
import { attend } from './features.ts';
import { type Heard, hang, held } from './hang.ts';
import { isHeapUsedUp } from './health.ts';
import { immobilized } from './immobilizer.ts';
import type { Input } from './input.ts';
import { receipt, unreadable } from './journal.ts';
import { restartModem, simAfter, tendModem } from './modem.ts';
import { acknowledged, progressed } from './outbox.ts';
import { forceReset, isPowered, resetBox, wakeWhereFed } from './power.ts';
import { refitted } from './refit.ts';
import { isFarAhead, learn } from './rtc.ts';
import { tell } from './sampler.ts';
import { bootedAt } from './self-test.ts';
import {
  answeredHello,
  hangUp,
  isAnswerToReady,
  linkLost,
  opened,
  readyIsHeard,
  subscribed,
  tendSession,
} from './session.ts';
import { find } from './shelf.ts';
import type { BoxState } from './state.ts';
import { reckonCpuTime } from './status.ts';
import { adopt, begin, finish, frameOf, keepClock, type Turn } from './turn.ts';
import { installed, passesSelfTest, takeOffer, tendUpdate } from './update.ts';
import { wire } from './version.ts';
import { measureSignal } from './workshop.ts';

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
  const turn = begin(refitted(state, input), at);
  if (input.kind === 'boot') boot(turn, input.pages, input.reason, input.entropy);
  else if (input.kind === 'sim') turn.ram.sim = simAfter(turn.ram.sim, input.to);
  else if (input.kind === 'fault') turn.ram.fault = input.fault;
  else if (input.kind === 'clock-jump' || input.kind === 'room') return finish(turn);
  else if (input.kind === 'firmware') takeFirmware(turn, input.version);
  else if (input.kind === 'update') takeOffer(turn, input.offer);
  else if (turn.ram.power === 'off') return { state, effects: [] };
  else if (input.kind === 'reset') forceReset(turn, input.reason);
  else if (isStill(turn) && input.kind !== 'tick') return { state, effects: [] };
  else {
    reckonCpuTime(turn);
    if (input.kind === 'hang') hang(turn, input.forMs);
    else if (input.kind === 'phone') {
      if (turn.ram.hang === undefined) phone(turn, input, input.senses);
    } else {
      const due = turn.ram.hang === undefined ? [input] : held(turn, turn.ram.hang, input);
      for (const one of due) hear(turn, one);
    }
  }
  if (turn.ram.power === 'up' && turn.ram.hang === undefined) tend(turn);
  return finish(turn);
}

/** Whether nothing runs that could take an input: a look at the power is all there is. */
function isStill({ ram }: Turn): boolean {
  return ram.power === 'dead' || ram.power === 'installing' || ram.power === 'asleep';
}

/** What the firmware hears while there is power. */
function hear(turn: Turn, input: Heard): void {
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
      if (turn.ram.power === 'up') attend(turn, input.senses);
      return;
    case 'immobilized':
      immobilized(turn, input.accepted);
      if (turn.ram.power === 'up') attend(turn, input.senses);
      return;
    case 'withdrawn':
      takeWithdrawn(turn, input.tokens);
      return;
    default:
      input satisfies never;
  }
}

function tick(turn: Turn, senses: Senses): void {
  if (turn.ram.power === 'asleep') {
    wakeWhereFed(turn, senses);
    return;
  }
  const { source } = turn.ram;
  if (!isPowered(turn, senses)) return;
  if (turn.ram.power === 'installing') {
    install(turn);
    return;
  }
  turn.ram.networks = senses.hasCoverage ? senses.networks : [];
  // A download goes by it; else it is measured when it is told.
  if (turn.flash.update?.phase === 'downloading') measureSignal(turn, senses);
  if (turn.ram.power === 'booting') {
    if (turn.at < bootedAt(turn)) return;
    if (!passesSelfTest(turn)) {
      resetBox(turn, 'SOFTWARE', limits.bootMs);
      return;
    }
    turn.ram.power = 'up';
    restartModem(turn, 0);
    resumeMoves(turn, senses);
    if (turn.ram.resetReason === 'BROWN_OUT') tell(turn, senses, 'power-restored');
  }
  if (source === 'backup' && turn.ram.source === 'supply') tell(turn, senses, 'power-restored');
  attend(turn, senses);
}

/** Once the time that takes has passed, the other bank is written. */
function install(turn: Turn): void {
  if (turn.at < (turn.ram.powerLookAt ?? 0)) return;
  installed(turn);
  resetBox(turn, 'SOFTWARE', limits.bootMs);
}

/** What is due by itself, in the order in which one thing can make the next one due. */
function tend(turn: Turn): void {
  tendBluetooth(turn);
  tendCalibration(turn);
  tendModem(turn);
  tendSession(turn);
  tendErrands(turn);
  if (turn.ram.power !== 'up') return;
  tendModem(turn);
  const { setup, calibration } = turn.ram;
  tendUpdate(turn, !isBusy(turn) && setup === undefined && calibration === undefined);
}

function received(turn: Turn, bytes: Uint8Array, senses: Senses): void {
  if (turn.ram.power !== 'up') return;
  const { configuration } = turn.flash;
  const payload = decodePayload(bytes);
  // Only a hello's answer sets a clock back: a clock that is far ahead asks in a session that begins anew.
  const { phase } = turn.ram.session;
  const hasJumped =
    phase === 'ready' &&
    payload.frames.some(({ frame }) => isFarAhead(turn.ram.clock, turn.counterMs, frame.clockMs));
  let strays = payload.faults.length;
  const known = wire(turn);
  for (const { frame } of payload.frames)
    if (frame.generation > known || !obey(turn, frame, senses)) strays += 1;
  // Another configuration counts at once.
  if (turn.flash.configuration !== configuration) attend(turn, senses);
  if (hasJumped) hangUp(turn);
  if (strays === 0) return;
  turn.ram.counts = { ...turn.ram.counts, strayFrames: turn.ram.counts.strayFrames + strays };
  // It waits for memory that nobody gives back; only the watchdog ends that.
  if (isHeapUsedUp(turn)) hang(turn, 2 * limits.watchdogMs);
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
      readyIsHeard(turn);
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
  const { session, doubted } = turn.ram;
  const change = receipt(turn.flash.journal, message.contiguous, message.ranges);
  // Made after what it answers, so later than that: after the hello, or the reply that took a request for expired.
  const isAboutDoubted =
    doubted !== undefined && change.gone.some((one) => one.sequence === doubted.sequence);
  const askedAt = session.phase === 'greeting' ? session.helloAt : isAboutDoubted ? doubted.at : undefined;
  tellTime(turn, frame.clockMs, askedAt === undefined ? undefined : turn.at - askedAt);
  if (isAboutDoubted) turn.ram.doubted = undefined;
  adopt(turn, change);
  if (change.gone.length > 0) progressed(turn, message, change.gone);
  if (session.phase === 'greeting') answeredHello(turn, frame.clockMs);
  else if (change.gone.length > 0 || isAnswerToReady(turn, frame.clockMs)) readyIsHeard(turn);
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
