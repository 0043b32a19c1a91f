import { expect, test } from 'vitest';
import { noteMoved } from '../../../cli/station-options.ts';

test('a service on another port than usual is named as one names it', () => {
  const notices: string[] = [];
  noteMoved(notices, 'MQTT', 1883, 1884, undefined);
  noteMoved(notices, 'the API', 8080, 8081, undefined);
  noteMoved(notices, 'the API', 8080, 9000, 9000);
  expect(notices).toEqual([
    'port 1883 is taken, so MQTT listens on 1884',
    'port 8080 is taken, so the API listens on 8081',
  ]);
});
