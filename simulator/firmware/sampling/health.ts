import { limits } from '../../limits.ts';
import type { SensorInputs } from '../../vehicle/sensing/vehicle-ports.ts';
import type { StepContext } from '../core/step-context.ts';
import { entryCount } from '../journal/entry-index.ts';

/** Heat above ambient, in kelvin, that each load brings in the long run, and the time that takes. */
const HEAT = { always: 5, awake: 9, dataUp: 3, perPublish: 1.5 } as const;
const HEAT_TIME_S = 240;

/** Moves the temperature towards its steady state for ambient and load (implicit Euler of a first-order lag). */
export function updateHealth(context: StepContext, sensors: SensorInputs): void {
  const { health, modem, outbox } = context.ram;
  const target =
    sensors.ambientTemperatureC +
    HEAT.always +
    (sensors.ignitionOn ? HEAT.awake : 0) +
    (modem.phase === 'data-up' ? HEAT.dataUp : 0) +
    outbox.inFlight.length * HEAT.perPublish;
  const elapsedS = Math.max(0, context.at - health.measuredAt) / 1000;
  const before = health.temperatureC ?? sensors.ambientTemperatureC + HEAT.always;
  const temperatureC =
    health.temperatureC === undefined
      ? before
      : before + ((target - before) * elapsedS) / (elapsedS + HEAT_TIME_S);
  context.ram.health = { ...health, temperatureC, measuredAt: context.at };
}

/**
 * Free heap in bytes: each open publication and each record in the index takes its part, and so does each frame that was
 * not for the box: the program never gives the buffer of one back.
 */
export function freeHeapBytes(context: StepContext): number {
  return Math.max(limits.heapLeastBytes, leftBytes(context));
}

/** Whether nothing can be put on the heap any more. */
export function isHeapUsedUp(context: StepContext): boolean {
  return leftBytes(context) <= limits.heapLeastBytes;
}

function leftBytes({ ram, flash }: StepContext): number {
  const used =
    limits.heapAtRestBytes +
    ram.outbox.inFlight.length * 2_048 +
    entryCount(flash.journal.entryIndex) * 8 +
    flash.answered.length * 64 +
    (ram.session.phase === 'down' ? 0 : 12_288) +
    ram.counts.strayFrames * limits.heapPerStrayBytes;
  return limits.heapBytes - used;
}
