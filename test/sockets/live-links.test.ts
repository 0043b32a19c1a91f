import { expect, test } from 'vitest';
import { liveLinks } from '../../deployment/faults/live-links.ts';
import type { MqttClient } from '../../world/mqtt/mqtt-client.ts';
import { realTime } from '../../world/time/real-time.ts';

/** Links of boxes whose direct connections are only counted; `dropped` names those that were cut. */
function links(stepMs = 5_000) {
  const dropped: string[] = [];
  const ready = new Set<string>();
  const direct: MqttClient = {
    open: async ({ clientId }, events) => ({
      publish: async () => undefined,
      subscribe: async () => undefined,
      end: async () => undefined,
      present: false,
      drop: () => {
        dropped.push(clientId);
        ready.add(clientId);
        events.closed('dropped');
      },
    }),
  };
  // Each question for the time takes so long: the wait for a box that never comes back is over soon.
  let nowMs = 0;
  const time = { ...realTime(), nowMs: () => (nowMs += stepMs) };
  const live = liveLinks({
    mqttUrl: 'mqtt://127.0.0.1:1',
    direct,
    subscribeQos: undefined,
    draw: () => 0,
    secretOf: () => 'secret',
    time,
    isReady: (boxId: string) => ready.has(boxId),
  });
  const closed: string[] = [];
  const connect = (clientId: string) =>
    live.mqtt.open(
      { clientId, username: clientId, password: 'x', clean: false, keepAliveS: 60, connectTimeoutMs: 1_000 },
      { message: () => undefined, closed: () => closed.push(clientId) },
    );
  const advance = (ms: number) => {
    nowMs += ms;
  };
  return { live, dropped, closed, connect, advance };
}

test('a box connects directly until its link is disturbed, and the others still do then', async () => {
  const { live, dropped, closed, connect } = links();
  await connect('a');
  await connect('b');
  expect(live.proxy).toBeUndefined();
  const mounting = live.mount(['b']);
  await expect.poll(() => dropped).toEqual(['b']);
  expect(closed).toEqual(['b']);
  // Through the proxy, before which no broker listens.
  await expect(connect('b')).rejects.toThrow();
  expect(live.proxy).toBeDefined();
  await connect('a');
  expect(dropped).toEqual(['b']);
  await live.close();
  await mounting;
});

test('a second fault on a link waits until the box is back, as the first one does', async () => {
  const { live, dropped, connect, advance } = links(0);
  await connect('a');
  const ended: string[] = [];
  const first = live.mount(['a']).then(() => ended.push('first'));
  await expect.poll(() => dropped).toEqual(['a']);
  const second = live.mount(['a']).then(() => ended.push('second'));
  await Promise.race([second, new Promise((resolve) => setImmediate(resolve))]);
  expect(ended).toEqual([]);
  advance(20_000);
  await Promise.all([first, second]);
  await live.close();
});
