import type { SystemStatus } from '../../protocol/message.ts';
import { limits } from '../limits.ts';
import type { Senses } from '../vehicle/senses.ts';
import { busStatus } from './can.ts';
import { freeHeapBytes } from './health.ts';
import { now, type Turn, timeOf } from './turn.ts';

/** What request-system-status answers, as the box believes it. */
export function systemStatus(turn: Turn, senses: Senses): SystemStatus {
  const { ram } = turn;
  const isPolling = !turn.flash.counters.workshop;
  const zero = busStatus(senses, 0, isPolling, (ram.health.busesHeard & 1) !== 0);
  const one = busStatus(senses, 1, isPolling, (ram.health.busesHeard & 2) !== 0);
  const digital = senses.signals.digital ?? 0;
  return {
    realTimeClockMs: now(turn),
    deviceUpSinceMs: timeOf(turn, ram.bootedAt),
    modemUpSinceMs: timeOf(turn, ram.modem.upAt),
    dataConnectionUpSinceMs: timeOf(turn, ram.modem.dataUpAt),
    cpuTimeS: Math.floor(ram.awakeMs / 1000),
    resetReason: ram.resetReason,
    cpuTemperatureDeciC: Math.round((ram.health.temperatureC ?? senses.ambientTemperatureC) * 10),
    hardwareRevision: turn.facts.hardwareRevision,
    pioPortLevels: [digital & 0xff, (digital >>> 8) & 0xff],
    freeHeapBytes: freeHeapBytes(turn),
    canBus0Active: zero.isActive,
    canBus0ErrorFlags: zero.errorFlags,
    canBus1Active: one.isActive,
    canBus1ErrorFlags: one.errorFlags,
  };
}

/**
 * Adds the CPU time since it was last reckoned. The processor sleeps between wake-ups unless something keeps it
 * awake: ignition, booting, a modem on its way up, a link on its way up, or publications without an answer.
 */
export function reckonCpuTime(turn: Turn): void {
  const { ram } = turn;
  const elapsedMs = Math.max(0, turn.at - ram.reckonedAt);
  const isSettled = ram.modem.phase === 'data-up' || ram.modem.until === undefined;
  const isQuiet = ram.session.phase === 'ready' || ram.session.phase === 'down';
  const isAwake =
    ram.power === 'booting' ||
    ram.sampler.seen?.ignitionOn === true ||
    !isSettled ||
    !isQuiet ||
    ram.outbox.inFlight.length > 0;
  ram.awakeMs += isAwake ? elapsedMs : Math.min(elapsedMs, limits.wakeUpMs);
  ram.reckonedAt = turn.at;
}
