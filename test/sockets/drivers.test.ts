import { expect, test, vi } from 'vitest';
import { type Running, start } from '../../library/start.ts';

interface Item {
  readonly id: string;
  readonly rental_status: { readonly value: string };
}

async function rented(service: Running): Promise<readonly string[]> {
  const { items } = (await (await service.call('GET', '/vehicles?limit=100')).json()) as {
    items: readonly Item[];
  };
  return items.filter(({ rental_status }) => rental_status.value === 'IN_RENTAL').map(({ id }) => id);
}

test('a fleet has drivers on request: rented vehicles drive, and no others', async () => {
  const service = await start({ seed: 1, vehicles: 24, drivers: true });
  try {
    const driving = await vi.waitFor(
      async () => {
        const { items } = (await service.control('GET', '/boxes?limit=100')) as {
          items: readonly { vehicleId: string | null; truth: { driverWish: string; ignitionOn: boolean } }[];
        };
        const found = items.filter(
          ({ vehicleId, truth }) => vehicleId !== null && truth.driverWish === 'drive',
        );
        expect(found.length).toBeGreaterThan(0);
        return found.map(({ vehicleId }) => vehicleId);
      },
      { timeout: 40_000, interval: 500 },
    );
    expect(await rented(service)).toEqual(expect.arrayContaining(driving));
  } finally {
    await service.stop();
  }
});

test('a fleet of the test library has no drivers by default: nothing is rented', async () => {
  const service = await start({ seed: 1, vehicles: 6 });
  try {
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    expect(await rented(service)).toEqual([]);
    const [first] = service.vehicles;
    expect((await service.box(first?.id ?? '').look()).truth).toMatchObject({ driverWish: 'drive' });
  } finally {
    await service.stop();
  }
});
