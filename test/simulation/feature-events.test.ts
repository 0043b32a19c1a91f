import { expect, test } from 'vitest';
import { runFeatureEvents } from '../support/simulation/feature-events.ts';

test('on a day with every feature enabled, each incident is reported once, with its time, and nothing else is reported', async () => {
  const { caused, reported, findings } = await runFeatureEvents(7, 140);
  expect(findings).toEqual([]);
  expect(reported).toEqual(caused);
  expect(new Set(Object.keys(caused))).toEqual(
    new Set([
      'DamageDetected',
      'DrivingEventDetected CRASH',
      'DrivingEventDetected HARSH_CORNERING',
      'DrivingEventDetected HEAVY_BRAKING',
      'ParkingEventDetected SHOCK',
      'ParkingEventDetected TOWING',
      'SmokeDetected',
    ]),
  );
}, 120_000);
