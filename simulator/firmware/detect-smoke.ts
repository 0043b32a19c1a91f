import type { Senses } from '../vehicle/senses.ts';
import { tellMeasured } from './events.ts';
import type { Turn } from './turn.ts';
import { readSignals } from './workshop.ts';

/** Smoke above the threshold, since when and how much at most. */
export interface Smoky {
  readonly since: number;
  readonly peakUgPerM3: number;
  /** Against which it was measured: another one begins anew. */
  readonly thresholdUgPerM3: number;
  readonly isTold: boolean;
}

/**
 * Smoke is a concentration of particles of at least the configured height for at least the configured time. Told once,
 * as soon as that time is over. A box sleeps through it until then, since the sensor wakes it when the air changes.
 */
export function tendSmoke(turn: Turn, senses: Senses): void {
  const { values } = turn.flash.configuration;
  const { detection } = turn.ram;
  const thresholdUgPerM3 = values['smoke.concentrationUgPerM3'];
  if (values['smoke.enabled'] !== 1) {
    if (detection.smoky !== undefined) turn.ram.detection = { ...detection, smoky: undefined };
    return;
  }
  const kept = detection.smoky?.thresholdUgPerM3 === thresholdUgPerM3 ? detection.smoky : undefined;
  // What was smoky until now may have lasted long enough, whatever the air is like at this moment.
  const before = kept && toldWhereDue(turn, senses, kept);
  const now = Math.round(senses.smokeUgPerM3);
  const fresh = { since: turn.at, peakUgPerM3: now, thresholdUgPerM3, isTold: false };
  const smoky =
    now < thresholdUgPerM3
      ? undefined
      : before === undefined
        ? fresh
        : { ...before, peakUgPerM3: Math.max(before.peakUgPerM3, now) };
  if (smoky !== detection.smoky) turn.ram.detection = { ...turn.ram.detection, smoky };
}

function toldWhereDue(turn: Turn, senses: Senses, smoky: Smoky): Smoky {
  if (turn.at < (smokeDueAt(turn, smoky) ?? Number.POSITIVE_INFINITY)) return smoky;
  tellMeasured(
    turn,
    readSignals(turn, senses),
    { fromMs: smoky.since, place: senses.fix },
    {
      smoke: { concentrationUgPerM3: smoky.peakUgPerM3, durationMs: turn.at - smoky.since },
    },
  );
  return { ...smoky, isTold: true };
}

/** When it will have lasted long enough; undefined: there is none, or it is told. */
export function smokeDueAt({ flash }: Pick<Turn, 'flash'>, smoky: Smoky | undefined): number | undefined {
  if (smoky === undefined || smoky.isTold) return undefined;
  return smoky.since + flash.configuration.values['smoke.durationS'] * 1_000;
}
