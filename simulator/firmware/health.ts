import { limits } from '../limits.ts';
import type { Senses } from '../vehicle/senses.ts';
import { size } from './shelf.ts';
import type { Turn } from './turn.ts';

/** The processor's temperature and what it hears on its buses. */
export interface Health {
  /** Undefined: not measured since boot. */
  readonly temperatureC: number | undefined;
  readonly measuredAt: number;
  /** CAN buses that were heard since boot, bit n = bus n. */
  readonly busesHeard: number;
}

export const unmeasured: Health = { temperatureC: undefined, measuredAt: 0, busesHeard: 0 };

/** Heat above ambient, in kelvin, that each load brings in the long run, and the time that takes. */
const HEAT = { always: 5, awake: 9, dataUp: 3, perPublish: 1.5 } as const;
const HEAT_TIME_S = 240;

/** Lets the temperature move towards what ambient and load make of it (implicit Euler of a first-order lag). */
export function tendHealth(turn: Turn, senses: Senses): void {
  const { health, modem, outbox } = turn.ram;
  const target =
    senses.ambientTemperatureC +
    HEAT.always +
    (senses.ignitionOn ? HEAT.awake : 0) +
    (modem.phase === 'data-up' ? HEAT.dataUp : 0) +
    outbox.inFlight.length * HEAT.perPublish;
  const elapsedS = Math.max(0, turn.at - health.measuredAt) / 1000;
  const before = health.temperatureC ?? senses.ambientTemperatureC + HEAT.always;
  const temperatureC =
    health.temperatureC === undefined
      ? before
      : before + ((target - before) * elapsedS) / (elapsedS + HEAT_TIME_S);
  turn.ram.health = { ...health, temperatureC, measuredAt: turn.at };
}

/**
 * Free heap in bytes: each open publication and each record in the index takes its part, and so does each frame that was
 * not for the box: the program never gives the buffer of one back.
 */
export function freeHeapBytes(turn: Turn): number {
  return Math.max(limits.heapLeastBytes, leftBytes(turn));
}

/** Whether nothing can be put on the heap any more. */
export function isHeapUsedUp(turn: Turn): boolean {
  return leftBytes(turn) <= limits.heapLeastBytes;
}

function leftBytes({ ram, flash }: Turn): number {
  const used =
    limits.heapAtRestBytes +
    ram.outbox.inFlight.length * 2_048 +
    size(flash.journal.shelf) * 8 +
    flash.answered.length * 64 +
    (ram.session.phase === 'down' ? 0 : 12_288) +
    ram.counts.strayFrames * limits.heapPerStrayBytes;
  return limits.heapBytes - used;
}
