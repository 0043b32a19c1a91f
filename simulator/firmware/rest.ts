import type { RecordMessage } from '../../protocol/message.ts';
import type { Signals } from '../../protocol/signals.ts';
import type { Senses } from '../vehicle/senses.ts';
import type { Turn } from './turn.ts';

/**
 * A bus falls silent soon after the ignition goes off, and what was said last would stand for as long as the vehicle
 * does: the speed before the standstill, a gear, the generator's volts. So the box owes one reading of the vehicle at
 * rest, with the control units awake: each time the ignition goes off, where that is an event that carries it; and after
 * a boot, which may have missed it. It is owed until it is recorded with something of a bus in it. In workshop mode the
 * box keeps off the bus, and goes on owing it.
 */
export function wakesFor({ ram, flash }: Pick<Turn, 'ram' | 'flash'>, senses: Senses): boolean {
  return ram.sampler.owesRest && !senses.ignitionOn && !flash.counters.workshop;
}

/** Whether the reading is owed and can be taken now, though nothing else is to be told. */
export function isRestDue(turn: Turn, senses: Senses): boolean {
  return wakesFor(turn, senses) && hasBus(senses.signalsAwake);
}

/** A record has found its room: what it carries is owed no more. */
export function restRecorded(turn: Turn, message: RecordMessage): void {
  const { sampler } = turn.ram;
  if (!sampler.owesRest || sampler.seen?.ignitionOn === true || turn.flash.counters.workshop) return;
  if (!('signals' in message) || message.signals === undefined || !hasBus(message.signals)) return;
  turn.ram.sampler = { ...sampler, owesRest: false };
}

function hasBus({ obd, can }: Signals): boolean {
  return (obd?.length ?? 0) > 0 || (can?.length ?? 0) > 0;
}
