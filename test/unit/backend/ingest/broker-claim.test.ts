import { describe, expect, test } from 'vitest';
import { limits } from '../../../../backend/base/limits.ts';
import {
  type BrokerClaimResult,
  makeBrokerClaim,
  OtherInstallation,
} from '../../../../backend/ingest/broker-claim.ts';
import { topics } from '../../../../protocol/topics.ts';
import type { MqttSession } from '../../../../world/mqtt/mqtt-client.ts';
import { openVirtualWorld, type VirtualWorld } from '../../../../world/virtual-world.ts';

/** A backend of an installation looks whose the broker is; it ends its session afterwards. */
async function claimOf(world: VirtualWorld, installationId: string, delayMs = 0): Promise<BrokerClaimResult> {
  const instance = world.instance(installationId);
  const claim = makeBrokerClaim({ time: instance.time, installationId });
  if (delayMs > 0)
    await new Promise<void>((resolve) => instance.time.alarm(instance.time.nowMs() + delayMs, resolve));
  const session = await instance.mqtt.open(
    {
      clientId: installationId,
      username: 'backend',
      password: 'secret',
      clean: true,
      keepAliveS: 30,
      connectTimeoutMs: 5_000,
    },
    { message: claim.message, closed: () => undefined },
  );
  const result = await claim.claim(session);
  await session.end();
  return result;
}

/** What the broker retains on that topic. */
async function held(world: VirtualWorld): Promise<readonly string[]> {
  const heard: string[] = [];
  const session = await world.mqtt.open(
    {
      clientId: 'looker',
      username: 'backend',
      password: 'secret',
      clean: true,
      keepAliveS: 30,
      connectTimeoutMs: 5_000,
    },
    {
      message: (_topic, payload, _retained, acknowledge) => {
        acknowledge();
        heard.push(Buffer.from(payload).toString());
      },
      closed: () => undefined,
    },
  );
  await session.subscribe(topics.installation);
  await new Promise<void>((resolve) => world.time.alarm(world.time.nowMs() + 100, resolve));
  await session.end();
  return heard;
}

async function publish(session: Pick<MqttSession, 'publish'>, text: string): Promise<void> {
  await session.publish({ topic: topics.installation, payload: Buffer.from(text), retain: true });
}

describe('who has an MQTT broker', () => {
  test('is the first installation, whose backends find it there at once from then on', async () => {
    const world = openVirtualWorld({ seed: 1 });
    expect(await world.run(() => claimOf(world, 'one'))).toEqual({ kind: 'ours' });
    expect(await world.run(() => held(world))).toEqual(['one']);
    const beganMs = world.time.nowMs();
    expect(await world.run(() => claimOf(world, 'one'))).toEqual({ kind: 'ours' });
    expect(world.time.nowMs() - beganMs).toBeLessThan(limits.brokerHolderMs);
  });

  test('is not another installation, until an operator clears the message', async () => {
    const world = openVirtualWorld({ seed: 1 });
    await world.run(() => claimOf(world, 'one'));
    expect(await world.run(() => claimOf(world, 'two'))).toEqual({ kind: 'others', holder: 'one' });
    expect(await world.run(() => held(world))).toEqual(['one']);
    const operator = await world.run(() =>
      world.mqtt.open(
        {
          clientId: 'operator',
          username: 'backend',
          password: 'secret',
          clean: true,
          keepAliveS: 30,
          connectTimeoutMs: 5_000,
        },
        { message: () => undefined, closed: () => undefined },
      ),
    );
    await world.run(() => publish(operator, ''));
    expect(await world.run(() => claimOf(world, 'two'))).toEqual({ kind: 'ours' });
    expect(await world.run(() => held(world))).toEqual(['two']);
  });

  test('is one of those that begin at the same time', async () => {
    for (let delayMs = 0; delayMs <= 1.5 * limits.brokerHolderMs; delayMs += 25) {
      const world = openVirtualWorld({ seed: delayMs + 1 });
      const both = await world.run(() =>
        Promise.all([claimOf(world, 'one'), claimOf(world, 'two', delayMs)]),
      );
      const winners = ['one', 'two'].filter((_, index) => both[index]?.kind === 'ours');
      expect(winners, `${delayMs} ms apart`).toHaveLength(1);
      expect(await world.run(() => held(world))).toEqual(winners);
    }
  });

  test('is told with both names and what to do', () => {
    expect(new OtherInstallation('two', 'one\n').message).toBe(
      "Another installation uses this MQTT broker: service/installation holds 'one?', and this one is two. Give each installation a broker of its own; if the other one is gone, clear that retained message.",
    );
  });
});
