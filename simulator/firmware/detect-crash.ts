import { limits as wire } from '../../protocol/limits.ts';
import type { Side } from '../../protocol/measured.ts';
import type { Place } from '../arithmetic.ts';
import type { Senses } from '../vehicle/senses.ts';
import type { Shake } from '../vehicle/shake.ts';
import {
  type Episode,
  follows,
  lastedMs,
  prolonged,
  reading,
  strongest,
  struckFrom,
} from './accelerometer.ts';
import { tellMeasured } from './events.ts';
import type { Turn } from './turn.ts';
import { readSignals } from './workshop.ts';

/** A crash that was noticed, while what comes after it is gathered. */
export interface Crash {
  readonly fromMs: number;
  readonly toMs: number;
  readonly peakMg: number;
  readonly direction: Side;
  readonly gatheringMs: number;
  /** In equal parts of the gathering: the strongest along and across. */
  readonly samples: readonly (readonly [longitudinalMg: number, lateralMg: number])[];
  /** Where it happened. */
  readonly place: Place | undefined;
}

const NOTHING: Crash['samples'] = Array.from({ length: wire.crashSamples }, () => [0, 0] as const);

/**
 * A crash is an acceleration along or across the vehicle of at least the configured strength that lasts at least as
 * long as configured. What follows is gathered for the configured time; the event tells all of it. Further blows
 * meanwhile belong to the same crash.
 */
export function feelCrash(turn: Turn, senses: Senses, shake: Shake): void {
  const { values } = turn.flash.configuration;
  const { detection } = turn.ram;
  const mg = strongest(shake);
  const isStrong = Math.abs(mg) >= values['driving.crashAccelerationMg'];
  const blow = isStrong ? prolonged(detection.blow, shake, mg) : undefined;
  let { crash } = detection;
  if (crash === undefined) {
    if (blow !== undefined && !blow.isTold && lastedMs(blow) >= values['driving.crashDurationMs'])
      crash = begun(turn, senses, shake, blow);
  } else if (blow !== undefined) crash = struckAgain(crash, blow, shake);
  if (crash !== undefined) crash = { ...crash, samples: gathered(crash, shake) };
  const told = blow !== undefined && crash !== undefined ? { ...blow, isTold: true } : blow;
  // A piece across may come between two along; it ends what it does not belong to all the same.
  turn.ram.detection = { ...detection, blow: told ?? surviving(detection.blow, shake), crash };
}

/** A weak piece that began before the blow was over does not end it. */
function surviving(blow: Episode | undefined, shake: Shake): Episode | undefined {
  return blow !== undefined && follows(blow, shake) && shake.toMs <= blow.toMs ? blow : undefined;
}

function begun(turn: Turn, senses: Senses, shake: Shake, blow: Episode): Crash {
  return {
    fromMs: blow.fromMs,
    toMs: blow.toMs,
    peakMg: Math.abs(blow.peakMg),
    direction: struckFrom(shake),
    gatheringMs: turn.flash.configuration.values['driving.crashGatheringS'] * 1_000,
    samples: NOTHING,
    place: senses.fix,
  };
}

function struckAgain(crash: Crash, blow: Episode, shake: Shake): Crash {
  const peakMg = Math.abs(blow.peakMg);
  const isLonger = blow.fromMs <= crash.toMs;
  return {
    ...crash,
    toMs: isLonger ? Math.max(crash.toMs, blow.toMs) : crash.toMs,
    ...(peakMg > crash.peakMg ? { peakMg, direction: struckFrom(shake) } : {}),
  };
}

function gathered({ fromMs, gatheringMs, samples }: Crash, shake: Shake): Crash['samples'] {
  const partMs = gatheringMs / wire.crashSamples;
  return samples.map((sample, index) => {
    const beginsMs = fromMs + index * partMs;
    if (shake.fromMs >= beginsMs + partMs || shake.toMs <= beginsMs) return sample;
    return [
      stronger(sample[0], reading(shake.longitudinalMg)),
      stronger(sample[1], reading(shake.lateralMg)),
    ];
  });
}

function stronger(one: number, other: number): number {
  return Math.abs(other) > Math.abs(one) ? other : one;
}

/** When the gathering is over; undefined: nothing is gathered. */
export function crashDueAt({ ram }: Pick<Turn, 'ram'>): number | undefined {
  const { crash } = ram.detection;
  return crash === undefined ? undefined : Math.ceil(crash.fromMs + crash.gatheringMs);
}

/**
 * Tells the crash with what was gathered: its time is over, or the box cannot go on gathering. Without `senses` nothing
 * else can be read any more.
 */
export function concludeCrash(turn: Turn, senses?: Senses): void {
  const { crash } = turn.ram.detection;
  if (crash === undefined) return;
  turn.ram.detection = { ...turn.ram.detection, crash: undefined };
  const gatheredMs = Math.max(0, Math.min(Math.round(turn.at - crash.fromMs), crash.gatheringMs));
  const parts = Math.ceil((gatheredMs / crash.gatheringMs) * wire.crashSamples);
  const signals = senses === undefined ? {} : readSignals(turn, senses);
  tellMeasured(turn, signals, crash, {
    crash: {
      peakMg: crash.peakMg,
      durationMs: lastedMs(crash),
      direction: crash.direction,
      gatheredMs,
      samples: crash.samples.slice(0, parts),
    },
  });
}
