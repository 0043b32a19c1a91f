import { limits } from '../limits.ts';
import type { Senses } from '../vehicle/senses.ts';
import type { Shake } from '../vehicle/shake.ts';
import { type Episode, isOver, lastedMs, prolonged, reading } from './accelerometer.ts';
import { tellMeasured } from './events.ts';
import type { Turn } from './turn.ts';
import { readSignals } from './workshop.ts';

/**
 * Heavy braking and harsh cornering: at least as strong as configured. Tyres need a while for it and end at a limit,
 * so that the sensor's slow path takes what is shorter or stronger for a blow; and what is part of a crash is told
 * as that alone.
 */
export function feelDriving(turn: Turn, senses: Senses, shake: Shake): void {
  const { values } = turn.flash.configuration;
  const { detection } = turn.ram;
  const along = reading(shake.longitudinalMg);
  const across = reading(shake.lateralMg);
  if (along !== 0 && Math.abs(along) <= limits.drivingMostMg) {
    const isHeavy = -along >= values['driving.brakingAccelerationMg'];
    const braking = next(detection.braking, isHeavy, shake, along);
    if (braking !== detection.braking) closeBraking(turn, senses, detection.braking, braking);
    turn.ram.detection = { ...turn.ram.detection, braking };
  }
  if (across !== 0 && Math.abs(across) <= limits.drivingMostMg) {
    const isHarsh = Math.abs(across) >= values['driving.corneringAccelerationMg'];
    const cornering = next(detection.cornering, isHarsh, shake, across);
    if (cornering !== detection.cornering) closeCornering(turn, senses, detection.cornering, cornering);
    turn.ram.detection = { ...turn.ram.detection, cornering };
  }
}

function next(before: Episode | undefined, isStrong: boolean, shake: Shake, mg: number): Episode | undefined {
  if (!isStrong) return undefined;
  // A bend to the other side is another bend.
  const sameWay = before !== undefined && Math.sign(before.peakMg) === Math.sign(mg);
  return prolonged(sameWay ? before : undefined, shake, mg);
}

/** Tells the episodes that are over by now. */
export function closeDriving(turn: Turn, senses: Senses): void {
  const { braking, cornering } = turn.ram.detection;
  if (braking !== undefined && isOver(braking, turn.at)) {
    turn.ram.detection = { ...turn.ram.detection, braking: undefined };
    closeBraking(turn, senses, braking, undefined);
  }
  if (cornering !== undefined && isOver(cornering, turn.at)) {
    turn.ram.detection = { ...turn.ram.detection, cornering: undefined };
    closeCornering(turn, senses, cornering, undefined);
  }
}

function closeBraking(turn: Turn, senses: Senses, was: Episode | undefined, is: Episode | undefined): void {
  if (!isToBeTold(turn, was, is)) return;
  tellMeasured(
    turn,
    readSignals(turn, senses),
    { fromMs: was.fromMs, place: senses.fix },
    {
      braking: {
        peakMg: Math.abs(was.peakMg),
        durationMs: lastedMs(was),
        speedBeforeKph: was.speedFromKph,
        speedAfterKph: was.speedToKph,
      },
    },
  );
}

function closeCornering(turn: Turn, senses: Senses, was: Episode | undefined, is: Episode | undefined): void {
  if (!isToBeTold(turn, was, is)) return;
  tellMeasured(
    turn,
    readSignals(turn, senses),
    { fromMs: was.fromMs, place: senses.fix },
    {
      cornering: {
        peakMg: Math.abs(was.peakMg),
        durationMs: lastedMs(was),
        speedKph: Math.max(was.speedFromKph, was.speedToKph),
        bend: was.peakMg > 0 ? 'right' : 'left',
      },
    },
  );
}

function isToBeTold(turn: Turn, was: Episode | undefined, is: Episode | undefined): was is Episode {
  if (was === undefined || is?.fromMs === was.fromMs) return false;
  if (lastedMs(was) < limits.drivingLeastMs) return false;
  const { crash, blow } = turn.ram.detection;
  const told = crash ?? (blow?.isTold === true ? blow : undefined);
  return told === undefined || was.fromMs > told.toMs || was.toMs < told.fromMs;
}
