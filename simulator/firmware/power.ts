import type { ResetReason } from '../../protocol/message.ts';
import { limits } from '../limits.ts';
import type { Senses } from '../vehicle/senses.ts';
import { hangUp } from './session.ts';
import type { Turn } from './turn.ts';

/** The processor stops; the host boots it again after `downMs`. The RAM is lost then. */
export function resetBox(turn: Turn, reason: ResetReason, downMs: number): void {
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

/**
 * Watches the supply. Below the brown-out threshold the box is dead, without a goodbye, until the supply is well
 * above it again; then it resets. True: it is alive and the step may go on.
 */
export function isPowered(turn: Turn, senses: Senses): boolean {
  if (turn.ram.power === 'dead') {
    if (senses.supplyMillivolts >= limits.restoreMillivolts) resetBox(turn, 'BROWN_OUT', limits.bootMs);
    return false;
  }
  if (senses.supplyMillivolts >= limits.brownOutMillivolts) return true;
  hangUp(turn);
  turn.ram.power = 'dead';
  return false;
}
