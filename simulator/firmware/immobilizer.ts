import { limits } from '../limits.ts';
import type { Senses } from '../vehicle/senses.ts';
import type { Turn } from './turn.ts';

/** A vehicle that was left: ignition off and locked. Driving is disabled once for each time that it is left. */
export interface Left {
  readonly since: number;
  /** The relay was cut, or there was nothing to be cut. */
  readonly isDone: boolean;
  /** The relay refused: not before that time again. */
  readonly retryAt: number;
}

/** Notices that the vehicle is left or returned to, and disables driving where that is configured and due. */
export function tendImmobilizer(turn: Turn, senses: Senses): void {
  const { ram } = turn;
  if (senses.ignitionOn || !senses.locked) {
    ram.left = undefined;
    return;
  }
  const left = ram.left ?? { since: turn.at, isDone: false, retryAt: 0 };
  ram.left = left;
  if (left.isDone || turn.at < (immobilizerDueAt(turn) ?? Number.POSITIVE_INFINITY)) return;
  ram.left = { ...left, isDone: true };
  if (senses.drivingEnabled) turn.effects.push({ kind: 'immobilize' });
}

/** When driving is to be disabled; undefined: it is not. */
export function immobilizerDueAt({ ram, flash }: Pick<Turn, 'ram' | 'flash'>): number | undefined {
  const { values } = flash.configuration;
  if (ram.left === undefined || ram.left.isDone || values['immobilizer.enabled'] !== 1) return undefined;
  return Math.max(ram.left.since + values['immobilizer.delayS'] * 1000, ram.left.retryAt);
}

/** The relay has been cut, which the look behind it tells as any other change; or it refused. */
export function immobilized(turn: Turn, isAccepted: boolean): void {
  const { left } = turn.ram;
  if (!isAccepted && left !== undefined)
    turn.ram.left = { ...left, isDone: false, retryAt: turn.at + limits.immobilizerRetryMs };
}
