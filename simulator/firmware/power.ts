import type { ResetReason } from '../../protocol/message.ts';
import { limits } from '../limits.ts';
import type { Senses } from '../vehicle/senses.ts';
import { concludeCrash } from './detect-crash.ts';
import { hangUp } from './session.ts';
import type { Turn } from './turn.ts';

/**
 * Where the box takes its power from. Its supply can be in one of four states:
 *
 *     mV   0 ──────── 3,000 ──────── 6,000 ───── 9,000 ─── 10,500 ──────
 *          gone            sinking          (nothing new)  low   good
 *
 * - gone: the backup battery takes over. The moment that takes resets the processor: BACKUP. When that battery is
 *   nearly empty the box powers down by itself, and is back with the supply: POWER_DOWN_MODE. Without any power it
 *   starts as for the first time when there is some: GENERAL.
 * - sinking, as by a starter on a weak battery: the switch stays on the supply, which does not feed the processor any
 *   more. Dead until the supply is well above it: BROWN_OUT. While the box was starting its reset register is not
 *   written yet, and holds anything: UNKNOWN.
 * - low for long with the ignition off: the box powers down, so that the vehicle can still be started.
 */
export type Source = 'supply' | 'backup';

/** The processor stops; the host boots it again after `downMs`. The RAM is lost then. */
export function resetBox(turn: Turn, reason: ResetReason, downMs: number): void {
  concludeCrash(turn);
  turn.ram.power = 'off';
  turn.ram.leaving = undefined;
  turn.ram.errand = undefined;
  turn.effects.push({ kind: 'reset', reason, downMs });
}

/** A reset from outside: button, watchdog. The link dies without a goodbye. */
export function forceReset(turn: Turn, reason: ResetReason): void {
  if (turn.ram.power === 'off') return;
  hangUp(turn);
  resetBox(turn, reason, limits.resetDownMs);
}

/** Looks at the supply. True: the processor is alive and the step may go on. */
export function isPowered(turn: Turn, senses: Senses): boolean {
  const { ram } = turn;
  const { supplyMillivolts } = senses;
  if (ram.power === 'dead') return isRevived(turn, senses);
  if (supplyMillivolts >= limits.brownOutMillivolts) {
    ram.source = 'supply';
    return true;
  }
  if (supplyMillivolts >= limits.goneMillivolts) return die(turn, isStarting(turn) ? 'UNKNOWN' : 'BROWN_OUT');
  if (isBackupEmpty(senses, 0)) return die(turn, 'GENERAL');
  if (ram.source === 'supply') {
    hangUp(turn);
    resetBox(turn, 'BACKUP', limits.bootMs);
    return false;
  }
  ram.source = 'backup';
  return true;
}

function isStarting({ ram }: Turn): boolean {
  return ram.power === 'booting';
}

function die(turn: Turn, reason: ResetReason): false {
  hangUp(turn);
  concludeCrash(turn);
  turn.ram.power = 'dead';
  turn.ram.source = undefined;
  turn.ram.revivedBy = reason;
  return false;
}

/** Dead: power is good again, or what is left of it has sunk so far that the backup battery takes over. */
function isRevived(turn: Turn, senses: Senses): false {
  const { supplyMillivolts } = senses;
  if (supplyMillivolts >= limits.restoreMillivolts) resetBox(turn, turn.ram.revivedBy, limits.bootMs);
  else if (supplyMillivolts < limits.goneMillivolts && !isBackupEmpty(senses, limits.backupReservePercent))
    resetBox(turn, 'BACKUP', limits.bootMs);
  return false;
}

/** Whether the backup battery holds no more than that. A box whose battery cannot be read has none. */
function isBackupEmpty({ signals }: Senses, percent: number): boolean {
  return (signals.power?.backupPercent ?? 0) <= percent;
}

/**
 * Whether a running box should power down: on a backup battery that is nearly empty, or for a supply that has been low
 * for long. When to look again is kept.
 */
export function wantsToSleep(turn: Turn, senses: Senses): boolean {
  const { ram } = turn;
  if (ram.source === 'backup') {
    ram.lowSince = undefined;
    ram.powerLookAt = turn.at + limits.backupLookMs;
    return isBackupEmpty(senses, limits.backupReservePercent);
  }
  if (senses.ignitionOn || senses.supplyMillivolts >= limits.lowMillivolts) {
    ram.lowSince = undefined;
    ram.powerLookAt = undefined;
    return false;
  }
  const since = ram.lowSince ?? turn.at;
  ram.lowSince = since;
  ram.powerLookAt = Math.max(since + limits.lowMs, turn.at + 1);
  return turn.at >= since + limits.lowMs;
}

/** A box that has powered down: it starts where the supply is good again, or somebody turns the ignition on. */
export function wakeWhereFed(turn: Turn, senses: Senses): void {
  const least = senses.ignitionOn ? limits.restoreMillivolts : limits.wakeMillivolts;
  if (senses.supplyMillivolts >= least) resetBox(turn, 'POWER_DOWN_MODE', limits.bootMs);
  else turn.ram.powerLookAt = turn.at + limits.asleepLookMs;
}
