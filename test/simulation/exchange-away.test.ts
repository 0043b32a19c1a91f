import { describe, expect, test } from 'vitest';
import type { LedgerReport } from '../../scenarios/ledger/account.ts';
import { stageLedger } from '../../scenarios/ledger/stage-ledger.ts';
import { Stage } from '../../scenarios/stage.ts';
import { sleep } from '../../world/time.ts';
import { runInSandbox } from '../../world/virtual-sandbox.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const NOTHING_WRONG = { lost: 0, doubled: 0, reordered: 0, unknown: 0, unreadable: 0, overflowed: 0 };

interface Looks {
  readonly away: LedgerReport;
  readonly back: LedgerReport;
}

/** The exchange goes for that long, with what happens meanwhile, and comes back. */
function without(stage: Stage, awayMs: number, meanwhile: () => Promise<void>): Promise<Looks> {
  return runInSandbox(stage.world, () =>
    stage.world.run(async () => {
      const { world } = stage;
      await stage.raise();
      await sleep(world.time, 5 * MINUTE_MS);
      if (awayMs === DAY_MS) for (const box of stage.fleet.boxes.values()) box.park();
      world.exchangeBroker.setDown(true);
      await sleep(world.time, awayMs / 2);
      await meanwhile();
      await sleep(world.time, awayMs / 2);
      const away = await stageLedger(stage, { lateAfterMs: 10 * MINUTE_MS });
      world.exchangeBroker.setDown(false);
      await sleep(world.time, 10 * MINUTE_MS);
      const back = await stageLedger(stage, { lateAfterMs: 10 * MINUTE_MS });
      await stage.close();
      return { away, back };
    }),
  );
}

describe('an exchange that is away, in virtual time', () => {
  test('for a day: what waits is late at the outbox, and then all of it arrives, in order and once', async () => {
    const stage = new Stage({ seed: 3, vehicles: 2 });
    // A vehicle that stands asks little of the clock: they drive for some minutes at noon.
    const { away, back } = await without(stage, DAY_MS, async () => {
      for (const box of stage.fleet.boxes.values()) box.drive();
      await sleep(stage.world.time, 10 * MINUTE_MS);
      for (const box of stage.fleet.boxes.values()) box.park();
    });
    expect(away.counts).toMatchObject(NOTHING_WRONG);
    expect(away.cases.find(({ fate, hop }) => fate === 'late' && hop === 'outbox')?.count).toBeGreaterThan(
      50,
    );
    expect(back.counts).toMatchObject({ ...NOTHING_WRONG, pending: expect.any(Number) as number });
    expect(back.cases.some(({ hop }) => hop === 'outbox')).toBe(false);
    // They are told to have been late, and where.
    expect(back.cases.find(({ fate, hop }) => fate === 'late' && hop === 'queue')?.count).toBeGreaterThan(50);
    expect(back.delivered).toBeGreaterThan(away.delivered + 50);
  }, 120_000);

  test('for a minute in which the backend dies too: nothing is lost, doubled or out of order', async () => {
    const stage = new Stage({ seed: 4, vehicles: 5 });
    const { back } = await without(stage, MINUTE_MS, async () => {
      stage.crashService();
      await sleep(stage.world.time, 5_000);
      await stage.restartService();
    });
    expect(back.counts).toMatchObject(NOTHING_WRONG);
    expect(back.delivered).toBeGreaterThan(20);
  }, 60_000);
});
