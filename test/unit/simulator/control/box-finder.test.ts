import { describe, expect, test } from 'vitest';
import { controlApp } from '../../../../simulator/control/app.ts';
import { fakeFleet, fakeTap } from '../../../support/simulator/fake-fleet.ts';

/** A fleet of two whose first box is on the shelf; `records` says where it is by now. */
function shelved() {
  const { boxes, first } = fakeFleet(2);
  const { boxId } = first.plan;
  boxes.set(boxId, { ...first, plan: { ...first.plan, vehicleId: '' } });
  const records = new Map<string, string>();
  const asked: string[] = [];
  const app = controlApp({ boxes }, fakeTap(), {
    boxOfVehicle: async (vehicleId) => {
      asked.push(vehicleId);
      return records.get(vehicleId);
    },
  });
  const look = async (id: string) => {
    const answer = await app.request(`/boxes/${id}`);
    return { status: answer.status, body: (await answer.json()) as Record<string, unknown> };
  };
  return { app, boxes, boxId, records, asked, look };
}

describe('a box on the shelf', () => {
  test('is found by the id of the vehicle that it was onboarded to, for actions too', async () => {
    const { app, boxId, records, look } = shelved();
    expect((await look('NEW01')).status).toBe(404);
    expect((await look(boxId)).body).toMatchObject({ vehicleId: null });
    records.set('NEW01', boxId);
    expect(await look('new01')).toMatchObject({ status: 200, body: { boxId, vehicleId: 'NEW01' } });
    expect((await look(boxId)).body).toMatchObject({ vehicleId: 'NEW01' });
    const headers = { 'content-type': 'application/json' };
    const drive = await app.request('/boxes/NEW01/drive', { method: 'POST', headers, body: '{}' });
    expect(drive.status).toBe(200);
  });

  test('is not found by that id any more once it is offboarded', async () => {
    const { boxId, records, look } = shelved();
    records.set('NEW01', boxId);
    await look('NEW01');
    records.delete('NEW01');
    expect((await look('NEW01')).status).toBe(404);
    records.set('NEW02', boxId);
    expect((await look('NEW02')).body).toMatchObject({ boxId, vehicleId: 'NEW02' });
  });

  test('is looked up only for ids of no simulated box or vehicle, and may be unknown here', async () => {
    const { boxes, asked, records, look } = shelved();
    for (const [boxId, { plan }] of boxes) for (const id of [boxId, plan.vehicleId || boxId]) await look(id);
    expect(asked).toEqual([]);
    records.set('NEW03', 'ffffffffffffffff');
    expect((await look('NEW03')).status).toBe(404);
  });
});
