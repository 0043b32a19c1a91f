import { describe, expect, test } from 'vitest';
import { MAINTENANCE, PROPERTIES } from '../../backend/vehicles/properties.ts';
import { Stage } from '../../scenarios/stage.ts';

/** Properties of a vehicle as GET /vehicles/{id} shows it. */
async function shownBy(stage: Stage, vehicleId: string, token: string): Promise<readonly string[]> {
  const response = await stage.world.run(() => stage.call('GET', `/vehicles/${vehicleId}`, token));
  const body = (await response.json()) as { latest_vehicle_state: Readonly<Record<string, unknown>> };
  return Object.keys(body.latest_vehicle_state);
}

async function shownAfter(minutes: number, isMaintained: boolean): Promise<ReadonlySet<string>> {
  const stage = new Stage({ seed: 7, vehicles: 40, isMaintained });
  await stage.world.run(() => stage.raise());
  await stage.world.pass(minutes * 60_000);
  const token = await stage.world.run(() => stage.token());
  const shown = new Set<string>();
  for (const { vehicleId } of stage.plans)
    for (const name of await shownBy(stage, vehicleId, token)) shown.add(name);
  await stage.world.run(() => stage.close());
  return shown;
}

describe('a fleet of forty vehicles', () => {
  test('shows every property that there is, within ten minutes; nobody has to bring anything about', async () => {
    const shown = await shownAfter(10, true);
    expect(Object.keys(PROPERTIES).filter((name) => !shown.has(name))).toEqual([]);
  }, 120_000);

  test('shows nothing of the maintenance set where it is not booked', async () => {
    const shown = await shownAfter(3, false);
    expect([...shown].filter((name) => MAINTENANCE.has(name))).toEqual([]);
  }, 120_000);
});
