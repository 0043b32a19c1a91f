import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  MqttConnectionLost,
  MqttRefused,
  type MqttSession,
  type MqttSessionEvents,
} from '../../../../world/mqtt/mqtt-client.ts';

import { ALL_CLIENTS } from '../../../../world/network-faults/network-faults.ts';
import { sleep } from '../../../../world/time/time.ts';
import { openVirtualWorld } from '../../../../world/virtual-world.ts';
import { connectClient, connectOptions, publication } from '../../../support/mqtt/virtual-mqtt-client.ts';
import { NetworkSwitches } from '../../../support/world/network-switches.ts';

describe('the broker', () => {
  test('a broker that is down refuses connections and drops the open ones', async () => {
    const world = openVirtualWorld({ seed: 3 });
    await world.run(async () => {
      const box = await connectClient(world, 'box', { clean: false });
      world.mqttBroker.setDown(true);
      await sleep(world.time, 1_000);
      expect(box.closings.map((closing) => closing.reason)).toEqual(['the broker went down']);
      await expect(connectClient(world, 'box')).rejects.toBeInstanceOf(MqttRefused);
      world.mqttBroker.setDown(false);
      expect((await connectClient(world, 'box', { clean: false })).session.present).toBe(true);
    });
  });

  test('a restart keeps sessions if the broker is persistent, and loses them otherwise', async () => {
    for (const isPersistent of [true, false]) {
      const world = openVirtualWorld({ seed: 3 });
      await world.run(async () => {
        await connectClient(world, 'box', { clean: false });
        world.mqttBroker.restart({ isPersistent });
        await sleep(world.time, 1_000);
        expect((await connectClient(world, 'box', { clean: false })).session.present).toBe(isPersistent);
      });
    }
  });

  test('in minority it keeps connections and takes nothing, and closes those of whom it failed', async () => {
    const world = openVirtualWorld({ seed: 3 });
    await world.run(async () => {
      const busy = await connectClient(world, 'busy');
      const idle = await connectClient(world, 'idle');
      await idle.session.subscribe('#');
      world.mqttBroker.setInMinority(true);
      const publishing = busy.session.publish(publication('lost')).catch((error: unknown) => error);
      const connecting = connectClient(world, 'late').catch((error: unknown) => error);
      await sleep(world.time, 600_000);
      expect(world.mqttBroker.connected).toEqual(['busy', 'idle']);
      expect(await connecting).toBeInstanceOf(MqttRefused);
      world.mqttBroker.setInMinority(false);
      expect(await publishing).toBeInstanceOf(MqttConnectionLost);
      await sleep(world.time, 1_000);
      expect([busy.closings.length, idle.closings.length, idle.texts]).toEqual([1, 0, []]);
    });
  });

  test('a full queue drops the newest message and counts it', async () => {
    const world = openVirtualWorld({ seed: 3, mqttQueueBound: 5 });
    await world.run(async () => {
      const first = await connectClient(world, 'backend', { clean: false });
      await first.session.subscribe('#');
      await first.session.end();
      const box = await connectClient(world, 'box');
      for (let index = 0; index < 8; index++) await box.session.publish(publication(`${index}`));
      expect(world.mqttBroker.backlog('backend')).toEqual({ waiting: 5, dropped: 3 });
      const second = await connectClient(world, 'backend', { clean: false });
      await sleep(world.time, 1_000);
      expect(second.texts).toEqual(['0', '1', '2', '3', '4']);
    });
  });

  test('reports how many clients are connected, and the length of the longest queue', async () => {
    const world = openVirtualWorld({ seed: 3 });
    await world.run(async () => {
      const backend = await connectClient(world, 'backend', { clean: false });
      await backend.session.subscribe('#');
      const box = await connectClient(world, 'box');
      await Promise.all(['a', 'b', 'c'].map((words) => box.session.publish(publication(words))));
      expect(world.mqttBroker.load).toEqual({ clients: 2, waiting: 3 });
      await sleep(world.time, 1_000);
      expect(world.mqttBroker.load).toEqual({ clients: 2, waiting: 0 });
      await backend.session.end();
      await box.session.publish(publication('d'));
      expect(world.mqttBroker.backlog('backend').waiting).toBe(1);
      expect(world.mqttBroker.load).toEqual({ clients: 1, waiting: 0 });
    });
  });

  const trouble = fc.record({
    afterMs: fc.nat(400),
    what: fc.constantFrom('cut-box', 'cut-backend', 'lose-puback', 'stall', 'half-open', 'restart'),
    lastsMs: fc.integer({ min: 1, max: 150_000 }),
  });

  test('a persistent subscriber always gets every message that was acknowledged to its publisher, in order', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(), fc.array(trouble, { maxLength: 8 }), async (seed, troubles) => {
        const world = openVirtualWorld({ seed });
        const count = 25;
        const heard: number[] = [];
        let isDone = false;
        const subscriber = async () => {
          while (!isDone) {
            await new Promise<void>((closed) => {
              const events: MqttSessionEvents = {
                message(_topic, payload, _retained, acknowledge) {
                  heard.push(Number(Buffer.from(payload).toString()));
                  acknowledge();
                },
                closed: () => closed(),
              };
              world.mqtt
                .open(connectOptions('backend', { clean: false }), events)
                .then((session) => session.subscribe('#'))
                .catch(() => closed());
            });
            await sleep(world.time, 500);
          }
        };
        const publisher = async () => {
          // The subscriber's first subscription comes first.
          await sleep(world.time, 5_000);
          let session: MqttSession | undefined;
          for (let index = 0; index < count; ) {
            try {
              session ??= await world.mqtt.open(connectOptions('box'), {
                message: () => undefined,
                closed: () => undefined,
              });
              await session.publish(publication(`${index}`));
              index += 1;
            } catch {
              session = undefined;
              await sleep(world.time, 300);
            }
          }
        };
        const switches = new NetworkSwitches(world.networkFaults);
        const troubling = async () => {
          await sleep(world.time, 5_000);
          for (const { afterMs, what, lastsMs } of troubles) {
            await sleep(world.time, afterMs);
            if (what === 'cut-box') world.networkFaults.cut('box');
            else if (what === 'cut-backend') world.networkFaults.cut('backend');
            else if (what === 'lose-puback') switches.losePuback('box');
            else if (what === 'restart') world.mqttBroker.restart({ isPersistent: true });
            else {
              const turnTo = (isOn: boolean) =>
                what === 'stall' ? switches.stall('backend', isOn) : switches.halfOpen(ALL_CLIENTS, isOn);
              turnTo(true);
              await sleep(world.time, lastsMs);
              turnTo(false);
            }
          }
        };
        void subscriber();
        await world.run(async () => {
          await Promise.all([publisher(), troubling()]);
          await sleep(world.time, 300_000);
          isDone = true;
        });
        expect([...new Set(heard)]).toEqual(Array.from({ length: count }, (_, index) => index));
      }),
      { numRuns: 60 },
    );
  });
});
