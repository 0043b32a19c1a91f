import { expect, test } from 'vitest';
import { noteOtherPort } from '../../../../cli/server/deployment-options.ts';

test('a service on another port than the default is named with its port', () => {
  const notices: string[] = [];
  noteOtherPort(notices, 'MQTT', 1883, 1884, undefined);
  noteOtherPort(notices, 'the API', 8080, 8081, undefined);
  noteOtherPort(notices, 'the API', 8080, 9000, 9000);
  expect(notices).toEqual([
    'port 1883 is taken, so MQTT listens on 1884',
    'port 8080 is taken, so the API listens on 8081',
  ]);
});
