import { distanceM } from '../../arithmetic.ts';
import { limits } from '../../limits.ts';
import type { AccelerationInterval } from '../../vehicle/sensing/accelerometer-buffer.ts';
import type { SensorInputs } from '../../vehicle/sensing/vehicle-ports.ts';
import { readSignals } from '../commands/workshop.ts';
import type { StepContext } from '../core/step-context.ts';
import { impactSide, lastedMs, strongest } from './accelerometer.ts';
import type { ParkedState } from './detection-state.ts';
import { recordMeasuredEvent } from './measured-event.ts';

/** A shock to a vehicle that is parked with its ignition off. */
export function detectShock(
  context: StepContext,
  sensors: SensorInputs,
  interval: AccelerationInterval,
): void {
  const mg = Math.abs(strongest(interval));
  if (mg < limits.shockMg) return;
  recordMeasuredEvent(
    context,
    readSignals(context, sensors),
    { fromMs: interval.fromMs, place: sensors.fix },
    {
      shock: { peakMg: mg, durationMs: lastedMs(interval), direction: impactSide(interval) },
    },
  );
}

/**
 * Towing: a vehicle with its ignition off and no key in it is away from its parking position, or its tilt has
 * changed for a while. Reported once; after a rest its present place is its parking place.
 */
export function detectTowing(context: StepContext, sensors: SensorInputs): void {
  const { detection } = context.ram;
  const isOn = context.flash.configuration.values['parking.enabled'] === 1;
  if (!isOn || sensors.ignitionOn || sensors.keyPresent) {
    if (detection.parked !== undefined) context.ram.detection = { ...detection, parked: undefined };
    return;
  }
  const before = detection.parked ?? newlyParked(sensors);
  const parked = observedParked(before, sensors, context.at);
  const wayM =
    parked.place === undefined || sensors.fix === undefined ? 0 : distanceM(parked.place, sensors.fix);
  const leansMs = parked.leansSince === undefined ? -1 : context.at - parked.leansSince;
  const isTowed = wayM >= limits.towingM || leansMs >= limits.leaningMs;
  if (isTowed && !parked.isReported) {
    recordMeasuredEvent(
      context,
      readSignals(context, sensors),
      { fromMs: parked.movingSince ?? context.at, place: sensors.fix },
      {
        towing: {
          distanceM: Math.round(wayM),
          tiltDegrees: Math.abs(sensors.tiltDegrees - parked.tiltDegrees),
        },
      },
    );
  }
  context.ram.detection = {
    ...context.ram.detection,
    parked: settledParked(parked, isTowed, sensors, context.at),
  };
}

function newlyParked({ fix, tiltDegrees }: SensorInputs): ParkedState {
  const since = { movingSince: undefined, movedAt: undefined, leansSince: undefined, isReported: false };
  return { place: fix, tiltDegrees, seenAt: fix, seenTilt: tiltDegrees, ...since };
}

function observedParked(before: ParkedState, { fix, tiltDegrees }: SensorInputs, at: number): ParkedState {
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

/** The state until the next look. A vehicle that is at rest again counts as newly parked. */
function settledParked(
  parked: ParkedState,
  isTowed: boolean,
  sensors: SensorInputs,
  at: number,
): ParkedState {
  const isReported = parked.isReported || isTowed;
  const { movedAt } = parked;
  if (movedAt === undefined || at - movedAt < limits.settledMs) return { ...parked, isReported };
  return newlyParked(sensors);
}

/**
 * When the tilt has lasted long enough to be reported, or the rest threshold is reached and the vehicle counts as newly
 * parked. Without this alarm the box would only notice at the next wake-up, which may be the next tow. Undefined: it
 * neither leans nor has moved.
 */
export function parkedDueAt({ ram }: Pick<StepContext, 'ram'>): number | undefined {
  const { parked } = ram.detection;
  if (parked === undefined) return undefined;
  const { isReported, leansSince, movedAt } = parked;
  const settlesAt = movedAt === undefined ? Number.POSITIVE_INFINITY : movedAt + limits.settledMs;
  const leansAt =
    isReported || leansSince === undefined ? Number.POSITIVE_INFINITY : leansSince + limits.leaningMs;
  const dueAt = Math.min(settlesAt, leansAt);
  return Number.isFinite(dueAt) ? dueAt : undefined;
}
