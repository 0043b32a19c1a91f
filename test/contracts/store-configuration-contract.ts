import { describe, expect, test } from 'vitest';
import type { ReplyOutcome } from '../../protocol/commands.ts';
import { BOX_ID, ingestBatch, openCommand, START_MS, type TestStore } from '../support/store/store-rows.ts';

/**
 * The behaviour of a store for a configured box that gets into its next vehicle, and for what it leaves
 * behind.
 */
export function configurationContract(stage: TestStore): void {
  const vehicles = () => stage.store.vehicles;
  const configuration = () => stage.store.configuration;

  const onboard = (id: string, fleetId: string) =>
    vehicles().create({
      id,
      fleetId,
      telematics: { boxId: BOX_ID },
      model: 'petrol-compact',
      setupStatus: 'PENDING',
      masterData: {},
      customFields: {},
      tags: [],
      atMs: START_MS,
    });
  const said = (requestId: string, sequence: number, outcome: ReplyOutcome = 'done') =>
    stage.store.ingest.commit(
      ingestBatch({
        replies: [
          {
            reply: { kind: 'reply', requestId, outcome, error: '' },
            boxId: BOX_ID,
            key: { epoch: 7, sequence },
            atMs: START_MS + sequence,
          },
        ],
      }),
    );
  const order = async (requestId: string, vehicleId: string) => {
    const { revision, inForce } = await configuration().begin(BOX_ID, START_MS);
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
  const setUp = async (requestId: string, vehicleId: string, sequence: number, outcome?: ReplyOutcome) => {
    await stage.store.commands.open(openCommand(requestId, { vehicleId, command: 'begin-setup' }));
    await said(requestId, sequence, outcome);
  };
  const moveToNextFleet = async () => {
    await vehicles().remove('VEH01');
    const unit = { boxId: BOX_ID, boxSecretHash: 'hash', generation: 2, sim: undefined } as const;
    await vehicles().saveUnit({ ...unit, fleetId: 'FLEET2' });
    expect(await onboard('VEH02', 'FLEET2')).toBe('created');
  };

  describe('a configured box', () => {
    const begin = async () => {
      const unit = { boxId: BOX_ID, boxSecretHash: 'hash', generation: 2, sim: undefined } as const;
      await vehicles().saveUnit({ ...unit, fleetId: 'FLEET1' });
      await onboard('VEH01', 'FLEET1');
      await setUp('S1', 'VEH01', 1);
    };

    test('has no settings in force after the setup in its next vehicle, and its revisions continue', async () => {
      await begin();
      const first = await order('C1', 'VEH01');
      await said('C1', 2);
      expect((await configuration().read(BOX_ID)).features).toHaveProperty('tracking');
      await moveToNextFleet();
      await setUp('S2', 'VEH02', 3);
      expect((await vehicles().find('VEH02'))?.setupStatus).toBe('SUCCEEDED');
      await stage.crash();
      expect(await configuration().read(BOX_ID)).toEqual({ revision: first, features: {} });
      expect(await order('C2', 'VEH02')).toBeGreaterThan(first);
    });

    test('that answers for its last vehicle after the next setup has no settings in force', async () => {
      await begin();
      const late = await order('C1', 'VEH01');
      await moveToNextFleet();
      await setUp('S2', 'VEH02', 3);
      await said('C1', 2);
      expect(await configuration().read(BOX_ID)).toEqual({ revision: late, features: {} });
    });

    test('gets no order that is based on another revision than the last confirmed one, and none is left open', async () => {
      await begin();
      const confirmed = await order('C1', 'VEH01');
      await said('C1', 2);
      const configure = (requestId: string, basedOn: number) =>
        stage.store.commands.open(
          openCommand(requestId, {
            command: 'configure',
            configuration: { revision: confirmed + 1, basedOn, features: {}, calibrates: [], kept: {} },
          }),
        );
      expect(await configure('C2', 0)).toBe('conflict');
      expect(await stage.store.commands.find('C2')).toBeUndefined();
      expect(await stage.store.commands.isOpen('VEH01', START_MS)).toBe(false);
      expect(await configure('C3', confirmed)).toBe('opened');
    });

    test('keeps its settings if its setup fails', async () => {
      await begin();
      await order('C1', 'VEH01');
      await said('C1', 2);
      await moveToNextFleet();
      await setUp('S2', 'VEH02', 3, 'failed');
      expect((await configuration().read(BOX_ID)).features).toHaveProperty('tracking');
    });

    test('that leaves its vehicle leaves failed bulk items behind, whether or not an attempt is open', async () => {
      await begin();
      const job = {
        fleetId: 'FLEET1',
        flowId: '6a0f5a8e-0000-4000-8000-000000000003',
        vehicleIds: ['VEH01', 'VEH09'],
        createdMs: START_MS,
        expiresMs: START_MS + 43_200_000,
      };
      const room = { jobs: 10, vehicles: 100 };
      const { bulk } = stage.store;
      await bulk.create({ ...job, id: 'J1', features: { tracking: {} } }, room);
      await bulk.lease({ nowMs: START_MS, leaseMs: 30_000, limit: 1 });
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
      // For another fleet it does not exist, and the answer says so.
      expect((await items('J3'))[0]).toEqual(['pending', undefined]);
      // The result of the attempt comes too late for a second result.
      await bulk.finish([{ jobId: 'J1', position: 0, attempt: 1, outcome: 'applied' }], START_MS + 1);
      expect(await items('J1')).toEqual(gone);
    });
  });
}
