import fc from 'fast-check';
import { expect, test } from 'vitest';
import { VehicleTurns } from '../../../../../deployment/demo/drivers/vehicle-turns.ts';

test("in every order a client's request meets no command of a driver, and a driver's command no request", async () => {
  const step = fc.record({
    who: fc.constantFrom('client', 'driver'),
    vehicleId: fc.constantFrom('V1', 'V2'),
    isRefused: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(fc.scheduler(), fc.array(step, { maxLength: 12 }), async (scheduler, steps) => {
      const turns = new VehicleTurns();
      const underWay = { V1: { client: 0, driver: 0 }, V2: { client: 0, driver: 0 } };
      let sent = 0;
      const clients = steps.filter(({ who }) => who === 'client').length;
      const sendBy =
        ({ who, vehicleId, isRefused }: (typeof steps)[number]) =>
        async () => {
          const of = underWay[vehicleId];
          of[who] += 1;
          expect(of.driver <= 1 && (of.driver === 0 || of.client === 0)).toBe(true);
          if (who === 'client') sent += 1;
          await scheduler.schedule(Promise.resolve());
          of[who] -= 1;
          if (isRefused) throw new Error('the service fails');
          return who;
        };
      const scheduled = steps.map(async (one) => {
        await scheduler.schedule(Promise.resolve());
        // A driver has one thing to do at a time.
        if (one.who === 'driver' && underWay[one.vehicleId].driver > 0) return;
        const turn =
          one.who === 'client'
            ? turns.ofClient(one.vehicleId, sendBy(one))
            : turns.ofDriver(one.vehicleId, sendBy(one));
        await turn.catch(() => undefined);
      });
      await scheduler.waitFor(Promise.all(scheduled));
      expect(sent).toBe(clients);
      expect([turns.hasClient('V1'), turns.hasClient('V2')]).toEqual([false, false]);
    }),
  );
});

test('a driver is not sent to a vehicle that a client uses, and learns it', async () => {
  const turns = new VehicleTurns();
  const answered = Promise.withResolvers<string>();
  const client = turns.ofClient('V1', () => answered.promise);
  expect(turns.hasClient('V1')).toBe(true);
  expect(await turns.ofDriver('V1', async () => 'sent')).toBeUndefined();
  expect(await turns.ofDriver('V2', async () => 'sent')).toBe('sent');
  answered.resolve('done');
  expect(await client).toBe('done');
  expect(await turns.ofDriver('V1', async () => 'sent')).toBe('sent');
});
