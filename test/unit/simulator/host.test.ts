import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { BoxPlan, Fleet, FleetBox } from '../../../simulator/fleet.ts';
import { startFleet } from '../../../simulator/fleet.ts';
import { vehicleKey } from '../../../simulator/host.ts';
import { planFleet } from '../../../simulator/plan.ts';
import { openVirtualWorld, type VirtualWorld } from '../../../world/virtual-world.ts';
import { SmallBackend } from './small-backend.ts';

const TRACKING = { 'tracking.enabled': 1, 'tracking.timeIntervalS': 10 } as const;

interface Stage {
  readonly world: VirtualWorld;
  readonly backend: SmallBackend;
  readonly fleet: Fleet;
  readonly plan: BoxPlan;
  readonly box: FleetBox;
}

function plansOf(world: VirtualWorld, count: number): readonly BoxPlan[] {
  return planFleet(world.random, count).map((plan) => ({ ...plan, factorySettings: TRACKING }));
}

async function stage(seed = 5, count = 1): Promise<Stage> {
  const world = openVirtualWorld({ seed });
  const backend = new SmallBackend(world);
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

const journalOf = (box: FleetBox): Journal => box.belief()['journal'] as Journal;
const sequencesOf = (backend: SmallBackend, boxId: string): readonly number[] =>
  backend.recordsOf(boxId).map((frame) => frame.sequence);
const upTo = (last: number): readonly number[] => Array.from({ length: last }, (_one, index) => index + 1);

describe('a box in a world', () => {
  test('greets within three seconds and has nothing left once all is receipted', async () => {
    const { world, backend, plan, box } = await stage();
    await world.pass(3_000);
    expect(backend.messagesOf(plan.boxId)[0]).toMatchObject({ kind: 'report', cause: 'boot' });
    await world.pass(595_000);
    expect(journalOf(box).held).toBe(0);
    expect(sequencesOf(backend, plan.boxId)).toEqual(upTo(journalOf(box).next - 1));
    expect(journalOf(box).next).toBeGreaterThan(55);
    expect(world.complaints).toEqual([]);
  });

  test('without coverage keeps its records, and its will says that it is gone; then it sends them all', async () => {
    const { world, backend, plan, box } = await stage();
    await world.pass(30_000);
    box.setCoverage(false);
    await world.pass(120_000);
    expect(backend.of(plan.boxId).presence).toEqual({ kind: 'gone', connection: 1 });
    expect(box.belief()).toMatchObject({ modem: 'searching', session: 'down' });
    expect(journalOf(box).held).toBeGreaterThanOrEqual(11);
    box.setCoverage(true);
    await world.pass(30_000);
    expect(backend.of(plan.boxId).presence).toEqual({ kind: 'birth', connection: 2 });
    expect(sequencesOf(backend, plan.boxId)).toEqual(upTo(journalOf(box).next - 1));
  });

  test('has its parked vehicle in flash after a wipe too, though nothing about it has changed', async () => {
    const { world, plan, box } = await stage();
    box.park();
    await world.pass(120_000);
    const before = (await world.run(() => world.flash.load(plan.boxId))).get(vehicleKey);
    box.wipe();
    await world.pass(60_000);
    const after = (await world.run(() => world.flash.load(plan.boxId))).get(vehicleKey);
    expect(after).toEqual(before);
    expect(after?.length).toBeGreaterThan(0);
  });

  test('comes back by itself after its link was cut', async () => {
    const { world, backend, plan, box } = await stage();
    await world.pass(30_000);
    box.cutLink();
    await world.pass(10_000);
    expect(backend.of(plan.boxId).presence).toEqual({ kind: 'birth', connection: 2 });
  });

  test('that nobody receipts sends one window of records and then waits', async () => {
    const { world, backend, plan, box } = await stage();
    await world.pass(20_000);
    backend.isSilent = true;
    await world.pass(3_600_000);
    const before = backend.of(plan.boxId).frames.length;
    expect(before).toBeLessThan(4_000);
    backend.isSilent = false;
    await world.pass(700_000);
    expect(sequencesOf(backend, plan.boxId)).toEqual(upTo(journalOf(box).next - 1));
    expect(journalOf(box).held).toBeLessThan(3);
  });

  test('publishes nothing while its flash takes no write, and goes on without a gap when it does', async () => {
    const { world, backend, plan, box } = await stage();
    await world.pass(30_500);
    const before = sequencesOf(backend, plan.boxId);
    world.chips.setFull(plan.boxId, true);
    await world.pass(60_000);
    expect(sequencesOf(backend, plan.boxId).length - before.length).toBeLessThanOrEqual(1);
    expect(world.complaints[0]).toMatchObject({ level: 'warn' });
    world.chips.setFull(plan.boxId, false);
    await world.pass(60_000);
    expect(sequencesOf(backend, plan.boxId)).toEqual(upTo(journalOf(box).next - 1));
  });

  test('is dead while the supply is too low, and tells afterwards that it was a brown-out', async () => {
    const { world, backend, plan, box } = await stage();
    await world.pass(30_000);
    box.brownOut();
    await world.pass(1_000);
    expect(box.belief()).toMatchObject({ power: 'dead' });
    expect(backend.of(plan.boxId).presence).toEqual({ kind: 'gone', connection: 1 });
    await world.pass(20_000);
    expect(box.belief()).toMatchObject({ power: 'up', resetReason: 'BROWN_OUT', boot: 2 });
    expect(backend.messagesOf(plan.boxId)).toContainEqual(
      expect.objectContaining({ kind: 'event', event: 'power-restored' }),
    );
  });

  test('off the network while its SIM is suspended, and back when it is active', async () => {
    const { world, box } = await stage();
    await world.pass(30_000);
    box.setSim('suspended');
    await world.pass(30_000);
    expect(box.belief()).toMatchObject({ modem: 'searching', session: 'down' });
    box.setSim('detached');
    await world.pass(30_000);
    expect(box.sim()).toBe('suspended');
    box.setSim('active');
    await world.pass(10_000);
    expect(box.belief()).toMatchObject({ modem: 'data-up', session: 'ready' });
  });

  test('stays off the network through resets and a restart of all while its SIM is suspended', async () => {
    const { world, fleet, plan, box } = await stage();
    await world.pass(30_000);
    box.setSim('suspended');
    await world.pass(5_000);
    box.reset('WATCHDOG');
    await world.pass(30_000);
    expect(box.belief()).toMatchObject({ power: 'up', sim: 'suspended', session: 'down' });
    await world.run(() => fleet.stop());
    const again = await world.run(() => startFleet(world, [plan]));
    const same = first([plan], again).box;
    await world.pass(60_000);
    expect(same.belief()).toMatchObject({ power: 'up', sim: 'suspended', session: 'down' });
    same.setSim('active');
    await world.pass(10_000);
    expect(same.belief()).toMatchObject({ session: 'ready' });
    same.reset('USER');
    await world.pass(30_000);
    expect(same.belief()).toMatchObject({ sim: 'active', session: 'ready' });
  });

  test('loses its network when its SIM is detached, and registers again by itself', async () => {
    const { world, backend, plan, box } = await stage();
    await world.pass(30_000);
    box.setSim('detached');
    await world.pass(4_000);
    expect(box.belief()).toMatchObject({ sim: 'detached', modem: 'searching', session: 'down' });
    expect(backend.of(plan.boxId).presence).toEqual({ kind: 'gone', connection: 1 });
    await world.pass(20_000);
    expect(box.belief()).toMatchObject({ sim: 'active', modem: 'data-up', session: 'ready' });
    expect(backend.of(plan.boxId).presence).toEqual({ kind: 'birth', connection: 2 });
  });

  test.each(['USER', 'WATCHDOG', 'POWER_DOWN_MODE'] as const)(
    'tells that it was reset by %s',
    async (reason) => {
      const { world, backend, plan, box } = await stage();
      await world.pass(30_000);
      box.reset(reason);
      await world.pass(15_000);
      const hellos = backend.of(plan.boxId).frames.filter((frame) => frame.message.kind === 'hello');
      expect(hellos.at(-1)?.message).toMatchObject({ resetReason: reason, connection: 2 });
      expect(sequencesOf(backend, plan.boxId)).toEqual(upTo(journalOf(box).next - 1));
    },
  );

  test('moves its vehicle once for a command that comes three times', async () => {
    const { world, backend, plan, box } = await stage();
    box.park();
    await world.pass(300_000);
    const command = {
      kind: 'command',
      requestId: '01ARZ3NDEKTSV4RRFFQ69G5FAV',
      command: 'unlock-central-lock',
      expiresMs: world.time.nowMs() + 20_000,
    } as const;
    for (let copy = 0; copy < 3; copy++) backend.send(plan.boxId, command);
    await world.pass(10_000);
    expect(box.truth()).toMatchObject({ locked: false });
    const replies = backend.of(plan.boxId).frames.filter((frame) => frame.message.kind === 'reply');
    expect(new Set(replies.map((frame) => frame.sequence)).size).toBe(1);
    expect(replies[0]?.message).toMatchObject({ outcome: 'done' });
  });

  test('sleeps while it is parked: a day costs few events', async () => {
    const { world, box } = await stage();
    box.park();
    await world.pass(300_000);
    const before = world.loop.eventCount;
    await world.pass(86_400_000);
    expect(box.belief()).toMatchObject({ session: 'ready' });
    // 48 standby contacts, and a keep-alive a minute.
    expect(world.loop.eventCount - before).toBeLessThan(20_000);
  });
});

describe('a fleet', () => {
  test('does the same to the byte with the same seed', async () => {
    const hashes = [];
    for (let run = 0; run < 2; run++) {
      const { world, box } = await stage(9, 8);
      await world.pass(60_000);
      box.cutLink();
      await world.pass(120_000);
      hashes.push(world.hash());
    }
    expect(hashes[0]).toBe(hashes[1]);
  });

  test('leaves no alarm and no link behind when it stops', async () => {
    const { world, backend, fleet, plan, box } = await stage(3, 4);
    await world.pass(20_000);
    await world.run(() => fleet.stop());
    await world.pass(5_000);
    expect(world.broker.connected).toEqual(['backend']);
    const before = { ...journalOf(box), frames: backend.of(plan.boxId).frames.length };
    await world.pass(3_600_000);
    expect({ ...journalOf(box), frames: backend.of(plan.boxId).frames.length }).toEqual(before);
    expect(world.chips.chip(plan.boxId).pages().has('vehicle')).toBe(true);
  });

  test('goes on after its program was killed: no gap, no new epoch, no mileage lost', async () => {
    const world = openVirtualWorld({ seed: 11 });
    const backend = new SmallBackend(world);
    await world.run(() => backend.start());
    const plans = plansOf(world, 3);
    const epochs = new Map<string, number>();
    const mileages = new Map<string, number>();
    for (let life = 0; life < 4; life++) {
      const incarnation = world.incarnation('simulator');
      const fleet = await world.run(() => startFleet(incarnation, plans));
      for (const [id, box] of fleet.boxes) {
        const mileage = Number(box.truth()['mileageKm']);
        expect(mileage).toBeGreaterThanOrEqual((mileages.get(id) ?? 0) - 0.5);
      }
      await world.pass(47_000 + life * 13_331);
      for (const [id, box] of fleet.boxes) {
        const { epoch } = journalOf(box);
        expect(epoch).toBe(epochs.get(id) ?? epoch);
        epochs.set(id, epoch);
        mileages.set(id, Number(box.truth()['mileageKm']));
      }
      if (life < 3) incarnation.sever();
      else {
        await world.pass(30_000);
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

  test('loses nothing, whatever the network, the power and the program do', async () => {
    const anyTrouble = fc.record({
      what: fc.constantFrom('cut', 'coverage', 'brown-out', 'reset', 'silent', 'kill', 'door'),
      afterMs: fc.integer({ min: 50, max: 40_000 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.integer(), fc.array(anyTrouble, { maxLength: 12 }), async (seed, troubles) => {
        const world = openVirtualWorld({ seed });
        const backend = new SmallBackend(world);
        await world.run(() => backend.start());
        const plans = plansOf(world, 1);
        let incarnation = world.incarnation('simulator');
        let fleet = await world.run(() => startFleet(incarnation, plans));
        let hasCoverage = true;
        let isOpen = false;
        for (const { what, afterMs } of troubles) {
          await world.pass(afterMs);
          const { box } = first(plans, fleet);
          if (what === 'cut') box.cutLink();
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
            incarnation.sever();
            incarnation = world.incarnation('simulator');
            fleet = await world.run(() => startFleet(incarnation, plans));
            hasCoverage = true;
          }
        }
        backend.isSilent = false;
        const { plan, box } = first(plans, fleet);
        box.setCoverage(true);
        await world.pass(900_000);
        const { next } = journalOf(box);
        const known = sequencesOf(backend, plan.boxId);
        expect(known).toEqual(upTo(known.length));
        expect(known.length).toBeGreaterThanOrEqual(next - 3);
        expect(world.complaints).toEqual([]);
      }),
      { numRuns: 25 },
    );
  }, 60_000);
});
