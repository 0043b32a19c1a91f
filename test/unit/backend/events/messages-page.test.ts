import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { MESSAGE_SCHEMAS } from '../../../../backend/events/message-table.ts';
import { TOPICS } from '../../../../contract/messages.ts';

const page = readFileSync(new URL('../../../../docs/messages.md', import.meta.url), 'utf8');

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
    expect(MESSAGE_SCHEMAS[name as keyof typeof MESSAGE_SCHEMAS].parse(body)).toEqual(body);
  });

  test('names each topic next to its message', () => {
    for (const { topic, message } of TOPICS) expect(page).toContain(`| \`${topic}\` | \`${message}\` |`);
  });
});
