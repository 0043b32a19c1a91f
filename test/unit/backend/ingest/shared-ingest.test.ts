import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { limits } from '../../../../backend/base/limits.ts';
import { clientIdOf } from '../../../../backend/ingest/partition-sessions.ts';
import type { Store } from '../../../../backend/store/port/store.ts';
import { partitionOf } from '../../../../protocol/partitions.ts';
import type { VirtualWorld } from '../../../../world/virtual-world.ts';
import {
  INGEST_ACCOUNT,
  type IngestBackend,
  type IngestFaults,
  IngestStage,
} from '../../../support/backend/ingest-backends.ts';
import type { ScriptedBox } from '../../../support/backend/scripted-box.ts';
import { BOX_ID } from '../../../support/store/store-rows.ts';

describe('ingest of one of several backends', () => {
  let world: VirtualWorld;
  let store: Store;
  let box: ScriptedBox;
  let stage: IngestStage;
  beforeEach(async () => {
    stage = await IngestStage.open();
    ({ world, store, box } = stage);
  });
  afterEach(() => stage.close());

  async function start(name?: string, faults: IngestFaults = {}): Promise<IngestBackend> {
    const started = stage.begin(name, faults);
    await world.runFor(15_000);
    return started;
  }
  const stored = async () => (await store.ingest.countRecords(BOX_ID)).records;
  const resends = () => box.down.filter(({ message }) => message.kind === 'resend').length;

  test('asks boxes to send again what a backend that died may have taken and not stored', async () => {
    const first = await start('backend-1');
    await world.run(() => box.report(1));
    await world.runFor(1_000);
    expect(await stored()).toBe(1);
    const before = resends();
    first.sever();
    await start('backend-2');
    expect(resends()).toBe(before + 1);
  });

  test('does not ask where a backend that stopped in order has stored it all', async () => {
    const first = await start('backend-1');
    await world.run(() => box.report(1));
    await world.runFor(1_000);
    const before = resends();
    await world.run(() => first.stop());
    const second = await start('backend-2');
    expect(second.keeper?.leaseOf(partitionOf(BOX_ID))).toBeDefined();
    expect(resends()).toBe(before);
  });

  test('passes its partitions on once what came over them is committed', async () => {
    const first = await start('backend-1', { slowMs: 500 });
    void box.report(1);
    await world.runUntil(() => first.ingest.condition().fill > 0);
    expect(await stored()).toBe(0);
    await world.run(async () => {
      await first.ingest.drain([partitionOf(BOX_ID)]);
      expect(await stored()).toBe(1);
    });
  });

  test('takes nothing more of a partition that others have taken', async () => {
    const first = await start('backend-1');
    first.ingest.lost([partitionOf(BOX_ID)]);
    await world.run(() => box.report(1));
    await world.runFor(5_000);
    expect(await stored()).toBe(0);
    expect(world.mqttBroker.backlog(clientIdOf(INGEST_ACCOUNT.clientId, partitionOf(BOX_ID))).waiting).toBe(
      1,
    );
  });

  test('serves its boxes also where it is not looked whose the broker is', async () => {
    await start('backend-1', { isUnclaimed: true });
    await world.run(() => box.report(1));
    await world.runFor(1_000);
    expect(await stored()).toBe(1);
  });

  test.each([
    ['one backend for all boxes commits reports soon after they come', undefined, 2],
    ['several let reports wait for others, to commit them together', 'backend-1', 1],
  ] as const)('%s', async (_what, name, commits) => {
    const { counters } = await start(name);
    void box.report(1);
    await world.runFor(limits.sharedReportWindowMs / 2);
    void box.report(2);
    await world.runFor(1_000);
    expect(await stored()).toBe(2);
    expect(counters.read()['commits.done']).toBe(commits);
  });

  test('holds nothing back any more of a session that has ended', async () => {
    const faults = { isFailing: true };
    const first = await start('backend-1', faults);
    for (let sequence = 1; sequence <= limits.queuedPayloads + 5; sequence += 1) void box.report(sequence);
    await world.runFor(30_000);
    expect(first.ingest.condition().isHoldingBack).toBe(true);
    first.ingest.lost([partitionOf(BOX_ID)]);
    await world.runFor(10);
    expect(first.ingest.condition().isHoldingBack).toBe(false);
  });
});
