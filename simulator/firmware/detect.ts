import type { Sensitivity } from '../../protocol/measured.ts';
import { limits } from '../limits.ts';
import type { Senses } from '../vehicle/senses.ts';
import type { Shake } from '../vehicle/shake.ts';
import { type Episode, reading } from './accelerometer.ts';
import { damageDetection } from './calibration.ts';
import { type Crash, concludeCrash, crashDueAt, feelCrash } from './detect-crash.ts';
import { closeDriving, feelDriving } from './detect-driving.ts';
import { feelShock, type Parked } from './detect-parked.ts';
import type { Smoky } from './detect-smoke.ts';
import { tellMeasured } from './events.ts';
import type { Turn } from './turn.ts';
import { readSignals } from './workshop.ts';

/** What the features that detect something have under way. It is lost with the RAM; a crash is told before. */
export interface Detection {
  /** The last shake that was taken in; undefined: nobody listens. */
  readonly heard: number | undefined;
  /** The acceleration that is strong enough for a crash. */
  readonly blow: Episode | undefined;
  readonly crash: Crash | undefined;
  readonly braking: Episode | undefined;
  readonly cornering: Episode | undefined;
  readonly parked: Parked | undefined;
  readonly smoky: Smoky | undefined;
}

export const undetected: Detection = {
  heard: undefined,
  blow: undefined,
  crash: undefined,
  braking: undefined,
  cornering: undefined,
  parked: undefined,
  smoky: undefined,
};

/**
 * Takes in what the accelerometer has felt, by the configuration in force at this moment. To be called before the other
 * inputs are looked at: how the ignition stood while the vehicle was shaken is what was seen last.
 */
export function listen(turn: Turn, senses: Senses): void {
  const { values } = turn.flash.configuration;
  const isDriving = values['driving.enabled'] === 1;
  const isParking = values['parking.enabled'] === 1;
  const damage = damageDetection(turn.flash);
  if (!isDriving) stopDriving(turn, senses);
  const { detection } = turn.ram;
  if (!isDriving && !isParking && damage === 'off') {
    if (detection.heard !== undefined) turn.ram.detection = { ...detection, heard: undefined };
    return;
  }
  const { shakes } = senses;
  const latest = shakes.at(-1)?.number ?? detection.heard ?? 0;
  const heard = detection.heard ?? latest;
  const wasOn = turn.ram.sampler.seen?.ignitionOn ?? senses.ignitionOn;
  if (latest > heard) {
    // They are numbered without a gap, so that the new ones are the last ones.
    for (const shake of shakes.slice(Math.max(0, shakes.length - (latest - heard)))) {
      if (damage === 'on') feelDamage(turn, senses, shake);
      if (shake.structureMg > 0) continue;
      if (isDriving && wasOn) {
        feelCrash(turn, senses, shake);
        feelDriving(turn, senses, shake);
      }
      if (isParking && !wasOn) feelShock(turn, senses, shake);
    }
  }
  if (latest !== turn.ram.detection.heard) turn.ram.detection = { ...turn.ram.detection, heard: latest };
  if (!isDriving) return;
  closeDriving(turn, senses);
  if (turn.at >= (crashDueAt(turn) ?? Number.POSITIVE_INFINITY)) concludeCrash(turn, senses);
}

/** Driving events are switched off: what has begun is not told, but for a crash, which has happened. */
function stopDriving(turn: Turn, senses: Senses): void {
  concludeCrash(turn, senses);
  const { blow, braking, cornering } = turn.ram.detection;
  if (blow === undefined && braking === undefined && cornering === undefined) return;
  turn.ram.detection = {
    ...turn.ram.detection,
    blow: undefined,
    braking: undefined,
    cornering: undefined,
  };
}

const SENSITIVITY = { 1: 'low', 2: 'medium', 3: 'high' } as const satisfies Record<number, Sensitivity>;

function feelDamage(turn: Turn, senses: Senses, { structureMg, side, fromMs }: Shake): void {
  const level = levelOf(turn.flash.configuration.values['damage.sensitivity']);
  const strengthMg = reading(structureMg);
  if (side === undefined || strengthMg < limits.damageMg[level]) return;
  tellMeasured(
    turn,
    readSignals(turn, senses),
    { fromMs, place: senses.fix },
    {
      damage: { strengthMg, sensitivity: SENSITIVITY[level], side },
    },
  );
}

function levelOf(sensitivity: number): 1 | 2 | 3 {
  if (sensitivity <= 1) return 1;
  return sensitivity >= 3 ? 3 : 2;
}

/** With the ignition off nothing else looks: an episode is over shortly after its last piece. */
export function openEndAt({ detection, sampler }: Turn['ram']): number | undefined {
  const { braking, cornering } = detection;
  if ((braking === undefined && cornering === undefined) || sampler.lookAt !== undefined) return undefined;
  const lastMs = Math.max(braking?.toMs ?? 0, cornering?.toMs ?? 0);
  return Math.ceil(lastMs) + limits.shakeGapMs + 1;
}
