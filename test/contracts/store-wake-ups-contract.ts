import { beforeEach, describe, expect, test } from 'vitest';
import type { Store } from '../../backend/store/port/store.ts';
import type { CreatedVehicle } from '../../backend/store/port/vehicle-store.ts';
import { BoxTaken } from '../../backend/store/port/vehicle-store.ts';
import type { WakeUp } from '../../backend/store/port/wake-ups.ts';
import { partitionOf } from '../../protocol/partitions.ts';
import {
  BOX_ID,
  ingestBatch,
  linkMakerVehicle,
  newVehicle,
  OTHER_BOX_ID,
  openCommand,
  outgoingMessage,
  REPLY_KEY,
  START_MS,
  type TestStore,
} from '../support/store/store-rows.ts';

const ROOM = { jobs: 1, vehicles: 100 };
const FIRST_BOX_ID = '00000000000000fe';
const LAST_BOX_ID = '00000000000000ff';

/** How every store tells other backends of what is committed. */
export function wakeUpsContract(stage: TestStore): void {
  describe('wake-ups', () => {
    let other: Store;
    let heard: WakeUp[];
    let stopListening: () => void;
    let isLastHeard: PromiseWithResolvers<void>;
    beforeEach(async () => {
      await stage.store.vehicles.save(newVehicle());
      other = await stage.beside();
      heard = [];
      isLastHeard = Promise.withResolvers();
      const isListening = Promise.withResolvers<void>();
      stopListening = other.listen((wakeUp) => {
        const [boxId] = wakeUp.kind === 'onboarded' ? wakeUp.boxIds : [];
        if (boxId === LAST_BOX_ID) isLastHeard.resolve();
        else if (wakeUp.kind !== 'anything' && boxId !== FIRST_BOX_ID) heard.push(wakeUp);
        isListening.resolve();
      });
      // A store that needs a connection for it tells that anything may have happened once it has one.
      await saveSentinel('VEHFIRST', FIRST_BOX_ID);
      await isListening.promise;
    });

    const saveSentinel = (id: string, boxId: string) =>
      stage.store.vehicles.save(newVehicle({ id, boxId, setupStatus: 'PENDING' }));

    const createVehicle = (id: string, change: Partial<CreatedVehicle>) =>
      linkMakerVehicle(stage.store.vehicles, {
        id,
        fleetId: 'FLEET1',
        telematics: { maker: { name: 'northwind', vehicleId: `car_${id}` } },
        model: 'electric-estate',
        setupStatus: 'SUCCEEDED',
        masterData: {},
        customFields: {},
        tags: [],
        atMs: START_MS,
        ...change,
      });

    /** What was heard of all calls so far: wake-ups come in the order of the commits, and this is one more. */
    async function allHeard(): Promise<readonly WakeUp[]> {
      await saveSentinel('VEHLAST', LAST_BOX_ID);
      await isLastHeard.promise;
      return heard;
    }

    const reply = (requestId: string) => ({
      reply: { kind: 'reply', requestId, outcome: 'done', error: '' } as const,
      boxId: BOX_ID,
      key: REPLY_KEY,
      atMs: START_MS + 50,
    });

    test('name the requests whose outcomes are there, once each', async () => {
      await stage.store.commands.open(openCommand('R1'));
      await stage.store.ingest.commit(ingestBatch({ replies: [reply('R1'), reply('UNKNOWN')] }));
      await stage.store.ingest.commit(ingestBatch({ replies: [reply('R1')] }));
      expect(await allHeard()).toEqual([{ kind: 'settled', requestIds: ['R1'] }]);
    });

    test('name many requests of one commit', async () => {
      const requestIds = Array.from({ length: 700 }, (_, index) => `01JGF8000000000000000${10_000 + index}`);
      const open = (requestId: string) =>
        stage.store.commands.open(openCommand(requestId, { vehicleId: `V-${requestId}` }));
      await Promise.all(requestIds.map(open));
      await stage.store.ingest.commit(ingestBatch({ replies: requestIds.map(reply) }));
      const named = (await allHeard()).flatMap((wakeUp) =>
        wakeUp.kind === 'settled' ? wakeUp.requestIds : [],
      );
      expect(named).toEqual(requestIds);
    });

    test('are not raised by a commit of ingest without outcomes, nor by one that is stale', async () => {
      const change = await stage.change();
      await stage.store.commands.open(openCommand('R1'));
      await stage.store.ingest.commit(ingestBatch({ boxes: [change], messages: [outgoingMessage('M1')] }));
      const stale = await stage.store.ingest.commit(ingestBatch({ boxes: [change], replies: [reply('R1')] }));
      expect(stale.stale).toEqual([BOX_ID]);
      expect(await allHeard()).toEqual([]);
    });

    test("name the partition of a vehicle's box whose owner has changed it, where that is told", async () => {
      const { vehicles } = stage.store;
      await vehicles.change('VEH01', { tags: ['a'] }, undefined, START_MS);
      await vehicles.change('VEH01', { tags: ['b'] }, undefined, START_MS, [outgoingMessage('M1')]);
      await vehicles.change('VEH01', { tags: ['c'] }, 1, START_MS, [outgoingMessage('M2')]);
      expect(await allHeard()).toEqual([{ kind: 'messages', partitions: [partitionOf(BOX_ID)] }]);
    });

    test('name the partition of a vehicle without a box, whose maker has told its state', async () => {
      await createVehicle('VEH02', {});
      const { thirdParty } = stage.store;
      const version = (await thirdParty.findLinked('northwind', 'car_VEH02'))?.version ?? 0;
      const message = outgoingMessage('M1', { vehicleId: 'VEH02' });
      await thirdParty.commit({ vehicleId: 'VEH02', version, atMs: START_MS, message });
      await thirdParty.commit({ vehicleId: 'VEH02', version, atMs: START_MS, message });
      expect(await allHeard()).toEqual([{ kind: 'messages', partitions: [partitionOf('VEH02')] }]);
    });

    test('name the box of a vehicle that has to be set up, and none that was refused', async () => {
      const { vehicles } = stage.store;
      const unit = { boxId: OTHER_BOX_ID, fleetId: 'FLEET1', boxSecretHash: 'hash', generation: 2 } as const;
      await vehicles.saveUnit({ ...unit, sim: undefined });
      await createVehicle('VEH02', { telematics: { boxId: OTHER_BOX_ID }, setupStatus: 'PENDING' });
      await createVehicle('VEH03', { telematics: { boxId: OTHER_BOX_ID }, setupStatus: 'PENDING' });
      await expect(vehicles.save(newVehicle({ id: 'VEH04', setupStatus: 'PENDING' }))).rejects.toThrow(
        BoxTaken,
      );
      expect(await allHeard()).toEqual([{ kind: 'onboarded', boxIds: [OTHER_BOX_ID] }]);
    });

    test('tell of a bulk job, and of one of its vehicles that need not wait any more', async () => {
      const { bulk } = stage.store;
      const create = (id: string) =>
        bulk.create(
          {
            id,
            fleetId: 'FLEET1',
            flowId: '6a0f5a8e-0000-4000-8000-000000000003',
            vehicleIds: ['VEH01'],
            features: { 'parking-events': null },
            createdMs: START_MS,
            expiresMs: START_MS + 3_600_000,
          },
          ROOM,
        );
      expect(await create('JOB1')).toBe('created');
      expect(await create('JOB2')).toBe('full');
      await bulk.makeDueNow([BOX_ID], START_MS + 1);
      await bulk.makeDueNow([OTHER_BOX_ID], START_MS + 2);
      expect(await allHeard()).toEqual([{ kind: 'bulk' }, { kind: 'bulk' }]);
    });

    test('tell of a subscription that has become live, and of its end', async () => {
      const { subscriptions } = stage.store;
      const subscription = {
        id: 'S1',
        fleetId: 'FLEET1',
        discriminator: 'alpha',
        user: undefined,
        queues: [{ topic: 'VehicleState_v1', name: 'VehicleState_v1-alpha' }],
        createdMs: START_MS,
        dueMs: START_MS + 60_000,
      };
      await subscriptions.begin(subscription, { perFleet: 3 });
      await subscriptions.finish('S1');
      await subscriptions.finish('S1');
      await subscriptions.end('S1', START_MS);
      await subscriptions.end('UNKNOWN', START_MS);
      expect(await allHeard()).toEqual([{ kind: 'subscriptions' }, { kind: 'subscriptions' }]);
    });

    test('tell of partitions that were passed on, and of a backend that has left, not of one that looks', async () => {
      const { leases } = stage.store;
      const [lease] = (await leases.look({ backend: 'a', leaseMs: 6_000 })).held;
      if (lease === undefined) throw new Error('There are partitions.');
      await leases.beginSession({ backend: 'a', leaseMs: 6_000, lease });
      await leases.sessionSubscribed(lease);
      await leases.release({ backend: 'a', leases: [], isSettled: true });
      expect(heard).toEqual([]);
      await leases.release({ backend: 'a', leases: [lease], isSettled: true });
      await leases.leave('a');
      expect(await allHeard()).toEqual([{ kind: 'leases' }, { kind: 'leases' }]);
    });

    test('are told to each listener until it ends that', async () => {
      const late: WakeUp[] = [];
      const stopLate = other.listen((wakeUp) => late.push(wakeUp));
      stopLate();
      const again = Promise.withResolvers<WakeUp>();
      const ofFirst = (wakeUp: WakeUp) => 'boxIds' in wakeUp && wakeUp.boxIds.includes(FIRST_BOX_ID);
      other.listen((wakeUp) => {
        if (!ofFirst(wakeUp)) again.resolve(wakeUp);
      });
      stopListening();
      await stage.store.vehicles.save(newVehicle({ setupStatus: 'PENDING' }));
      expect(await again.promise).toEqual({ kind: 'onboarded', boxIds: [BOX_ID] });
      expect(heard).toEqual([]);
      expect(late).toEqual([]);
    });
  });
}
