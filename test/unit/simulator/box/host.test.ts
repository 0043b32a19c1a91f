import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { FleetBox } from '../../../../simulator/box/fleet-box.ts';
import { vehiclePageKey } from '../../../../simulator/box/hardware-pages.ts';
import type { BoxPlan } from '../../../../simulator/box-plan.ts';
import { type Fleet, startFleet } from '../../../../simulator/fleet/fleet.ts';
import { planFleet } from '../../../../simulator/fleet/fleet-plan.ts';
import { openVirtualWorld, type VirtualWorld } from '../../../../world/virtual-world.ts';
import { FakeBackend } from '../../../support/firmware/fake-backend.ts';

const TRACKING = { 'tracking.enabled': 1, 'tracking.timeIntervalS': 10 } as const;

interface Stage {
  readonly world: VirtualWorld;
  readonly backend: FakeBackend;
  readonly fleet: Fleet;
  readonly plan: BoxPlan;
  readonly box: FleetBox;
}

function plansOf(world: VirtualWorld, count: number): readonly BoxPlan[] {
  return planFleet(world.random, count).map((plan) => ({ ...plan, factorySettings: TRACKING }));
}

async function stage(seed = 5, count = 1): Promise<Stage> {
  const world = openVirtualWorld({ seed });
  const backend = new FakeBackend(world);
  await world.run(() => backend.start());
  const plans = plansOf(world, count);
  const fleet = await world.run(() => startFleet(world, plans));
  return { world, backend, fleet, ...first(plans, fleet) };
}

function first(plans: readonly BoxPlan[], fleet: Fleet): { readonly plan: BoxPlan; readonly box: FleetBox } {
  const [plan] = plans;
  const box = plan && fleet.boxes.get(plan.boxId);
  if (plan === undefined || box === undefined) throw new Error('The fleet is empty');
  return { plan, box };
}

interface Journal {
  readonly epoch: number;
  readonly next: number;
  readonly held: number;
}

const journalOf = (box: FleetBox): Journal => box.snapshot()['journal'] as Journal;
const sequencesOf = (backend: FakeBackend, boxId: string): readonly number[] =>
  backend.recordsOf(boxId).map((frame) => frame.sequence);
const upTo = (last: number): readonly number[] => Array.from({ length: last }, (_one, index) => index + 1);

describe('a box in a world', () => {
  test('sends its hello within three seconds and has an empty journal once all is receipted', async () => {
    const { world, backend, plan, box } = await stage();
    await world.runFor(3_000);
    expect(backend.messagesOf(plan.boxId)[0]).toMatchObject({ kind: 'report', cause: 'boot' });
    await world.runFor(595_000);
    expect(journalOf(box).held).toBe(0);
    expect(sequencesOf(backend, plan.boxId)).toEqual(upTo(journalOf(box).next - 1));
    expect(journalOf(box).next).toBeGreaterThan(55);
    expect(world.warnings).toEqual([]);
  });

  test('without coverage keeps its records, and its will is published; then it sends them all', async () => {
    const { world, backend, plan, box } = await stage();
    await world.runFor(30_000);
    box.setCoverage(false);
    await world.runFor(120_000);
    expect(backend.of(plan.boxId).presence).toEqual({ kind: 'gone', connection: 1 });
    expect(box.snapshot()).toMatchObject({ modem: 'searching', session: 'down' });
    expect(journalOf(box).held).toBeGreaterThanOrEqual(11);
    box.setCoverage(true);
    await world.runFor(30_000);
    expect(backend.of(plan.boxId).presence).toEqual({ kind: 'birth', connection: 2 });
    expect(sequencesOf(backend, plan.boxId)).toEqual(upTo(journalOf(box).next - 1));
  });

  test('stores its parked vehicle in flash after a wipe, even if the vehicle has not changed', async () => {
    const { world, plan, box } = await stage();
    box.park();
    await world.runFor(120_000);
    const before = (await world.run(() => world.flash.load(plan.boxId))).get(vehiclePageKey);
    box.wipe();
    await world.runFor(60_000);
    const after = (await world.run(() => world.flash.load(plan.boxId))).get(vehiclePageKey);
    expect(after).toEqual(before);
    expect(after?.length).toBeGreaterThan(0);
  });

  test('reconnects on its own after its link was cut', async () => {
    const { world, backend, plan, box } = await stage();
    await world.runFor(30_000);
    box.cutConnection();
    await world.runFor(10_000);
    expect(backend.of(plan.boxId).presence).toEqual({ kind: 'birth', connection: 2 });
  });

  test('without receipts sends one window of records and then waits', async () => {
    const { world, backend, plan, box } = await stage();
    await world.runFor(20_000);
    backend.isSilent = true;
    await world.runFor(3_600_000);
    const before = backend.of(plan.boxId).frames.length;
    expect(before).toBeLessThan(4_000);
    backend.isSilent = false;
    await world.runFor(700_000);
    expect(sequencesOf(backend, plan.boxId)).toEqual(upTo(journalOf(box).next - 1));
    expect(journalOf(box).held).toBeLessThan(3);
  });

  test('publishes nothing while its flash fails, and continues without a gap when it works', async () => {
    const { world, backend, plan, box } = await stage();
    await world.runFor(30_500);
    const before = sequencesOf(backend, plan.boxId);
    world.flashImages.setFull(plan.boxId, true);
    await world.runFor(60_000);
    expect(sequencesOf(backend, plan.boxId).length - before.length).toBeLessThanOrEqual(1);
    expect(world.warnings[0]).toMatchObject({ level: 'warn' });
    world.flashImages.setFull(plan.boxId, false);
    await world.runFor(60_000);
    expect(sequencesOf(backend, plan.boxId)).toEqual(upTo(journalOf(box).next - 1));
  });

  test('is off while the supply is too low, and reports a brown-out afterwards', async () => {
    const { world, backend, plan, box } = await stage();
    await world.runFor(30_000);
    box.brownOut();
    await world.runFor(1_000);
    expect(box.snapshot()).toMatchObject({ power: 'dead' });
    expect(backend.of(plan.boxId).presence).toEqual({ kind: 'gone', connection: 1 });
    await world.runFor(20_000);
    expect(box.snapshot()).toMatchObject({ power: 'up', resetReason: 'BROWN_OUT', boot: 2 });
    expect(backend.messagesOf(plan.boxId)).toContainEqual(
      expect.objectContaining({ kind: 'event', event: 'power-restored' }),
    );
  });

  test('is offline while its SIM is suspended, and online when it is active', async () => {
    const { world, box } = await stage();
    await world.runFor(30_000);
    box.setSim('suspended');
    await world.runFor(30_000);
    expect(box.snapshot()).toMatchObject({ modem: 'searching', session: 'down' });
    box.setSim('detached');
    await world.runFor(30_000);
    expect(box.sim()).toBe('suspended');
    box.setSim('active');
    await world.runFor(10_000);
    expect(box.snapshot()).toMatchObject({ modem: 'data-up', session: 'ready' });
  });

  test('stays offline over resets and a complete restart while its SIM is suspended', async () => {
    const { world, fleet, plan, box } = await stage();
    await world.runFor(30_000);
    box.setSim('suspended');
    await world.runFor(5_000);
    box.reset('WATCHDOG');
    await world.runFor(30_000);
    expect(box.snapshot()).toMatchObject({ power: 'up', sim: 'suspended', session: 'down' });
    await world.run(() => fleet.stop());
    const again = await world.run(() => startFleet(world, [plan]));
    const same = first([plan], again).box;
    await world.runFor(60_000);
    expect(same.snapshot()).toMatchObject({ power: 'up', sim: 'suspended', session: 'down' });
    same.setSim('active');
    await world.runFor(10_000);
    expect(same.snapshot()).toMatchObject({ session: 'ready' });
    same.reset('USER');
    await world.runFor(30_000);
    expect(same.snapshot()).toMatchObject({ sim: 'active', session: 'ready' });
  });

  test('loses its network when its SIM is detached, and registers again on its own', async () => {
    const { world, backend, plan, box } = await stage();
    await world.runFor(30_000);
    box.setSim('detached');
    await world.runFor(4_000);
    expect(box.snapshot()).toMatchObject({ sim: 'detached', modem: 'searching', session: 'down' });
    expect(backend.of(plan.boxId).presence).toEqual({ kind: 'gone', connection: 1 });
    await world.runFor(20_000);
    expect(box.snapshot()).toMatchObject({ sim: 'active', modem: 'data-up', session: 'ready' });
    expect(backend.of(plan.boxId).presence).toEqual({ kind: 'birth', connection: 2 });
  });

  test.each(['USER', 'WATCHDOG', 'POWER_DOWN_MODE'] as const)(
    'tells that it was reset by %s',
    async (reason) => {
      const { world, backend, plan, box } = await stage();
      await world.runFor(30_000);
      box.reset(reason);
      await world.runFor(15_000);
      const hellos = backend.of(plan.boxId).frames.filter((frame) => frame.message.kind === 'hello');
      expect(hellos.at(-1)?.message).toMatchObject({ resetReason: reason, connection: 2 });
      expect(sequencesOf(backend, plan.boxId)).toEqual(upTo(journalOf(box).next - 1));
    },
  );

  test('acts on its vehicle once for a command that is received three times', async () => {
    const { world, backend, plan, box } = await stage();
    box.park();
    await world.runFor(300_000);
    const command = {
      kind: 'command',
      requestId: '01ARZ3NDEKTSV4RRFFQ69G5FAV',
      command: 'unlock-central-lock',
      expiresMs: world.time.nowMs() + 20_000,
    } as const;
    for (let copy = 0; copy < 3; copy++) backend.send(plan.boxId, command);
    await world.runFor(10_000);
    expect(box.truth()).toMatchObject({ locked: false });
    const replies = backend.of(plan.boxId).frames.filter((frame) => frame.message.kind === 'reply');
    expect(new Set(replies.map((frame) => frame.sequence)).size).toBe(1);
    expect(replies[0]?.message).toMatchObject({ outcome: 'done' });
  });

  test('sleeps while it is parked: a day has few events', async () => {
    const { world, box } = await stage();
    box.park();
    await world.runFor(300_000);
    const before = world.loop.eventCount;
    await world.runFor(86_400_000);
    expect(box.snapshot()).toMatchObject({ session: 'ready' });
    // 48 standby contacts, and a keep-alive a minute.
    expect(world.loop.eventCount - before).toBeLessThan(20_000);
  });
});

describe('a fleet', () => {
  test('gives byte-identical results with the same seed', async () => {
    const hashes = [];
    for (let run = 0; run < 2; run++) {
      const { world, box } = await stage(9, 8);
      await world.runFor(60_000);
      box.cutConnection();
      await world.runFor(120_000);
      hashes.push(world.hash());
    }
    expect(hashes[0]).toBe(hashes[1]);
  });

  test('leaves no alarm and no link open when it stops', async () => {
    const { world, backend, fleet, plan, box } = await stage(3, 4);
    await world.runFor(20_000);
    await world.run(() => fleet.stop());
    await world.runFor(5_000);
    expect(world.mqttBroker.connected).toEqual(['backend']);
    const before = { ...journalOf(box), frames: backend.of(plan.boxId).frames.length };
    await world.runFor(3_600_000);
    expect({ ...journalOf(box), frames: backend.of(plan.boxId).frames.length }).toEqual(before);
    expect(world.flashImages.image(plan.boxId).pages().has('vehicle')).toBe(true);
  });

  test('continues after its program was killed: no gap, no new epoch, no mileage lost', async () => {
    const world = openVirtualWorld({ seed: 11 });
    const backend = new FakeBackend(world);
    await world.run(() => backend.start());
    const plans = plansOf(world, 3);
    const epochs = new Map<string, number>();
    const mileages = new Map<string, number>();
    for (let life = 0; life < 4; life++) {
      const instance = world.instance('simulator');
      const fleet = await world.run(() => startFleet(instance, plans));
      for (const [id, box] of fleet.boxes) {
        const mileage = Number(box.truth()['mileageKm']);
        expect(mileage).toBeGreaterThanOrEqual((mileages.get(id) ?? 0) - 0.5);
      }
      await world.runFor(47_000 + life * 13_331);
      for (const [id, box] of fleet.boxes) {
        const { epoch } = journalOf(box);
        expect(epoch).toBe(epochs.get(id) ?? epoch);
        epochs.set(id, epoch);
        mileages.set(id, Number(box.truth()['mileageKm']));
      }
      if (life < 3) instance.kill();
      else {
        await world.runFor(30_000);
        for (const [id, box] of fleet.boxes) {
          const { next, held } = journalOf(box);
          expect(held).toBeLessThan(2);
          const known = sequencesOf(backend, id);
          expect(known).toEqual(upTo(known.length));
          expect(known.length).toBeGreaterThanOrEqual(next - 2);
        }
      }
    }
  });

  test('loses nothing, whatever faults network, power and program have', async () => {
    const anyTrouble = fc.record({
      what: fc.constantFrom('cut', 'coverage', 'brown-out', 'reset', 'silent', 'kill', 'door'),
      afterMs: fc.integer({ min: 50, max: 40_000 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.integer(), fc.array(anyTrouble, { maxLength: 12 }), async (seed, troubles) => {
        const world = openVirtualWorld({ seed });
        const backend = new FakeBackend(world);
        await world.run(() => backend.start());
        const plans = plansOf(world, 1);
        let instance = world.instance('simulator');
        let fleet = await world.run(() => startFleet(instance, plans));
        let hasCoverage = true;
        let isOpen = false;
        for (const { what, afterMs } of troubles) {
          await world.runFor(afterMs);
          const { box } = first(plans, fleet);
          if (what === 'cut') box.cutConnection();
          if (what === 'brown-out') box.brownOut();
          if (what === 'reset') box.reset('WATCHDOG');
          if (what === 'silent') backend.isSilent = !backend.isSilent;
          if (what === 'coverage') {
            hasCoverage = !hasCoverage;
            box.setCoverage(hasCoverage);
          }
          if (what === 'door') {
            isOpen = !isOpen;
            box.openDoor(isOpen);
          }
          if (what === 'kill') {
            instance.kill();
            instance = world.instance('simulator');
            fleet = await world.run(() => startFleet(instance, plans));
            hasCoverage = true;
          }
        }
        backend.isSilent = false;
        const { plan, box } = first(plans, fleet);
        box.setCoverage(true);
        await world.runFor(900_000);
        const { next } = journalOf(box);
        const known = sequencesOf(backend, plan.boxId);
        expect(known).toEqual(upTo(known.length));
        expect(known.length).toBeGreaterThanOrEqual(next - 3);
        expect(world.warnings).toEqual([]);
      }),
      { numRuns: 25 },
    );
  });
});
