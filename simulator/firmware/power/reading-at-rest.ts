import type { RecordMessage } from '../../../protocol/message.ts';
import type { Signals } from '../../../protocol/signals.ts';
import type { SensorInputs } from '../../vehicle/sensing/vehicle-ports.ts';
import type { StepContext } from '../core/step-context.ts';

/**
 * Bus traffic ends soon after the ignition goes off, and the last values would then remain until the next
 * drive: the speed before the standstill, a gear, the generator's voltage. So the box must take one reading of
 * the vehicle at rest, with the control units awake: each time the ignition goes off, if that is an event that
 * carries the reading; after a boot, which may have missed it; and after an event that came while no bus could
 * be read. The reading stays due until a record contains a bus value. In workshop mode the box keeps off the
 * bus, and the reading stays due.
 */
export function mayWakeControlUnits(
  { ram, flash }: Pick<StepContext, 'ram' | 'flash'>,
  sensors: SensorInputs,
): boolean {
  return ram.sampler.owesRestReading && !sensors.ignitionOn && !flash.counters.workshop;
}

/** Whether the reading is due and possible now, even if there is nothing else to report. */
export function isRestReadingDue(context: StepContext, sensors: SensorInputs): boolean {
  return mayWakeControlUnits(context, sensors) && hasBus(sensors.signalsAwake);
}

/** Notes that a record was stored: a reading that it carries is no longer due. */
export function noteRestReading(context: StepContext, message: RecordMessage): void {
  const { sampler } = context.ram;
  if (!sampler.owesRestReading || sampler.seen?.ignitionOn === true || context.flash.counters.workshop)
    return;
  if (!('signals' in message) || message.signals === undefined || !hasBus(message.signals)) return;
  context.ram.sampler = { ...sampler, owesRestReading: false };
}

/** Whether anything was read from a bus. */
export function hasBus({ obd, can }: Signals): boolean {
  return (obd?.length ?? 0) > 0 || (can?.length ?? 0) > 0;
}
