import { describe, expect, test } from 'vitest';
import type { FleetBox } from '../../../../simulator/box/fleet-box.ts';
import type { BoxPlan } from '../../../../simulator/box-plan.ts';
import { startFleet } from '../../../../simulator/fleet/fleet.ts';
import { planFleet } from '../../../../simulator/fleet/fleet-plan.ts';
import { openVirtualWorld, type VirtualWorld } from '../../../../world/virtual-world.ts';
import { FakeBackend } from '../../../support/firmware/fake-backend.ts';

const HOUR_MS = 3_600_000;

async function stage(seed: number, change: Partial<BoxPlan> = {}) {
  const world = openVirtualWorld({ seed });
  const backend = new FakeBackend(world);
  await world.run(() => backend.start());
  const plans = planFleet(world.random, 1).map((plan): BoxPlan => ({ ...plan, radio: 'road', ...change }));
  const fleet = await world.run(() => startFleet(world, plans));
  const [plan] = plans;
  const box = fleet.boxes.get(plan?.boxId ?? '');
  if (plan === undefined || box === undefined) throw new Error('The fleet is empty');
  return { world, backend, fleet, plan, box };
}

const parked = { driving: false, model: 'petrol-compact' } as const;
const session = (box: FleetBox) => box.snapshot()['session'];

/** Lets time pass until that is so; false: not within the hour. */
async function until(world: VirtualWorld, isSo: () => boolean, everyMs = 500): Promise<boolean> {
  const endMs = world.time.nowMs() + HOUR_MS;
  while (!isSo()) {
    if (world.time.nowMs() >= endMs) return false;
    await world.runFor(everyMs);
  }
  return true;
}

const fixesOf = (backend: FakeBackend, { boxId }: BoxPlan) =>
  backend
    .messagesOf(boxId)
    .flatMap((message) =>
      message.kind === 'report' ? [[message.cause, message.signals.gnss?.quality ?? -1] as const] : [],
    );

describe('a box with the road radio', () => {
  test('has no fix after power-on, reports again once it has one, and keeps it over a reset of its processor', async () => {
    const { world, backend, plan, box } = await stage(5, parked);
    await world.runFor(20_000);
    expect(fixesOf(backend, plan)).toEqual([['boot', 0]]);
    await world.runFor(40_000);
    expect(fixesOf(backend, plan)).toEqual([
      ['boot', 0],
      ['boot', expect.toSatisfy((quality: number) => quality > 0)],
    ]);
    box.reset('WATCHDOG');
    await world.runFor(20_000);
    const [, , third, ...others] = fixesOf(backend, plan);
    expect(third?.[1]).toBeGreaterThan(0);
    expect(others).toEqual([]);
  });

  test('has its fix in the first report with the ideal radio', async () => {
    const { world, backend, plan } = await stage(5, { ...parked, radio: 'ideal' });
    await world.runFor(60_000);
    expect(fixesOf(backend, plan)).toHaveLength(1);
    expect(fixesOf(backend, plan)[0]?.[1]).toBeGreaterThan(0);
  });

  test('that drives out of coverage counts as connected until it is back, and loses nothing', async () => {
    const { world, backend, plan, box } = await stage(2, { driving: true });
    await until(world, () => session(box) === 'ready');
    await world.runFor(60_000);
    const before = box.snapshot()['connection'];
    expect(await until(world, () => session(box) === 'down')).toBe(true);
    expect(box.truth()).toMatchObject({ hasCoverage: false, csq: 0 });
    await world.runFor(2_000);
    expect(backend.of(plan.boxId).presence).toMatchObject({ kind: 'birth', connection: before });
    expect(world.mqttBroker.connected).toContain(plan.boxId);
    expect(await until(world, () => session(box) === 'ready')).toBe(true);
    await world.runFor(5_000);
    expect(backend.of(plan.boxId).presence).toMatchObject({
      kind: 'birth',
      connection: box.snapshot()['connection'],
    });
    expect(box.snapshot()['connection']).not.toBe(before);
    const { next, held } = box.snapshot()['journal'] as { next: number; held: number };
    expect(backend.recordsOf(plan.boxId).length).toBeGreaterThanOrEqual(next - 1 - held);
    expect(world.warnings).toEqual([]);
  });

  test('that stays out of coverage counts as disconnected once it misses the keep-alive, and frames sent to it meanwhile are not acknowledged', async () => {
    const { world, backend, plan, box } = await stage(2, { driving: true });
    await until(world, () => session(box) === 'ready');
    await world.runFor(60_000);
    expect(await until(world, () => session(box) === 'down')).toBe(true);
    const lostMs = world.time.nowMs();
    // Whoever stops there with the engine on stays out of reach.
    box.openDoor(true);
    backend.send(plan.boxId, {
      kind: 'command',
      requestId: '01ARZ3NDEKTSV4RRFFQ69G5FAV',
      command: 'request-vehicle-state',
      expiresMs: lostMs + 20_000,
    });
    await world.runFor(20_000);
    expect(box.truth()).toMatchObject({ hasCoverage: false });
    expect(backend.of(plan.boxId).presence).toMatchObject({ kind: 'birth' });
    const replies = () => backend.of(plan.boxId).frames.filter(({ message }) => message.kind === 'reply');
    expect(replies()).toEqual([]);
    expect(await until(world, () => backend.of(plan.boxId).presence?.kind === 'gone')).toBe(true);
    expect(world.time.nowMs() - lostMs).toBeLessThanOrEqual(91_000);
    expect(world.mqttBroker.connected).not.toContain(plan.boxId);
    // At rest the modem gets through, and the box says so.
    box.openDoor(false);
    box.turnIgnition(false);
    await world.runFor(90_000);
    expect(session(box)).toBe('ready');
  });

  test('whose coverage was switched off counts as disconnected within a moment', async () => {
    const { world, backend, plan, box } = await stage(5, parked);
    await world.runFor(60_000);
    box.setCoverage(false);
    await world.runFor(1_000);
    expect(backend.of(plan.boxId).presence).toMatchObject({ kind: 'gone' });
  });

  test('unlocks once its motor has moved, and not if a reset ends the pulse', async () => {
    for (const isReset of [false, true]) {
      const { world, backend, plan, box } = await stage(5, parked);
      await world.runFor(60_000);
      const sentMs = world.time.nowMs();
      backend.send(plan.boxId, {
        kind: 'command',
        requestId: '01ARZ3NDEKTSV4RRFFQ69G5FAV',
        command: 'unlock-central-lock',
        expiresMs: sentMs + 20_000,
      });
      await until(world, () => box.snapshot()['commandInProgress'] !== null, 5);
      expect(world.time.nowMs() - sentMs).toBeGreaterThan(50);
      await world.runFor(50);
      expect(box.truth()).toMatchObject({ locked: true });
      if (isReset) box.reset('WATCHDOG');
      await world.runFor(isReset ? 20_000 : 3_000);
      expect(box.truth()).toMatchObject({ locked: isReset });
      const replies = backend
        .of(plan.boxId)
        .frames.flatMap(({ message }) => (message.kind === 'reply' ? [message] : []));
      expect(replies[0]).toMatchObject(
        isReset
          ? { outcome: 'failed', error: 'interrupted by a reset; nothing was changed' }
          : { outcome: 'done' },
      );
    }
  });

  test('that is parked has no more events than with the ideal radio', async () => {
    const events = [];
    for (const radio of ['ideal', 'road'] as const) {
      const { world, box } = await stage(5, { ...parked, radio });
      await world.runFor(300_000);
      const before = world.loop.eventCount;
      await world.runFor(24 * HOUR_MS);
      expect(session(box)).toBe('ready');
      events.push(world.loop.eventCount - before);
    }
    const [ideal = 0, road = 0] = events;
    // Each of 48 contacts with its receipt waits twice.
    expect(road - ideal).toBeLessThan(48 * 6);
  });

  test('gives byte-identical results with the same seed, and different ones with another', async () => {
    const hashes = [];
    for (const seed of [7, 7, 8]) {
      const { world } = await stage(seed, { driving: true });
      await world.runFor(900_000);
      hashes.push(world.hash());
    }
    expect(hashes[0]).toBe(hashes[1]);
    expect(hashes[2]).not.toBe(hashes[0]);
  });

  test('leaves no alarm and no link open when it stops, even out of coverage', async () => {
    const { world, fleet, box } = await stage(2, { driving: true });
    await until(world, () => session(box) === 'ready');
    expect(await until(world, () => session(box) === 'down')).toBe(true);
    await world.run(() => fleet.stop());
    await world.runFor(1_000);
    expect(world.mqttBroker.connected).toEqual(['backend']);
  });
});
