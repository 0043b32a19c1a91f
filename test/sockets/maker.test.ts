import { expect, test } from 'vitest';
import { z } from 'zod';
import { start } from '../../library/start.ts';
import { waitUntil } from '../support/run/external-services.ts';

const cars = z.looseObject({ items: z.array(z.looseObject({ vehicleId: z.string() })) });
const shown = z.looseObject({
  latest_vehicle_state: z.looseObject({ ignition: z.looseObject({ value: z.string() }).optional() }),
});

test("a vehicle with its maker's telematics is reported, accepts commands and refuses them, over sockets", async () => {
  const running = await start({ vehicles: 1, makerVehicles: 1, seed: 5 });
  try {
    const [car] = cars.parse(await running.control('GET', '/maker-vehicles')).items;
    const id = car?.vehicleId ?? '';
    const ignition = async () =>
      shown.parse(await (await running.call('GET', `/vehicles/${id}`)).json()).latest_vehicle_state.ignition
        ?.value;
    // It brakes first; then its maker is made to send the state.
    await waitUntil(async () => {
      await running.control('POST', `/maker-vehicles/${id}/park`);
      return (await ignition()) === 'OFF';
    });

    const locked = await running.call('POST', `/vehicles/${id}/commands/lock-central-lock`);
    expect(locked.status).toBe(200);
    expect(await locked.json()).toMatchObject({ central_lock: { value: 'LOCKED' } });

    await running.control('PUT', '/makers/northwind/behaviour', {
      calls: { manner: 'error', status: 503 },
      push: true,
    });
    const refused = await running.call('POST', `/vehicles/${id}/commands/unlock-central-lock`);
    expect(refused.status).toBe(502);
    expect(await refused.json()).toMatchObject({
      type: '/problems/third-party/error',
      detail: expect.stringContaining('503'),
    });
  } finally {
    await running.stop();
  }
});
