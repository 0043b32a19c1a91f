import type { Signals } from '../../protocol/signals.ts';
import type { Senses } from '../vehicle/senses.ts';
import { networkOf } from './modem.ts';
import { wakesFor } from './rest.ts';
import { keepCounters, record, type Turn } from './turn.ts';

/**
 * Workshop mode: the box keeps off the OBD interface, so that a tester can be plugged in. Its reports then hold
 * nothing from OBD, and what the backend knew of those values stays as it was, with the old timestamps; every other
 * source goes on. The mode is kept in flash.
 */
export function setWorkshop(turn: Turn, isOn: boolean, senses: Senses): void {
  if (turn.flash.counters.workshop === isOn) return;
  keepCounters(turn, { workshop: isOn });
  record(turn, {
    kind: 'event',
    event: isOn ? 'workshop-mode-on' : 'workshop-mode-off',
    signals: readSignals(turn, senses),
  });
}

/** Asks the modem for its signal. */
export function measureSignal(turn: Turn, senses: Senses): void {
  turn.ram.csq = senses.hasCoverage ? senses.csq : 99;
}

/**
 * What the box reads from its inputs for a record: without OBD in workshop mode, and with its own modem's reading. Where
 * it owes what a vehicle at rest has to say, it wakes the control units for that (rest.ts).
 */
export function readSignals(turn: Turn, senses: Senses): Signals {
  return composed(turn, senses, wakesFor(turn, senses) ? senses.signalsAwake : senses.signals);
}

/** The same of what can be heard without waking anybody. */
export function hearSignals(turn: Turn, senses: Senses): Signals {
  return composed(turn, senses, senses.signals);
}

function composed(turn: Turn, senses: Senses, signals: Signals): Signals {
  measureSignal(turn, senses);
  const { phase } = turn.ram.modem;
  const isRegistered = phase === 'registered' || phase === 'data-up';
  const network = networkOf(turn.ram.networks, turn.flash.counters.network);
  const modem = {
    csq: isRegistered ? turn.ram.csq : 99,
    network: isRegistered ? (network?.code ?? 0) : 0,
  };
  if (!turn.flash.counters.workshop) return { ...signals, modem };
  const { obd: _obd, troubleCodes: _troubleCodes, ...others } = signals;
  return { ...others, modem };
}
