import { describe, expect, test } from 'vitest';
import { Stage } from '../../scenarios/stage.ts';
import type { FleetBox } from '../../simulator/fleet.ts';

async function raised() {
  const stage = new Stage({ seed: 21, vehicles: 3 });
  await stage.world.run(() => stage.raise());
  await stage.world.pass(30_000);
  const token = await stage.world.run(() => stage.token());
  const boxOf = (provider: string): FleetBox => {
    const plan = stage.plans.find((one) => one.sim.provider === provider);
    const box = plan && stage.fleet.boxes.get(plan.boxId);
    if (box === undefined) throw new Error(`nobody has a card of ${provider}`);
    return box;
  };
  const command = async (box: FleetBox, path: string): Promise<number> => {
    const target = `/vehicles/${box.plan.vehicleId}/${path}`;
    return (await stage.world.run(() => stage.call('POST', target, token))).status;
  };
  return { stage, boxOf, command };
}

describe('the SIM card of a vehicle', () => {
  test('suspended takes the box off the network until it is activated, and commands find nobody meanwhile', async () => {
    const { stage, boxOf, command } = await raised();
    const box = boxOf('meridian');
    expect(await command(box, 'commands/request-vehicle-state')).toBe(200);
    expect(await command(box, 'box-connectivity-commands/request-sim-suspension')).toBe(204);
    await stage.world.pass(120_000);
    expect(box.belief()).toMatchObject({ sim: 'suspended', session: 'down' });
    expect(await command(box, 'commands/request-vehicle-state')).toBe(504);
    expect(await command(box, 'box-connectivity-commands/request-sim-activation')).toBe(204);
    await stage.world.pass(30_000);
    expect(await command(box, 'commands/request-vehicle-state')).toBe(200);
    await stage.world.run(() => stage.close());
  });

  test('detached lets the box register again by itself', async () => {
    const { stage, boxOf, command } = await raised();
    const box = boxOf('tundra');
    const before = box.belief()['connection'];
    expect(await command(box, 'box-connectivity-commands/network-detach')).toBe(204);
    await stage.world.pass(60_000);
    expect(box.belief()).toMatchObject({ sim: 'active', session: 'ready' });
    expect(box.belief()['connection']).not.toBe(before);
    expect(await command(box, 'commands/request-vehicle-state')).toBe(200);
    await stage.world.run(() => stage.close());
  });

  test('of a provider whose interface is gone stays as it is, and the caller gets a 500', async () => {
    const { stage, boxOf, command } = await raised();
    const box = boxOf('harbour');
    stage.world.origins.setUnreachable('http://sim-providers.virtual', true);
    expect(await command(box, 'box-connectivity-commands/request-sim-suspension')).toBe(500);
    expect(box.sim()).toBe('active');
    stage.world.origins.setUnreachable('http://sim-providers.virtual', false);
    stage.sims.setMode('harbour', 'silent');
    expect(await command(box, 'box-connectivity-commands/request-sim-suspension')).toBe(500);
    expect(box.sim()).toBe('active');
    expect(stage.world.complaints.filter((line) => line.level === 'error').length).toBe(2);
    await stage.world.run(() => stage.close());
  });
});
