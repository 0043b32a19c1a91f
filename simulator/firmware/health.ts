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

/** Free heap in bytes: each open publication and each record in the index takes its part. */
export function freeHeapBytes(turn: Turn): number {
  const used =
    limits.heapAtRestBytes +
    turn.ram.outbox.inFlight.length * 2_048 +
    size(turn.flash.journal.shelf) * 8 +
    turn.flash.answered.length * 64 +
    (turn.ram.session.phase === 'down' ? 0 : 12_288);
  return Math.max(2_048, limits.heapBytes - used);
}
