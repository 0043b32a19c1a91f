import { expect, test } from 'vitest';
import { startFleet } from '../../../simulator/fleet.ts';
import { planFleet } from '../../../simulator/plan.ts';
import { openVirtualWorld } from '../../../world/virtual-world.ts';
import { SmallBackend } from './small-backend.ts';

/** The third vehicle of the plan is a parked car. */
async function parkedCar(seed = 33) {
  const world = openVirtualWorld({ seed });
  const backend = new SmallBackend(world);
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

test('tokens, how often they were used, and that they were withdrawn outlive a restart of the simulator', async () => {
  const { world, start } = await parkedCar();
  const { fleet, box } = await start();
  await world.pass(20_000);
  const order = { allows: ['unlock'], uses: 1, validForMs: 3_600_000 } as const;
  const [used, withdrawn] = [box.bluetooth.issueToken(order), box.bluetooth.issueToken(order)];
  const ask = (which: typeof used, side = box.bluetooth) =>
    world.run(() => side.usePhone(which?.text ?? '', 'unlock'));
  expect(await ask(used)).toEqual({ outcome: 'done', detail: '' });
  box.setCoverage(false);
  await world.pass(5_000);
  expect(box.bluetooth.withdrawToken(withdrawn?.id ?? '')).toBe(true);
  await world.pass(1_000);
  await world.run(() => fleet.stop());
  const { box: same } = await start();
  await world.pass(60_000);
  expect(same.bluetooth.tokens().map(({ id, isWithdrawn }) => [id, isWithdrawn])).toEqual([
    [used?.id, false],
    [withdrawn?.id, true],
  ]);
  expect((await ask(used, same.bluetooth)).detail).toContain('as often as');
  same.setCoverage(true);
  await world.pass(60_000);
  expect((await ask(withdrawn, same.bluetooth)).detail).toContain('withdrawn');
});

test('a phone that nobody can answer any more is told so and does not wait', async () => {
  const { world, start } = await parkedCar();
  const { fleet, box } = await start();
  const early = box.bluetooth.usePhone('whatever', 'unlock');
  expect((await world.run(() => early)).outcome).toBe('silent');
  await world.run(() => fleet.stop());
  expect((await world.run(() => box.bluetooth.usePhone('whatever', 'unlock'))).outcome).toBe('silent');
});

test('a box whose flash takes no write opens nothing, also later, and the phone gives up after a while', async () => {
  const { world, start } = await parkedCar();
  const { box } = await start();
  await world.pass(20_000);
  const token = box.bluetooth.issueToken({ allows: ['unlock'], uses: 1, validForMs: 3_600_000 });
  await world.pass(1_000);
  world.chips.setFull(box.plan.boxId, true);
  const answer = await world.run(() => box.bluetooth.usePhone(token?.text ?? '', 'unlock'));
  expect(answer.outcome).toBe('silent');
  world.chips.setFull(box.plan.boxId, false);
  await world.pass(60_000);
  expect(box.truth()).toMatchObject({ locked: true });
  expect((await world.run(() => box.bluetooth.usePhone(token?.text ?? '', 'unlock'))).outcome).toBe('done');
});
