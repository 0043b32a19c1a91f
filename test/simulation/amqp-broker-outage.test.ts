import { describe, expect, test } from 'vitest';
import type { ArrivedMessage } from '../../judge/ledger/facts.ts';
import { makeLedgerReport } from '../../judge/ledger/ledger.ts';
import type { LedgerReport } from '../../judge/ledger/ledger-account.ts';
import { readMessage } from '../../judge/ledger/read-message.ts';
import { runInSandbox } from '../../world/sandbox/virtual-sandbox.ts';
import { sleep } from '../../world/time/time.ts';
import { TestFleet } from '../support/simulation/test-fleet.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const NOTHING_WRONG = { lost: 0, doubled: 0, reordered: 0, unknown: 0, unreadable: 0, overflowed: 0 };

interface LedgerReports {
  readonly during: LedgerReport;
  readonly after: LedgerReport;
}

/** The ledger as it is now: the boxes' flash, the store, and the messages in the queue of vehicle states. */
function ledgerOf(fleet: TestFleet): Promise<LedgerReport> {
  const { world, store } = fleet;
  const { flash } = world.instance('ledger');
  const settings = { nowMs: world.time.nowMs(), lateAfterMs: 10 * MINUTE_MS, sinceMs: 0 };
  return makeLedgerReport({ flash, store, messages: arrivalsAt(fleet) }, settings);
}

async function* arrivalsAt(fleet: TestFleet): AsyncGenerator<ArrivedMessage | 'unreadable'> {
  for (const { queue, body, atMs } of fleet.messages())
    yield readMessage(body, { queue, redelivered: false, arrivedMs: atMs }) ?? 'unreadable';
}

/** Takes the AMQP broker down for this long, runs `meanwhile` in the middle, and starts it again. */
function withOutage(
  fleet: TestFleet,
  downMs: number,
  meanwhile: () => Promise<void>,
): Promise<LedgerReports> {
  return runInSandbox(fleet.world, () =>
    fleet.world.run(async () => {
      const { world } = fleet;
      await fleet.raise();
      await sleep(world.time, 5 * MINUTE_MS);
      if (downMs === DAY_MS) for (const box of fleet.boxes) box.park();
      world.amqpBroker.setDown(true);
      await sleep(world.time, downMs / 2);
      await meanwhile();
      await sleep(world.time, downMs / 2);
      const during = await ledgerOf(fleet);
      world.amqpBroker.setDown(false);
      await sleep(world.time, 10 * MINUTE_MS);
      const after = await ledgerOf(fleet);
      await fleet.close();
      return { during, after };
    }),
  );
}

describe('an outage of the AMQP broker, in virtual time', () => {
  test('of a day makes messages in the outbox late, and then all of them arrive, in order and once', async () => {
    const fleet = new TestFleet({ seed: 3, vehicles: 2, features: 'demo' });
    // Parked vehicles cause few events, which makes the run fast: they drive for some minutes at noon.
    const { during, after } = await withOutage(fleet, DAY_MS, async () => {
      for (const box of fleet.boxes) box.drive();
      await sleep(fleet.world.time, 10 * MINUTE_MS);
      for (const box of fleet.boxes) box.park();
    });
    expect(during.counts).toMatchObject(NOTHING_WRONG);
    expect(during.cases.find(({ fate, hop }) => fate === 'late' && hop === 'outbox')?.count).toBeGreaterThan(
      50,
    );
    expect(after.counts).toMatchObject({ ...NOTHING_WRONG, pending: expect.any(Number) as number });
    expect(after.cases.some(({ hop }) => hop === 'outbox')).toBe(false);
    // The ledger reports that they were late, and where.
    expect(after.cases.find(({ fate, hop }) => fate === 'late' && hop === 'queue')?.count).toBeGreaterThan(
      50,
    );
    expect(after.delivered).toBeGreaterThan(during.delivered + 50);
  }, 120_000);

  test('of a minute in which the backend crashes too loses, duplicates and reorders nothing', async () => {
    const fleet = new TestFleet({ seed: 4, vehicles: 5, features: 'demo' });
    const { after } = await withOutage(fleet, MINUTE_MS, async () => {
      fleet.crashService();
      await sleep(fleet.world.time, 5_000);
      await fleet.restartService();
    });
    expect(after.counts).toMatchObject(NOTHING_WRONG);
    expect(after.delivered).toBeGreaterThan(20);
  });
});
