import { decodePayload } from '../../../protocol/codec/frame.ts';
import type { Frame, Receipt, Unreadable } from '../../../protocol/message.ts';
import { limits } from '../../limits.ts';
import type { SensorInputs } from '../../vehicle/sensing/vehicle-ports.ts';
import { operateBluetooth } from '../bluetooth/bluetooth.ts';
import { handlePhone } from '../bluetooth/bluetooth-phone.ts';
import { noteWithdrawnTokens } from '../bluetooth/bluetooth-token.ts';
import { handleActuated, handleHindered, resumeActuation } from '../commands/actuation.ts';
import { wireGeneration } from '../commands/command-support.ts';
import { handleCommand, isBusy } from '../commands/commands.ts';
import { handleImmobilized } from '../commands/immobilizer.ts';
import { operatePendingTasks, takeFirmware } from '../commands/pending-tasks.ts';
import { measureSignal } from '../commands/workshop.ts';
import { operateCalibration } from '../detect/calibration.ts';
import { entryCount, findEntry } from '../journal/entry-index.ts';
import { applyReceipt, handleUnreadable } from '../journal/journal.ts';
import { handleAcknowledged, handleHeard, handleReceiptProgress, sendAllAgain } from '../journal/outbox.ts';
import { timedSince } from '../journal/receipt-timing.ts';
import { checkPower, cutPower, forceReset, resetBox, wakeIfSupplied } from '../power/power.ts';
import { isFarAhead, learnTime } from '../power/rtc.ts';
import { isHeapUsedUp } from '../sampling/health.ts';
import { recordEvent } from '../sampling/sampler.ts';
import { updateCpuTime } from '../sampling/status.ts';
import { operateModem, restartModem, simAfter } from '../session/modem.ts';
import {
  confirmReady,
  dropConnection,
  handleConnectionLost,
  handleHelloAnswered,
  handleOpened,
  handleSubscribed,
  isAnswerToReady,
  isFromBefore,
  operateSession,
} from '../session/session.ts';
import { hang, inputsWhileHanging } from '../session/watchdog.ts';
import {
  acceptUpdateOffer,
  bootedAt,
  markInstalled,
  operateUpdate,
  passesSelfTest,
} from '../update/update.ts';
import { boot } from './boot.ts';
import { handleConfiguration } from './configuration.ts';
import type { FirmwareEffect } from './effect.ts';
import { operateFeatures } from './features.ts';
import type { FirmwareInput, RunningInput } from './input.ts';
import type { BoxState } from './state.ts';
import { beginStep, type StepContext } from './step-context.ts';
import { applyJournalChange, encodedFrame, finishStep, saveClock } from './step-writes.ts';

/**
 * The firmware: the state of a box and its effects after one input. Pure and total: the same arguments give
 * the same result, and no input bytes make it throw. `at` is true time in milliseconds and never decreases;
 * the firmware knows it only through its own counters (simulator/firmware/power/rtc.ts).
 */
export function step(
  state: BoxState,
  at: number,
  input: FirmwareInput,
): { readonly state: BoxState; readonly effects: readonly FirmwareEffect[] } {
  const context = beginStep(withHardwareChange(state, input, at), at);
  if (input.kind === 'boot') boot(context, input.pages, input.reason, input.entropy);
  else if (input.kind === 'sim') context.ram.sim = simAfter(context.ram.sim, input.to);
  else if (input.kind === 'fault') context.ram.fault = input.fault;
  else if (input.kind === 'clock-jump' || input.kind === 'clock-drift' || input.kind === 'room')
    return finishStep(context);
  else if (input.kind === 'power-cut') cutPower(context);
  else if (input.kind === 'firmware') takeFirmware(context, input.version);
  else if (input.kind === 'update') acceptUpdateOffer(context, input.offer);
  else if (context.ram.power === 'off') return { state, effects: [] };
  else if (input.kind === 'reset') forceReset(context, input.reason);
  else if (isSuspended(context) && input.kind !== 'tick') return { state, effects: [] };
  else {
    updateCpuTime(context);
    if (input.kind === 'hang') hang(context, input.forMs);
    else if (input.kind === 'phone') {
      if (context.ram.hang === undefined) handlePhone(context, input, input.sensors);
    } else {
      const due =
        context.ram.hang === undefined ? [input] : inputsWhileHanging(context, context.ram.hang, input);
      for (const one of due) handleInput(context, one);
    }
  }
  if (context.ram.power === 'up' && context.ram.hang === undefined) operateAll(context);
  return finishStep(context);
}

/** Whether the processor cannot take an input: only the power is checked. */
function isSuspended({ ram }: StepContext): boolean {
  return ram.power === 'dead' || ram.power === 'installing' || ram.power === 'asleep';
}

/** Handles an input while there is power. */
function handleInput(context: StepContext, input: RunningInput): void {
  switch (input.kind) {
    case 'tick':
      handleTick(context, input.sensors);
      return;
    case 'opened':
      handleOpened(context, input.isResumed === true);
      return;
    case 'subscribed':
      handleSubscribed(context);
      return;
    case 'closed':
      handleConnectionLost(context);
      return;
    case 'acknowledged':
      handleAcknowledged(context, input.token);
      return;
    case 'received':
      handleReceived(context, input.bytes, input.sensors);
      return;
    case 'actuated':
      if (input.hindrance !== undefined) handleHindered(context, input.hindrance, input.sensors);
      else handleActuated(context, input.accepted, input.sensors);
      if (context.ram.power === 'up') operateFeatures(context, input.sensors);
      return;
    case 'immobilized':
      handleImmobilized(context, input.accepted);
      if (context.ram.power === 'up') operateFeatures(context, input.sensors);
      return;
    case 'withdrawn':
      noteWithdrawnTokens(context, input.tokens);
      return;
    default:
      input satisfies never;
  }
}

function handleTick(context: StepContext, sensors: SensorInputs): void {
  if (context.ram.power === 'asleep') {
    wakeIfSupplied(context, sensors);
    return;
  }
  const { powerSource: source } = context.ram;
  if (!checkPower(context, sensors)) return;
  if (context.ram.power === 'installing') {
    finishInstallation(context);
    return;
  }
  context.ram.networks = sensors.hasCoverage ? sensors.networks : [];
  // The download speed depends on it; otherwise it is measured when it is reported.
  if (context.flash.update?.phase === 'downloading') measureSignal(context, sensors);
  if (context.ram.power === 'booting') {
    if (context.at < bootedAt(context)) return;
    if (!passesSelfTest(context)) {
      resetBox(context, 'SOFTWARE', limits.bootMs);
      return;
    }
    context.ram.power = 'up';
    restartModem(context, 0);
    resumeActuation(context, sensors);
    if (context.ram.resetReason === 'BROWN_OUT') recordEvent(context, sensors, 'power-restored');
  }
  if (source === 'backup' && context.ram.powerSource === 'supply')
    recordEvent(context, sensors, 'power-restored');
  operateFeatures(context, sensors);
}

/** Ends an installation once its time has passed: the other bank is written. */
function finishInstallation(context: StepContext): void {
  if (context.at < (context.ram.powerLookAt ?? 0)) return;
  markInstalled(context);
  resetBox(context, 'SOFTWARE', limits.bootMs);
}

/** Runs every part that is due, ordered so that one can make the next one due. */
function operateAll(context: StepContext): void {
  operateBluetooth(context);
  operateCalibration(context);
  operateModem(context);
  operateSession(context);
  operatePendingTasks(context);
  if (context.ram.power !== 'up') return;
  operateModem(context);
  const { setup, calibration } = context.ram;
  operateUpdate(context, !isBusy(context) && setup === undefined && calibration === undefined);
}

function handleReceived(context: StepContext, bytes: Uint8Array, sensors: SensorInputs): void {
  if (context.ram.power !== 'up') return;
  const { configuration } = context.flash;
  const payload = decodePayload(bytes);
  if (payload.frames.length > 0) handleHeard(context);
  const { phase } = context.ram.session;
  let strays = payload.faults.length;
  const known = wireGeneration(context);
  for (const { frame } of payload.frames)
    if (frame.generation > known || !handleFrame(context, frame, sensors)) strays += 1;
  // A changed configuration takes effect immediately.
  if (context.flash.configuration !== configuration) operateFeatures(context, sensors);
  // After the frames: one of them may have set the clock back, as only an answer does. Else it asks in a new session.
  const hasJumped = payload.frames.some(({ frame }) =>
    isFarAhead(context.ram.clock, context.counterMs, frame.clockMs),
  );
  if (phase === 'ready' && hasJumped) dropConnection(context);
  if (strays === 0) return;
  context.ram.counts = { ...context.ram.counts, strayFrames: context.ram.counts.strayFrames + strays };
  // It waits for memory that is never released; only the watchdog ends that.
  if (isHeapUsedUp(context)) hang(context, 2 * limits.watchdogMs);
}

/** Handles a frame of the backend. False: it is not for this box in its present state. */
function handleFrame(context: StepContext, frame: Frame, sensors: SensorInputs): boolean {
  const { message } = frame;
  const isOurs = frame.epoch === context.flash.journal.epoch;
  switch (message.kind) {
    case 'receipt':
      if (!isOurs) return false;
      handleReceipt(context, frame, message);
      return true;
    case 'unreadable':
      if (!isOurs) return false;
      sendAgain(context, message);
      return true;
    case 'resend':
      if (!isOurs) return false;
      sendAllAgain(context);
      return true;
    case 'command':
    case 'configuration':
      // A backend that does not know the epoch yet sends 0.
      if (!isOurs && frame.epoch !== 0) return false;
      learnBackendTime(context, frame.clockMs, undefined);
      confirmReady(context);
      if (message.kind === 'command') handleCommand(context, message, sensors);
      else handleConfiguration(context, message);
      return true;
    default:
      return false;
  }
}

function learnBackendTime(context: StepContext, statedMs: number, waitedMs: number | undefined): void {
  context.ram.clock = learnTime(context.ram.clock, context.counterMs, statedMs, waitedMs);
  saveClock(context);
}

function handleReceipt(context: StepContext, frame: Frame, message: Receipt): void {
  const { session } = context.ram;
  const isOfHello = session.phase === 'greeting' && !isFromBefore(context, frame.clockMs);
  const change = applyReceipt(context.flash.journal, message.contiguous, message.ranges);
  // It was made after the frame that it answers: the hello, or the timed record. Not the `ready`: its apparent answer
  // may be a second one to a duplicated hello.
  const timedAt = timedSince(context.ram.timing, change.removed);
  const askedAt = isOfHello ? session.helloAt : timedAt;
  learnBackendTime(context, frame.clockMs, askedAt === undefined ? undefined : context.at - askedAt);
  applyJournalChange(context, change);
  if (change.removed.length > 0) handleReceiptProgress(context, message, change.removed);
  if (isOfHello) handleHelloAnswered(context, frame.clockMs);
  else if (change.removed.length > 0 || isAnswerToReady(context, frame.clockMs)) confirmReady(context);
}

function sendAgain(context: StepContext, message: Unreadable): void {
  for (const sequence of message.sequences) {
    const entry = findEntry(context.flash.journal.entryIndex, sequence);
    if (entry === undefined) continue;
    const encodeRecord = (number: number, what: Parameters<typeof encodedFrame>[1]) =>
      encodedFrame(context, what, number);
    const { change, again } = handleUnreadable(context.flash.journal, entry, encodeRecord);
    applyJournalChange(context, change);
    const { outbox } = context.ram;
    if (again && !outbox.again.includes(sequence)) {
      context.ram.outbox = { ...outbox, again: [...outbox.again, sequence] };
    }
  }
}

/**
 * The box after a change of its hardware at `at` that its firmware does not notice: the counter of its clock jumps or
 * runs at another rate from its present value, or its flash is limited to fewer records (at least one, and those that
 * it holds).
 */
function withHardwareChange(state: BoxState, input: FirmwareInput, at: number): BoxState {
  const { facts, flash } = state;
  if (input.kind === 'clock-jump') {
    return { ...state, facts: { ...facts, rtcOffsetMs: facts.rtcOffsetMs + Math.round(input.byMs) } };
  }
  if (input.kind === 'clock-drift') {
    const sinceMs = at * ((facts.rtcDriftPpm - input.ppm) / 1_000_000);
    return {
      ...state,
      facts: { ...facts, rtcDriftPpm: input.ppm, rtcOffsetMs: facts.rtcOffsetMs + Math.round(sinceMs) },
    };
  }
  if (input.kind !== 'room') return state;
  const { entryIndex } = flash.journal;
  const journalRecords = input.records ?? Math.max(1, entryCount(entryIndex) - entryIndex.counts.tombstone);
  return {
    ...state,
    facts: { ...facts, journalRecords },
    flash: { ...flash, journal: { ...flash.journal, capacity: journalRecords } },
  };
}
