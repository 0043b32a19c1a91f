import { expect, test } from 'vitest';
import { startFleet } from '../../../../simulator/fleet/fleet.ts';
import { planFleet } from '../../../../simulator/fleet/fleet-plan.ts';
import { openVirtualWorld } from '../../../../world/virtual-world.ts';
import { FakeBackend } from '../../../support/firmware/fake-backend.ts';

/** The third vehicle of the plan is a parked car. */
async function parkedCar(seed = 33) {
  const world = openVirtualWorld({ seed });
  const backend = new FakeBackend(world);
  await world.run(() => backend.start());
  const plans = planFleet(world.random, 3).slice(2);
  const start = async () => {
    const fleet = await world.run(() => startFleet(world, plans));
    const [box] = fleet.boxes.values();
    if (box === undefined) throw new Error('The fleet is empty');
    return { fleet, box };
  };
  return { world, backend, start };
}

test('tokens, their use counts and revocations survive a restart of the simulator', async () => {
  const { world, start } = await parkedCar();
  const { fleet, box } = await start();
  await world.runFor(20_000);
  const order = { allows: ['unlock'], uses: 1, validForMs: 3_600_000 } as const;
  const [used, withdrawn] = [box.bluetooth.issueToken(order), box.bluetooth.issueToken(order)];
  const ask = (which: typeof used, side = box.bluetooth) =>
    world.run(() => side.usePhone(which?.text ?? '', 'unlock'));
  expect(await ask(used)).toEqual({ outcome: 'done', detail: '' });
  box.setCoverage(false);
  await world.runFor(5_000);
  expect(box.bluetooth.withdrawToken(withdrawn?.id ?? '')).toBe(true);
  await world.runFor(1_000);
  await world.run(() => fleet.stop());
  const { box: same } = await start();
  await world.runFor(60_000);
  expect(same.bluetooth.tokens().map(({ id, isWithdrawn }) => [id, isWithdrawn])).toEqual([
    [used?.id, false],
    [withdrawn?.id, true],
  ]);
  expect((await ask(used, same.bluetooth)).detail).toContain('as often as');
  same.setCoverage(true);
  await world.runFor(60_000);
  expect((await ask(withdrawn, same.bluetooth)).detail).toContain('withdrawn');
});

test('a phone whose box has stopped gets an error and does not wait', async () => {
  const { world, start } = await parkedCar();
  const { fleet, box } = await start();
  const early = box.bluetooth.usePhone('whatever', 'unlock');
  expect((await world.run(() => early)).outcome).toBe('silent');
  await world.run(() => fleet.stop());
  expect((await world.run(() => box.bluetooth.usePhone('whatever', 'unlock'))).outcome).toBe('silent');
});

test('a box with a failing flash opens nothing, not even later, and the phone gives up after a while', async () => {
  const { world, start } = await parkedCar();
  const { box } = await start();
  await world.runFor(20_000);
  const token = box.bluetooth.issueToken({ allows: ['unlock'], uses: 1, validForMs: 3_600_000 });
  await world.runFor(1_000);
  world.flashImages.setFull(box.plan.boxId, true);
  const answer = await world.run(() => box.bluetooth.usePhone(token?.text ?? '', 'unlock'));
  expect(answer.outcome).toBe('silent');
  world.flashImages.setFull(box.plan.boxId, false);
  await world.runFor(60_000);
  expect(box.truth()).toMatchObject({ locked: true });
  expect((await world.run(() => box.bluetooth.usePhone(token?.text ?? '', 'unlock'))).outcome).toBe('done');
});
