import { type FirmwareVersion, hasAbility } from '../../../protocol/firmware.ts';
import { limits } from '../../limits.ts';
import type { SensorInputs } from '../../vehicle/sensing/vehicle-ports.ts';
import type { StepContext } from '../core/step-context.ts';
import { recordEvent } from '../sampling/sampler.ts';
import { goOffline } from '../session/going-offline.ts';
import { imageOf, type ProgramImage, supportsUpdates, type UpdateOffer } from './image.ts';
import { firmwareKey, firmwarePage, updateKey, updatePage } from './program-pages.ts';
import type { FirmwareUpdate, InstalledProgram, UpdateOutcome, UpdateTransfer } from './update-state.ts';

function saveUpdate(context: StepContext, change: Partial<FirmwareUpdate>): void {
  if (context.flash.update === undefined) return;
  context.flash.update = { ...context.flash.update, ...change };
  context.writes.push({ put: updateKey, bytes: updatePage(context.flash.update) });
}

function endUpdate(context: StepContext, outcome: UpdateOutcome): void {
  saveUpdate(context, { phase: 'over', outcome, isReported: false });
  context.ram.transfer = undefined;
}

/** The program that the box boots from now on unless one is on trial. */
export function programOf({ flash, facts }: Pick<StepContext, 'flash' | 'facts'>): InstalledProgram {
  return flash.firmware ?? { version: facts.firmware, bank: 0, other: undefined };
}

/**
 * Handles an offer of the maker's update server. A later offer replaces one that is being downloaded. While
 * one is being installed or on trial, offers are ignored. Firmware without update support ignores all offers.
 */
export function acceptUpdateOffer(context: StepContext, offer: UpdateOffer): void {
  const { power, firmware } = context.ram;
  const phase = context.flash.update?.phase;
  if (power !== 'up' || phase === 'installing' || phase === 'trial' || !supportsUpdates(firmware)) return;
  context.ram.transfer = undefined;
  context.flash.update = {
    offer,
    phase: 'downloading',
    received: 0,
    digest: 0,
    connectionBreaks: 0,
    installs: 0,
    trials: 0,
    offeredCounterMs: context.counterMs,
    outcome: undefined,
    isReported: true,
  };
  if (imageOf(offer).sizeBytes > limits.bankBytes) endUpdate(context, 'too-large');
  else saveUpdate(context, {});
}

/** Performs the update step that is due. A box with nothing else to do installs a downloaded program. */
export function operateUpdate(context: StepContext, isIdle: boolean): void {
  const { update } = context.flash;
  if (update === undefined || update.phase === 'over' || context.ram.goingOffline !== undefined) return;
  if (context.counterMs - update.offeredCounterMs > limits.updateDeadlineMs) endUpdate(context, 'too-late');
  else if (update.phase === 'downloading') download(context, update);
  else if (update.phase === 'downloaded' && isIdle && context.ram.sampler.seen?.ignitionOn === false) {
    saveUpdate(context, { phase: 'installing', installs: update.installs + 1 });
    goOffline(context, 'update');
  }
}

function download(context: StepContext, update: FirmwareUpdate): void {
  const { transfer, modem } = context.ram;
  if (modem.phase !== 'data-up') {
    if (transfer !== undefined) breakTransfer(context);
    return;
  }
  if (transfer !== undefined && context.at < transfer.dueAt) return;
  if (transfer === undefined || transfer.isWaiting) {
    context.ram.transfer = { dueAt: context.at + chunkMs(context.ram.csq), isWaiting: false, chunks: 0 };
    return;
  }
  receive(context, update, transfer, imageOf(update.offer));
}

/** Stores one more chunk. After the last one the whole image is checked against the maker's signature. */
function receive(
  context: StepContext,
  update: FirmwareUpdate,
  transfer: UpdateTransfer,
  image: ProgramImage,
): void {
  const digest = image.digestOf(update.digest, update.received);
  const received = update.received + 1;
  if (received >= image.chunks) {
    context.ram.transfer = undefined;
    if (digest === image.digest) saveUpdate(context, { phase: 'downloaded', received, digest });
    else endUpdate(context, 'corrupt');
    return;
  }
  saveUpdate(context, { received, digest });
  const chunks = transfer.chunks + 1;
  if (chunks !== image.chunksPerConnection) {
    context.ram.transfer = { ...transfer, dueAt: context.at + chunkMs(context.ram.csq), chunks };
    return;
  }
  breakTransfer(context);
  saveUpdate(context, { connectionBreaks: update.connectionBreaks + 1 });
  if (update.connectionBreaks + 1 >= limits.downloadBreaks) endUpdate(context, 'cut-off');
  else context.ram.transfer = { dueAt: context.at + limits.downloadRetryMs, isWaiting: true, chunks: 0 };
}

/**
 * Handles the end of the connection to the server, and drops the data that this firmware cannot resume from.
 */
function breakTransfer(context: StepContext): void {
  context.ram.transfer = undefined;
  if (!hasAbility(context.ram.firmware, 'resumed-download')) saveUpdate(context, { received: 0, digest: 0 });
}

/** How long one chunk takes, in milliseconds, by the signal quality (3GPP TS 27.007). */
function chunkMs(csq: number): number {
  const row = limits.downloadSpeeds.find(({ csq: least }) => csq >= least && csq !== 99);
  return Math.ceil((limits.chunkBytes * 1000) / (row?.bytesPerS ?? limits.downloadLeastBytesPerS));
}

/** Marks the other bank as written: the next boot runs it on trial. */
export function markInstalled(context: StepContext): void {
  saveUpdate(context, { phase: 'trial', trials: 0 });
}

/**
 * Selects the program at boot. An interrupted installation left an incomplete bank, so the old program runs.
 * A program on trial has a limited number of boots to pass its self-test.
 */
export function programAtBoot(context: StepContext): FirmwareVersion {
  const { update } = context.flash;
  const program = programOf(context);
  switch (update?.phase) {
    case 'downloading':
      if (!hasAbility(program.version, 'resumed-download') && update.received > 0)
        saveUpdate(context, { received: 0, digest: 0 });
      return program.version;
    case 'installing':
      if (update.installs >= limits.updateInstalls) endUpdate(context, 'interrupted');
      else saveUpdate(context, { phase: 'downloaded' });
      return program.version;
    case 'trial':
      if (update.trials >= limits.trialBoots) {
        endUpdate(context, 'rolled-back');
        return program.version;
      }
      saveUpdate(context, { trials: update.trials + 1 });
      return update.offer.version;
    default:
      return program.version;
  }
}

export function isOnTrial({ flash }: Pick<StepContext, 'flash'>): boolean {
  return flash.update?.phase === 'trial';
}

/** Ends the self-test. True: the program passed it and is in force from now on. */
export function passesSelfTest(context: StepContext): boolean {
  const { update } = context.flash;
  if (update === undefined || update.phase !== 'trial') return true;
  if (!imageOf(update.offer).passesSelfTest) {
    endUpdate(context, 'rolled-back');
    return false;
  }
  const { version, bank } = programOf(context);
  activateProgram(context, { version: update.offer.version, bank: bank === 0 ? 1 : 0, other: version });
  endUpdate(context, 'installed');
  return true;
}

export function activateProgram(context: StepContext, program: InstalledProgram): void {
  context.flash.firmware = program;
  context.writes.push({ put: firmwareKey, bytes: firmwarePage(program) });
}

/** Whether an update is over and its outcome is not recorded yet. */
function isUnreported({ update }: StepContext['flash']): boolean {
  return update?.phase === 'over' && !update.isReported;
}

/**
 * Whether something is to be done when the box is idle: install a downloaded program, or report an outcome.
 */
export function isUpdatePending(flash: StepContext['flash']): boolean {
  return flash.update?.phase === 'downloaded' || isUnreported(flash);
}

/** Reports once how an update ended. If the journal has no room, it is tried again at the next look. */
export function reportUpdateOutcome(context: StepContext, sensors: SensorInputs): void {
  const { update } = context.flash;
  if (update === undefined || !isUnreported(context.flash)) return;
  const event = update.outcome === 'installed' ? 'firmware-updated' : 'firmware-update-failed';
  if (recordEvent(context, sensors, event) !== undefined) saveUpdate(context, { isReported: true });
}

/** Aborts an update that is under way because a workshop installs a program. */
export function abandonUpdate(context: StepContext): void {
  if (context.flash.update === undefined) return;
  context.flash.update = undefined;
  context.ram.transfer = undefined;
  context.writes.push({ erase: updateKey });
}

/** When a booting box is up: a program on trial tests itself first. */
export function bootedAt({ ram, flash }: Pick<StepContext, 'ram' | 'flash'>): number {
  return ram.bootedAt + limits.bootMs + (isOnTrial({ flash }) ? limits.selfTestMs : 0);
}
