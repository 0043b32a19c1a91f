import { type FirmwareVersion, hasAbility } from '../../protocol/firmware.ts';
import { limits } from '../limits.ts';
import type { Senses } from '../vehicle/senses.ts';
import { type Image, imageOf, type Offer, takesUpdates } from './image.ts';
import { leave } from './leaving.ts';
import { firmwareKey, firmwarePage, updateKey, updatePage } from './program-pages.ts';
import { tell } from './sampler.ts';
import type { Turn } from './turn.ts';
import type { Outcome, Program, Transfer, Update } from './update-state.ts';

function keep(turn: Turn, change: Partial<Update>): void {
  if (turn.flash.update === undefined) return;
  turn.flash.update = { ...turn.flash.update, ...change };
  turn.writes.push({ put: updateKey, bytes: updatePage(turn.flash.update) });
}

function end(turn: Turn, outcome: Outcome): void {
  keep(turn, { phase: 'over', outcome, isTold: false });
  turn.ram.transfer = undefined;
}

/** The program that the box starts from now on where nothing is on trial. */
export function programOf({ flash, facts }: Pick<Turn, 'flash' | 'facts'>): Program {
  return flash.firmware ?? { version: facts.firmware, bank: 0, other: undefined };
}

/**
 * The maker's server has a program for this box. A later offer takes the place of one that is being downloaded; while
 * one is installed or on trial none is taken. Firmware that knows no updates does not hear it.
 */
export function takeOffer(turn: Turn, offer: Offer): void {
  const { power, firmware } = turn.ram;
  const phase = turn.flash.update?.phase;
  if (power !== 'up' || phase === 'installing' || phase === 'trial' || !takesUpdates(firmware)) return;
  turn.ram.transfer = undefined;
  turn.flash.update = {
    offer,
    phase: 'downloading',
    received: 0,
    digest: 0,
    breaks: 0,
    installs: 0,
    trials: 0,
    offeredCounterMs: turn.counterMs,
    outcome: undefined,
    isTold: true,
  };
  if (imageOf(offer).sizeBytes > limits.bankBytes) end(turn, 'too-large');
  else keep(turn, {});
}

/** Lets the update do what is due. A box that stands with nothing else to do installs what it has. */
export function tendUpdate(turn: Turn, isIdle: boolean): void {
  const { update } = turn.flash;
  if (update === undefined || update.phase === 'over' || turn.ram.leaving !== undefined) return;
  if (turn.counterMs - update.offeredCounterMs > limits.updatePatienceMs) end(turn, 'too-late');
  else if (update.phase === 'downloading') download(turn, update);
  else if (update.phase === 'downloaded' && isIdle && turn.ram.sampler.seen?.ignitionOn === false) {
    keep(turn, { phase: 'installing', installs: update.installs + 1 });
    leave(turn, 'update');
  }
}

function download(turn: Turn, update: Update): void {
  const { transfer, modem } = turn.ram;
  if (modem.phase !== 'data-up') {
    if (transfer !== undefined) breakOff(turn);
    return;
  }
  if (transfer !== undefined && turn.at < transfer.dueAt) return;
  if (transfer === undefined || transfer.isWaiting) {
    turn.ram.transfer = { dueAt: turn.at + chunkMs(turn.ram.csq), isWaiting: false, chunks: 0 };
    return;
  }
  receive(turn, update, transfer, imageOf(update.offer));
}

/** One more chunk is here: it is kept, and with the last one the whole is checked against what the maker signed. */
function receive(turn: Turn, update: Update, transfer: Transfer, image: Image): void {
  const digest = image.digestOf(update.digest, update.received);
  const received = update.received + 1;
  if (received >= image.chunks) {
    turn.ram.transfer = undefined;
    if (digest === image.digest) keep(turn, { phase: 'downloaded', received, digest });
    else end(turn, 'corrupt');
    return;
  }
  keep(turn, { received, digest });
  const chunks = transfer.chunks + 1;
  if (chunks !== image.chunksPerConnection) {
    turn.ram.transfer = { ...transfer, dueAt: turn.at + chunkMs(turn.ram.csq), chunks };
    return;
  }
  breakOff(turn);
  keep(turn, { breaks: update.breaks + 1 });
  if (update.breaks + 1 >= limits.downloadBreaks) end(turn, 'cut-off');
  else turn.ram.transfer = { dueAt: turn.at + limits.downloadRetryMs, isWaiting: true, chunks: 0 };
}

/** The connection to the server is gone, and with it what this firmware cannot go on from. */
function breakOff(turn: Turn): void {
  turn.ram.transfer = undefined;
  if (!hasAbility(turn.ram.firmware, 'resumed-download')) keep(turn, { received: 0, digest: 0 });
}

/** How long one chunk takes by the signal quality (3GPP TS 27.007). */
function chunkMs(csq: number): number {
  const row = limits.downloadSpeeds.find(({ csq: least }) => csq >= least && csq !== 99);
  return Math.ceil((limits.chunkBytes * 1000) / (row?.bytesPerS ?? limits.downloadLeastBytesPerS));
}

/** The other bank is written: the next boot runs it on trial. */
export function installed(turn: Turn): void {
  keep(turn, { phase: 'trial', trials: 0 });
}

/**
 * At a boot, before anything runs: which program it is. An installation that was interrupted left a bank that is not
 * whole, and the old program runs; a program on trial has so many boots to find itself working.
 */
export function bootedProgram(turn: Turn): FirmwareVersion {
  const { update } = turn.flash;
  const program = programOf(turn);
  switch (update?.phase) {
    case 'downloading':
      if (!hasAbility(program.version, 'resumed-download') && update.received > 0)
        keep(turn, { received: 0, digest: 0 });
      return program.version;
    case 'installing':
      if (update.installs >= limits.updateInstalls) end(turn, 'interrupted');
      else keep(turn, { phase: 'downloaded' });
      return program.version;
    case 'trial':
      if (update.trials >= limits.trialBoots) {
        end(turn, 'rolled-back');
        return program.version;
      }
      keep(turn, { trials: update.trials + 1 });
      return update.offer.version;
    default:
      return program.version;
  }
}

export function isOnTrial({ flash }: Pick<Turn, 'flash'>): boolean {
  return flash.update?.phase === 'trial';
}

/** The end of the self-test. True: the program found itself working, and is the one in force from now on. */
export function passesSelfTest(turn: Turn): boolean {
  const { update } = turn.flash;
  if (update === undefined || update.phase !== 'trial') return true;
  if (!imageOf(update.offer).isSound) {
    end(turn, 'rolled-back');
    return false;
  }
  const { version, bank } = programOf(turn);
  takeInForce(turn, { version: update.offer.version, bank: bank === 0 ? 1 : 0, other: version });
  end(turn, 'installed');
  return true;
}

export function takeInForce(turn: Turn, program: Program): void {
  turn.flash.firmware = program;
  turn.writes.push({ put: firmwareKey, bytes: firmwarePage(program) });
}

/** Whether an update is over and nobody was told how. */
function isUntold({ update }: Turn['flash']): boolean {
  return update?.phase === 'over' && !update.isTold;
}

/** Whether there is something to do as soon as the box finds the time: to install what it has, or to tell how it ended. */
export function isPending(flash: Turn['flash']): boolean {
  return flash.update?.phase === 'downloaded' || isUntold(flash);
}

/** Tells once how an update ended. Without room in the journal it is tried again with the next look. */
export function tellOutcome(turn: Turn, senses: Senses): void {
  const { update } = turn.flash;
  if (update === undefined || !isUntold(turn.flash)) return;
  const event = update.outcome === 'installed' ? 'firmware-updated' : 'firmware-update-failed';
  if (tell(turn, senses, event) !== undefined) keep(turn, { isTold: true });
}

/** A workshop's program overrules an update that is under way. */
export function abandonUpdate(turn: Turn): void {
  if (turn.flash.update === undefined) return;
  turn.flash.update = undefined;
  turn.ram.transfer = undefined;
  turn.writes.push({ erase: updateKey });
}
