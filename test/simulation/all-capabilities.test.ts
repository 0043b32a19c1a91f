import { describe, expect, test } from 'vitest';
import { MAINTENANCE, PROPERTIES } from '../../contract/properties.ts';
import { TestFleet } from '../support/simulation/test-fleet.ts';

/** Properties of a vehicle as GET /vehicles/{id} shows it. */
async function shownBy(fleet: TestFleet, vehicleId: string, token: string): Promise<readonly string[]> {
  const response = await fleet.world.run(() => fleet.call('GET', `/vehicles/${vehicleId}`, token));
  const body = (await response.json()) as { latest_vehicle_state: Readonly<Record<string, unknown>> };
  return Object.keys(body.latest_vehicle_state);
}

async function shownAfter(minutes: number, isMaintained: boolean): Promise<ReadonlySet<string>> {
  const fleet = new TestFleet({ seed: 7, vehicles: 40, isMaintained, features: 'demo' });
  await fleet.world.run(() => fleet.raise());
  await fleet.world.runFor(minutes * 60_000);
  const token = await fleet.world.run(() => fleet.token());
  const shown = new Set<string>();
  for (const { vehicleId } of fleet.plans)
    for (const name of await shownBy(fleet, vehicleId, token)) shown.add(name);
  await fleet.world.run(() => fleet.close());
  return shown;
}

describe('a fleet of forty vehicles', () => {
  test('shows every property within ten minutes without any action', async () => {
    const shown = await shownAfter(10, true);
    expect(Object.keys(PROPERTIES).filter((name) => !shown.has(name))).toEqual([]);
  }, 120_000);

  test('shows no property of the maintenance set if it is not booked', async () => {
    const shown = await shownAfter(3, false);
    expect([...shown].filter((name) => MAINTENANCE.has(name))).toEqual([]);
  }, 120_000);
});
