import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type LinkEvents, LinkRefused, type Session } from '../../../world/link.ts';
import { sleep } from '../../../world/time.ts';
import { openVirtualWorld } from '../../../world/virtual-world.ts';
import { EVERYBODY } from '../../../world/weather.ts';
import { client, options, say } from './link-client.ts';

describe('the broker', () => {
  test('a broker that is down refuses, and drops who is connected', async () => {
    const world = openVirtualWorld({ seed: 3 });
    await world.run(async () => {
      const box = await client(world, 'box', { clean: false });
      world.broker.setDown(true);
      await sleep(world.time, 1_000);
      expect(box.closings.map((closing) => closing.reason)).toEqual(['the broker went down']);
      await expect(client(world, 'box')).rejects.toBeInstanceOf(LinkRefused);
      world.broker.setDown(false);
      expect((await client(world, 'box', { clean: false })).session.present).toBe(true);
    });
  });

  test('a restart keeps sessions where the broker is persistent, and forgets them where not', async () => {
    for (const isPersistent of [true, false]) {
      const world = openVirtualWorld({ seed: 3 });
      await world.run(async () => {
        await client(world, 'box', { clean: false });
        world.broker.restart({ isPersistent });
        await sleep(world.time, 1_000);
        expect((await client(world, 'box', { clean: false })).session.present).toBe(isPersistent);
      });
    }
  });

  test('a full queue drops the newest and counts it', async () => {
    const world = openVirtualWorld({ seed: 3, queueBound: 5 });
    await world.run(async () => {
      const first = await client(world, 'backend', { clean: false });
      await first.session.subscribe('#');
      await first.session.end();
      const box = await client(world, 'box');
      for (let index = 0; index < 8; index++) await box.session.publish(say(`${index}`));
      expect(world.broker.backlog('backend')).toEqual({ waiting: 5, dropped: 3 });
      const second = await client(world, 'backend', { clean: false });
      await sleep(world.time, 1_000);
      expect(second.texts).toEqual(['0', '1', '2', '3', '4']);
    });
  });

  test('tells how many are connected, and what waits for the one for which most does', async () => {
    const world = openVirtualWorld({ seed: 3 });
    await world.run(async () => {
      const backend = await client(world, 'backend', { clean: false });
      await backend.session.subscribe('#');
      const box = await client(world, 'box');
      await Promise.all(['a', 'b', 'c'].map((words) => box.session.publish(say(words))));
      expect(world.broker.load).toEqual({ clients: 2, waiting: 3 });
      await sleep(world.time, 1_000);
      expect(world.broker.load).toEqual({ clients: 2, waiting: 0 });
      await backend.session.end();
      await box.session.publish(say('d'));
      expect(world.broker.backlog('backend').waiting).toBe(1);
      expect(world.broker.load).toEqual({ clients: 1, waiting: 0 });
    });
  });

  const trouble = fc.record({
    afterMs: fc.nat(400),
    what: fc.constantFrom('cut-box', 'cut-backend', 'lose-puback', 'stall', 'half-open', 'restart'),
    lastsMs: fc.integer({ min: 1, max: 150_000 }),
  });

  test('whatever happens, a persistent subscriber gets all that was acknowledged to its publisher, in order', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(), fc.array(trouble, { maxLength: 8 }), async (seed, troubles) => {
        const world = openVirtualWorld({ seed });
        const count = 25;
        const heard: number[] = [];
        let isDone = false;
        const subscriber = async () => {
          while (!isDone) {
            await new Promise<void>((closed) => {
              const events: LinkEvents = {
                message(_topic, payload, _retained, acknowledge) {
                  heard.push(Number(Buffer.from(payload).toString()));
                  acknowledge();
                },
                closed: () => closed(),
              };
              world.link
                .open(options('backend', { clean: false }), events)
                .then((session) => session.subscribe('#'))
                .catch(() => closed());
            });
            await sleep(world.time, 500);
          }
        };
        const publisher = async () => {
          // The subscriber's first subscription comes first.
          await sleep(world.time, 5_000);
          let session: Session | undefined;
          for (let index = 0; index < count; ) {
            try {
              session ??= await world.link.open(options('box'), {
                message: () => undefined,
                closed: () => undefined,
              });
              await session.publish(say(`${index}`));
              index += 1;
            } catch {
              session = undefined;
              await sleep(world.time, 300);
            }
          }
        };
        const troubling = async () => {
          await sleep(world.time, 5_000);
          for (const { afterMs, what, lastsMs } of troubles) {
            await sleep(world.time, afterMs);
            if (what === 'cut-box') world.weather.cut('box');
            else if (what === 'cut-backend') world.weather.cut('backend');
            else if (what === 'lose-puback') world.weather.losePuback('box');
            else if (what === 'restart') world.broker.restart({ isPersistent: true });
            else {
              const turnTo = (isOn: boolean) =>
                what === 'stall'
                  ? world.weather.stall('backend', isOn)
                  : world.weather.halfOpen(EVERYBODY, isOn);
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
