import { expect, test } from 'vitest';
import { featuresDay } from './features-day.ts';

test('on a day with every feature on, what happens is told once each, with its own time, and nothing else is', async () => {
  const { caused, told, findings } = await featuresDay(7, 140);
  expect(findings).toEqual([]);
  expect(told).toEqual(caused);
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
