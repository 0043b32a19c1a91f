import { describe, expect, test } from 'vitest';
import type { OutcomeName } from '../../protocol/commands.ts';
import { BOX, batch, openCommand, type StoreStage, T } from './store-kit.ts';

/** What a store must do with a configured box that comes into its next vehicle, and with what it leaves behind. */
export function configurationContract(stage: StoreStage): void {
  const vehicles = () => stage.store.vehicles;
  const configuration = () => stage.store.configuration;

  const onboard = (id: string, fleetId: string) =>
    vehicles().create({
      id,
      fleetId,
      telematics: { boxId: BOX },
      model: 'petrol-compact',
      setupStatus: 'PENDING',
      masterData: {},
      customFields: {},
      tags: [],
      atMs: T,
    });
  const said = (requestId: string, sequence: number, outcome: OutcomeName = 'done') =>
    stage.store.ingest.commit(
      batch({
        replies: [
          {
            reply: { kind: 'reply', requestId, outcome, error: '' },
            boxId: BOX,
            key: { epoch: 7, sequence },
            atMs: T + sequence,
          },
        ],
      }),
    );
  const order = async (requestId: string, vehicleId: string) => {
    const { revision, inForce } = await configuration().begin(BOX, T);
    const opened = openCommand(requestId, {
      vehicleId,
      command: 'configure',
      configuration: {
        revision,
        basedOn: inForce.revision,
        features: { tracking: { time_interval_in_seconds: 5 } },
        calibrates: [],
        kept: inForce.features,
      },
    });
    expect(await stage.store.commands.open(opened)).toBe('opened');
    return revision;
  };
  const setUp = async (requestId: string, vehicleId: string, sequence: number, outcome?: OutcomeName) => {
    await stage.store.commands.open(openCommand(requestId, { vehicleId, command: 'begin-setup' }));
    await said(requestId, sequence, outcome);
  };
  const moveToNextFleet = async () => {
    await vehicles().remove('VEH01');
    const unit = { boxId: BOX, boxSecretHash: 'hash', generation: 2, sim: undefined } as const;
    await vehicles().saveUnit({ ...unit, fleetId: 'FLEET2' });
    expect(await onboard('VEH02', 'FLEET2')).toBe('created');
  };

  describe('a configured box', () => {
    const begin = async () => {
      const unit = { boxId: BOX, boxSecretHash: 'hash', generation: 2, sim: undefined } as const;
      await vehicles().saveUnit({ ...unit, fleetId: 'FLEET1' });
      await onboard('VEH01', 'FLEET1');
      await setUp('S1', 'VEH01', 1);
    };

    test('has nothing in force once it is set up in its next vehicle, and its revisions go on', async () => {
      await begin();
      const first = await order('C1', 'VEH01');
      await said('C1', 2);
      expect((await configuration().read(BOX)).features).toHaveProperty('tracking');
      await moveToNextFleet();
      await setUp('S2', 'VEH02', 3);
      expect((await vehicles().find('VEH02'))?.setupStatus).toBe('SUCCEEDED');
      await stage.crash();
      expect(await configuration().read(BOX)).toEqual({ revision: first, features: {} });
      expect(await order('C2', 'VEH02')).toBeGreaterThan(first);
    });

    test('whose answer of its last vehicle comes after the setup of the next has nothing in force', async () => {
      await begin();
      const late = await order('C1', 'VEH01');
      await moveToNextFleet();
      await setUp('S2', 'VEH02', 3);
      await said('C1', 2);
      expect(await configuration().read(BOX)).toEqual({ revision: late, features: {} });
    });

    test('keeps what it has where its setup fails', async () => {
      await begin();
      await order('C1', 'VEH01');
      await said('C1', 2);
      await moveToNextFleet();
      await setUp('S2', 'VEH02', 3, 'failed');
      expect((await configuration().read(BOX)).features).toHaveProperty('tracking');
    });

    test('that leaves its vehicle leaves failed bulk items behind, an attempt under way or not', async () => {
      await begin();
      const job = {
        fleetId: 'FLEET1',
        flowId: '6a0f5a8e-0000-4000-8000-000000000003',
        vehicleIds: ['VEH01', 'VEH09'],
        createdMs: T,
        expiresMs: T + 43_200_000,
      };
      const room = { jobs: 10, vehicles: 100 };
      const { bulk } = stage.store;
      await bulk.create({ ...job, id: 'J1', features: { tracking: {} } }, room);
      await bulk.lease({ nowMs: T, leaseMs: 30_000, limit: 1 });
      await bulk.create({ ...job, id: 'J2', features: { 'parking-events': {} } }, room);
      await bulk.create({ ...job, id: 'J3', fleetId: 'FLEET2', features: { tracking: {} } }, room);
      await vehicles().remove('VEH01');
      const items = async (jobId: string) =>
        (await bulk.items({ jobId, afterPosition: -1, limit: 9 })).map((one) => [
          one.status,
          one.reason?.problem,
        ]);
      const gone = [
        ['failed', 'resource-not-found'],
        ['pending', undefined],
      ];
      expect(await items('J1')).toEqual(gone);
      expect(await items('J2')).toEqual(gone);
      // To another fleet it never was there, and that is what it will hear.
      expect((await items('J3'))[0]).toEqual(['pending', undefined]);
      // The result of the attempt comes too late to be a second one.
      await bulk.finish([{ jobId: 'J1', position: 0, attempt: 1, became: 'applied' }], T + 1);
      expect(await items('J1')).toEqual(gone);
    });
  });
}
