import { expect, test } from 'vitest';
import { ALL_CLIENTS } from '../../../../world/network-faults/network-faults.ts';
import { sleep } from '../../../../world/time/time.ts';
import { openVirtualWorld, type VirtualWorld } from '../../../../world/virtual-world.ts';
import { connectClient, publication } from '../../../support/mqtt/virtual-mqtt-client.ts';

const still = { minDelayMs: 10, maxDelayMs: 10, jitterMs: 0 };

function withPair(
  body: (pair: {
    readonly world: VirtualWorld;
    readonly backend: Awaited<ReturnType<typeof connectClient>>;
    readonly box: Awaited<ReturnType<typeof connectClient>>;
  }) => Promise<void>,
): Promise<void> {
  const world = openVirtualWorld({ seed: 3, network: still });
  return world.run(async () => {
    const backend = await connectClient(world, 'backend');
    await backend.session.subscribe('#');
    await body({ world, backend, box: await connectClient(world, 'box') });
  });
}

const publishes = ({ kind }: { readonly kind: string }): boolean => kind === 'PUBLISH';

function reorder(world: VirtualWorld, count: number, withinMs: number): { overtaken: number } {
  const seen = { overtaken: 0 };
  const overtaken = (): void => {
    seen.overtaken += 1;
  };
  world.networkFaults.addPacketFault('box', {
    matches: publishes,
    count,
    act: { kind: 'reorder', withinMs, overtaken },
  });
  return seen;
}

test('a doubled message arrives twice, right behind each other, and its publisher is answered once', () =>
  withPair(async ({ world, backend, box }) => {
    world.networkFaults.addPacketFault('box', { matches: publishes, count: 1, act: { kind: 'double' } });
    await Promise.all(['a', 'b'].map((text) => box.session.publish(publication(text))));
    await sleep(world.time, 100);
    expect(backend.texts).toEqual(['a', 'a', 'b']);
  }));

test('a message that is overtaken arrives behind the next one of its direction', () =>
  withPair(async ({ world, backend, box }) => {
    const seen = reorder(world, 2, 5_000);
    const sent = ['a', 'b', 'c', 'd', 'e'].map((text) => box.session.publish(publication(text)));
    await Promise.all(sent);
    await sleep(world.time, 100);
    expect(backend.texts).toEqual(['b', 'a', 'd', 'c', 'e']);
    expect(seen.overtaken).toBe(2);
  }));

test('a message that nothing overtakes in time goes on alone, and is not counted', () =>
  withPair(async ({ world, backend, box }) => {
    const seen = reorder(world, 1, 500);
    const fromMs = world.loop.nowMs;
    await box.session.publish(publication('a'));
    expect(world.loop.nowMs - fromMs).toBe(520);
    await sleep(world.time, 100);
    expect(backend.texts).toEqual(['a']);
    expect(seen.overtaken).toBe(0);
  }));

test('a message that is held back goes before a goodbye, and is lost with its connection', () =>
  withPair(async ({ world, backend, box }) => {
    reorder(world, 2, 5_000);
    box.session.publish(publication('a')).catch(() => undefined);
    await box.session.end();
    await sleep(world.time, 100);
    expect(backend.texts).toEqual(['a']);
    const again = await connectClient(world, 'box');
    const lost = again.session.publish(publication('b'));
    world.networkFaults.cut(ALL_CLIENTS);
    await expect(lost).rejects.toThrow('The connection ended');
    await sleep(world.time, 10_000);
    expect(backend.texts).toEqual(['a']);
  }));
