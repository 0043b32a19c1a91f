import { describe, expect, test } from 'vitest';
import type { FleetBox } from '../../simulator/box/fleet-box.ts';
import { playScenario } from '../support/simulation/play-scenario.ts';
import { TestFleet } from '../support/simulation/test-fleet.ts';

async function raised() {
  const fleet = new TestFleet({ seed: 21, vehicles: 3, features: 'demo' });
  await fleet.world.run(() => fleet.raise());
  await fleet.world.runFor(30_000);
  const token = await fleet.world.run(() => fleet.token());
  const boxOf = (provider: string): FleetBox => {
    const box = fleet.boxes.find(({ plan }) => plan.sim.provider === provider);
    if (box === undefined) throw new Error(`nobody has a card of ${provider}`);
    return box;
  };
  const command = async (box: FleetBox, path: string): Promise<number> => {
    const target = `/vehicles/${box.plan.vehicleId}/${path}`;
    return (await fleet.world.run(() => fleet.call('POST', target, token))).status;
  };
  return { fleet, boxOf, command };
}

describe('the SIM card of a vehicle', () => {
  test('disconnects the box while it is suspended, and commands are refused until it is activated', async () => {
    const { fleet, boxOf, command } = await raised();
    const box = boxOf('meridian');
    expect(await command(box, 'commands/request-vehicle-state')).toBe(200);
    expect(await command(box, 'box-connectivity-commands/request-sim-suspension')).toBe(204);
    await fleet.world.runFor(120_000);
    expect(box.snapshot()).toMatchObject({ sim: 'suspended', session: 'down' });
    expect(await command(box, 'commands/request-vehicle-state')).toBe(504);
    expect(await command(box, 'box-connectivity-commands/request-sim-activation')).toBe(204);
    await fleet.world.runFor(30_000);
    expect(await command(box, 'commands/request-vehicle-state')).toBe(200);
    await fleet.world.run(() => fleet.close());
  });

  test('when detached lets the box register again on its own', async () => {
    const { fleet, boxOf, command } = await raised();
    const box = boxOf('tundra');
    const before = box.snapshot()['connection'];
    expect(await command(box, 'box-connectivity-commands/network-detach')).toBe(204);
    await fleet.world.runFor(60_000);
    expect(box.snapshot()).toMatchObject({ sim: 'active', session: 'ready' });
    expect(box.snapshot()['connection']).not.toBe(before);
    expect(await command(box, 'commands/request-vehicle-state')).toBe(200);
    await fleet.world.run(() => fleet.close());
  });

  test('when detached by a scenario is back after seconds, whether its `for` is shorter or longer', async () => {
    const { expectations } = await playScenario(`
name: detached
about: Two cards are detached, each for another time.
fleet: [{ count: 2, model: petrol-compact }]
steps:
  - { at: 30s, on: { box: 1 }, weather: { sim: detached }, for: 1s }
  - { at: 30s, on: { box: 2 }, weather: { sim: detached }, for: 10m }
  - { at: 30s, within: 4s, expect: { connected: false } }
  - { at: 35s, within: 15s, expect: { connected: true } }
`);
    expect(expectations.filter(({ result }) => result === 'failed')).toEqual([]);
    expect(expectations).toHaveLength(4);
  });

  test('of a provider whose interface is unreachable stays unchanged, and the caller gets a 500', async () => {
    const { fleet, boxOf, command } = await raised();
    const box = boxOf('harbour');
    fleet.world.origins.setUnreachable('http://sim-providers.virtual', true);
    expect(await command(box, 'box-connectivity-commands/request-sim-suspension')).toBe(500);
    expect(box.sim()).toBe('active');
    fleet.world.origins.setUnreachable('http://sim-providers.virtual', false);
    fleet.sims.setMode('harbour', 'silent');
    expect(await command(box, 'box-connectivity-commands/request-sim-suspension')).toBe(500);
    expect(box.sim()).toBe('active');
    expect(fleet.world.warnings.filter((line) => line.level === 'error').length).toBe(2);
    await fleet.world.run(() => fleet.close());
  });
});
