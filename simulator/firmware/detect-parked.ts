import { distanceM, type Place } from '../arithmetic.ts';
import { limits } from '../limits.ts';
import type { Senses } from '../vehicle/senses.ts';
import type { Shake } from '../vehicle/shake.ts';
import { lastedMs, strongest, struckFrom } from './accelerometer.ts';
import { tellMeasured } from './events.ts';
import type { Turn } from './turn.ts';
import { readSignals } from './workshop.ts';

/** How a vehicle was left, to tell whether somebody takes it away. */
export interface Parked {
  /** Where it was put, once GNSS knows; and the slope there. */
  readonly place: Place | undefined;
  readonly tiltDegrees: number;
  /** When it was first and last seen otherwise than at the look before; undefined: it stands still. */
  readonly movingSince: number | undefined;
  readonly movedAt: number | undefined;
  readonly seenAt: Place | undefined;
  readonly seenTilt: number;
  /** When it began to lean. */
  readonly leansSince: number | undefined;
  readonly isTold: boolean;
}

/** A shock to a vehicle that stands with its ignition off. */
export function feelShock(turn: Turn, senses: Senses, shake: Shake): void {
  const mg = Math.abs(strongest(shake));
  if (mg < limits.shockMg) return;
  tellMeasured(
    turn,
    readSignals(turn, senses),
    { fromMs: shake.fromMs, place: senses.fix },
    {
      shock: { peakMg: mg, durationMs: lastedMs(shake), direction: struckFrom(shake) },
    },
  );
}

/**
 * Towing: a vehicle with its ignition off and no key in it is away from where it was left, or leans for a while
 * otherwise than it did. Told once; after it has stood still for a while it is where it is left.
 */
export function tendParked(turn: Turn, senses: Senses): void {
  const { detection } = turn.ram;
  const isOn = turn.flash.configuration.values['parking.enabled'] === 1;
  if (!isOn || senses.ignitionOn || senses.keyPresent) {
    if (detection.parked !== undefined) turn.ram.detection = { ...detection, parked: undefined };
    return;
  }
  const before = detection.parked ?? left(senses);
  const parked = watched(before, senses, turn.at);
  const wayM =
    parked.place === undefined || senses.fix === undefined ? 0 : distanceM(parked.place, senses.fix);
  const leansMs = parked.leansSince === undefined ? -1 : turn.at - parked.leansSince;
  const isTowed = wayM >= limits.towingM || leansMs >= limits.leaningMs;
  if (isTowed && !parked.isTold) {
    tellMeasured(
      turn,
      readSignals(turn, senses),
      { fromMs: parked.movingSince ?? turn.at, place: senses.fix },
      {
        towing: {
          distanceM: Math.round(wayM),
          tiltDegrees: Math.abs(senses.tiltDegrees - parked.tiltDegrees),
        },
      },
    );
  }
  turn.ram.detection = { ...turn.ram.detection, parked: settled(parked, isTowed, senses, turn.at) };
}

function left({ fix, tiltDegrees }: Senses): Parked {
  const since = { movingSince: undefined, movedAt: undefined, leansSince: undefined, isTold: false };
  return { place: fix, tiltDegrees, seenAt: fix, seenTilt: tiltDegrees, ...since };
}

function watched(before: Parked, { fix, tiltDegrees }: Senses, at: number): Parked {
  const place = before.place ?? fix;
  const seenAt = fix ?? before.seenAt;
  const hasMoved =
    tiltDegrees !== before.seenTilt ||
    (seenAt !== undefined &&
      before.seenAt !== undefined &&
      distanceM(before.seenAt, seenAt) >= limits.scatterM);
  const leans = Math.abs(tiltDegrees - before.tiltDegrees) >= limits.leaningDegrees;
  return {
    ...before,
    place,
    seenAt,
    seenTilt: tiltDegrees,
    movingSince: before.movingSince ?? (hasMoved ? at : undefined),
    movedAt: hasMoved ? at : before.movedAt,
    leansSince: leans ? (before.leansSince ?? at) : undefined,
  };
}

/** What is remembered until the next look. A vehicle that stands still again is left anew. */
function settled(parked: Parked, isTowed: boolean, senses: Senses, at: number): Parked {
  const isTold = parked.isTold || isTowed;
  const { movedAt } = parked;
  if (movedAt === undefined || at - movedAt < limits.settledMs) return { ...parked, isTold };
  return left(senses);
}

/**
 * When it has leant for long enough, or stood for long enough to be left anew: else it is not until something wakes the
 * box, and that may be the next tow. Undefined: it neither leans nor has moved.
 */
export function parkedDueAt({ ram }: Pick<Turn, 'ram'>): number | undefined {
  const { parked } = ram.detection;
  if (parked === undefined) return undefined;
  const { isTold, leansSince, movedAt } = parked;
  const settlesAt = movedAt === undefined ? Number.POSITIVE_INFINITY : movedAt + limits.settledMs;
  const leansAt =
    isTold || leansSince === undefined ? Number.POSITIVE_INFINITY : leansSince + limits.leaningMs;
  const dueAt = Math.min(settlesAt, leansAt);
  return Number.isFinite(dueAt) ? dueAt : undefined;
}
