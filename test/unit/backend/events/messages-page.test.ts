import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { z } from 'zod';
import { vehicleStateReceived } from '../../../../backend/events/message.ts';
import { vehicleDataChanged } from '../../../../backend/events/message-data-changed.ts';
import {
  damageDetected,
  drivingEventDetected,
  parkingEventDetected,
  smokeDetected,
} from '../../../../backend/events/message-features.ts';
import { TOPICS } from '../../../../backend/events/topics.ts';

const page = readFileSync(new URL('../../../../docs/messages.md', import.meta.url), 'utf8');

const SCHEMAS: Readonly<Record<(typeof TOPICS)[number]['message'], z.ZodType>> = {
  VehicleStateReceived: vehicleStateReceived,
  VehicleDataChanged: vehicleDataChanged,
  DamageDetected: damageDetected,
  SmokeDetected: smokeDetected,
  DrivingEventDetected: drivingEventDetected,
  ParkingEventDetected: parkingEventDetected,
};

const examples = [...page.matchAll(/```json\n(.*?)```/gs)].map(([, text = '']) => {
  const body = JSON.parse(text) as { metadata: { message_type: string }; data: { kind?: string } };
  return { body, name: body.metadata.message_type.replace('service.', ''), kind: body.data.kind ?? '' };
});

describe('docs/messages.md', () => {
  test('has an example of each message and each kind', () => {
    expect(examples.map(({ name, kind }) => `${name} ${kind}`.trim())).toEqual([
      'VehicleStateReceived',
      'VehicleDataChanged',
      'DamageDetected',
      'SmokeDetected',
      'DrivingEventDetected CRASH',
      'DrivingEventDetected HEAVY_BRAKING',
      'DrivingEventDetected HARSH_CORNERING',
      'ParkingEventDetected TOWING',
      'ParkingEventDetected SHOCK',
    ]);
  });

  test.each(examples)('the example of $name $kind is one', ({ name, body }) => {
    expect(SCHEMAS[name as keyof typeof SCHEMAS].parse(body)).toEqual(body);
  });

  test('names each topic next to its message', () => {
    for (const { topic, message } of TOPICS) expect(page).toContain(`| \`${topic}\` | \`${message}\` |`);
  });
});
