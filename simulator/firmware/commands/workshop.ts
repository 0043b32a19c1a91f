import type { Signals } from '../../../protocol/signals.ts';
import type { SensorInputs } from '../../vehicle/sensing/vehicle-ports.ts';
import type { StepContext } from '../core/step-context.ts';
import { appendRecord, saveCounters } from '../core/step-writes.ts';
import { mayWakeControlUnits } from '../power/reading-at-rest.ts';
import { usedNetwork } from '../session/modem.ts';

/**
 * Workshop mode: the box keeps off the OBD interface, so that a tester can be plugged in. Its reports then
 * contain no OBD values, and the backend's values of those stay unchanged, with the old timestamps. All
 * other sources continue. The mode is stored in flash.
 */
export function setWorkshop(context: StepContext, isOn: boolean, sensors: SensorInputs): void {
  if (context.flash.counters.workshop === isOn) return;
  saveCounters(context, { workshop: isOn });
  appendRecord(context, {
    kind: 'event',
    event: isOn ? 'workshop-mode-on' : 'workshop-mode-off',
    signals: readSignals(context, sensors),
  });
}

/** Asks the modem for its signal. */
export function measureSignal(context: StepContext, sensors: SensorInputs): void {
  context.ram.csq = sensors.hasCoverage ? sensors.csq : 99;
}

/**
 * The inputs for a record: without OBD in workshop mode, and with the modem's own reading. If the reading at
 * rest is due, it wakes the control units for it (simulator/firmware/power/reading-at-rest.ts).
 */
export function readSignals(context: StepContext, sensors: SensorInputs): Signals {
  return withModemReading(
    context,
    sensors,
    mayWakeControlUnits(context, sensors) ? sensors.signalsAwake : sensors.signals,
  );
}

/** The same, without waking any control unit. */
export function readSignalsWithoutWaking(context: StepContext, sensors: SensorInputs): Signals {
  return withModemReading(context, sensors, sensors.signals);
}

function withModemReading(context: StepContext, sensors: SensorInputs, signals: Signals): Signals {
  measureSignal(context, sensors);
  const { phase } = context.ram.modem;
  const isRegistered = phase === 'registered' || phase === 'data-up';
  const network = usedNetwork(context.ram.networks, context.flash.counters.network);
  const modem = {
    csq: isRegistered ? context.ram.csq : 99,
    network: isRegistered ? (network?.code ?? 0) : 0,
  };
  if (!context.flash.counters.workshop) return { ...signals, modem };
  const { obd: _obd, troubleCodes: _troubleCodes, ...others } = signals;
  return { ...others, modem };
}
