import type { SystemStatus } from '../../../protocol/message.ts';
import { limits } from '../../limits.ts';
import type { SensorInputs } from '../../vehicle/sensing/vehicle-ports.ts';
import { boxTimeMs, boxTimeOf, type StepContext } from '../core/step-context.ts';
import { busStatus } from './can.ts';
import { freeHeapBytes } from './health.ts';

/** The answer to request-system-status, as far as the box knows. */
export function systemStatus(context: StepContext, sensors: SensorInputs): SystemStatus {
  const { ram } = context;
  const isPolling = !context.flash.counters.workshop;
  const zero = busStatus(sensors, 0, isPolling, (ram.health.busesHeard & 1) !== 0);
  const one = busStatus(sensors, 1, isPolling, (ram.health.busesHeard & 2) !== 0);
  const digital = sensors.signals.digital ?? 0;
  return {
    realTimeClockMs: boxTimeMs(context),
    deviceUpSinceMs: boxTimeOf(context, ram.bootedAt),
    modemUpSinceMs: boxTimeOf(context, ram.modem.upAt),
    dataConnectionUpSinceMs: boxTimeOf(context, ram.modem.dataUpAt),
    cpuTimeS: Math.floor(ram.awakeMs / 1000),
    resetReason: ram.resetReason,
    cpuTemperatureDeciC: Math.round((ram.health.temperatureC ?? sensors.ambientTemperatureC) * 10),
    hardwareRevision: context.facts.hardwareRevision,
    pioPortLevels: [digital & 0xff, (digital >>> 8) & 0xff],
    freeHeapBytes: freeHeapBytes(context),
    canBus0Active: zero.isActive,
    canBus0ErrorFlags: zero.errorFlags,
    canBus1Active: one.isActive,
    canBus1ErrorFlags: one.errorFlags,
  };
}

/**
 * Adds the CPU time since the last update. The processor sleeps between wake-ups unless something keeps it
 * awake: ignition, booting, a modem or a connection being established, or publications without an answer.
 */
export function updateCpuTime(context: StepContext): void {
  const { ram } = context;
  const elapsedMs = Math.max(0, context.at - ram.cpuTimeUpdatedAt);
  const isSettled = ram.modem.phase === 'data-up' || ram.modem.until === undefined;
  const isQuiet = ram.session.phase === 'ready' || ram.session.phase === 'down';
  const isAwake =
    ram.power === 'booting' ||
    ram.sampler.seen?.ignitionOn === true ||
    !isSettled ||
    !isQuiet ||
    ram.outbox.inFlight.length > 0;
  ram.awakeMs += isAwake ? elapsedMs : Math.min(elapsedMs, limits.wakeUpMs);
  ram.cpuTimeUpdatedAt = context.at;
}
