import { beforeEach, describe, expect, test } from 'vitest';
import { ServiceWithMakerCloud } from '../../../support/backend/service-with-maker-cloud.ts';
import {
  type FleetClient,
  MAKER_LINK,
  openThreeFleets,
  PARTNER_FLEET_ID,
  type ThreeFleets,
} from '../../../support/backend/three-fleets.ts';

let fleets: ThreeFleets;
beforeEach(async () => {
  fleets = await openThreeFleets();
});

const CAR = MAKER_LINK.vehicleId;
const NOBODYS = 'NW-9';

/** Tries to link a car. The answer, without what differs between any two answers. */
async function link(client: FleetClient, vehicleId: string) {
  const { status, body } = await client.send('POST', '/vehicles', {
    third_party: { maker: MAKER_LINK.name, vehicle_id: vehicleId },
    vehicle_model: 'electric-estate',
    master_data: { vin: 'WVWZZZ1JZXW000009' },
  });
  const { flow_id: _, ...rest } = body;
  return { status, id: String(body['id']), text: JSON.stringify(rest).replaceAll(vehicleId, '…') };
}

describe("a maker's vehicle in the stock of one fleet", () => {
  test('does not exist for other fleets, whether it is linked, shared or unlinked', async () => {
    const { owner, partner, stranger } = fleets;
    const expectUnknown = async (when: string) => {
      for (const intruder of [partner, stranger]) {
        const theirs = await link(intruder, CAR);
        expect(theirs.status, when).toBe(404);
        expect(theirs, when).toEqual(await link(intruder, NOBODYS));
      }
    };
    await expectUnknown('before it is linked');
    const linked = await link(owner, CAR);
    expect(linked.status).toBe(201);
    await expectUnknown('while it is linked');
    const path = `/vehicles/${linked.id}`;
    await owner.send('PUT', `${path}/sharing`, { partner_fleet_id: PARTNER_FLEET_ID });
    await expectUnknown('while it is shared');
    await owner.send('DELETE', `${path}/sharing`);
    expect((await owner.send('DELETE', path)).status).toBe(204);
    await expectUnknown('after it was unlinked');
    for (const intruder of [partner, stranger])
      expect((await intruder.send('GET', '/vehicles')).body).toEqual({ items: [] });
    // The attempts have taken nothing away from its owner.
    expect((await link(owner, CAR)).status).toBe(201);
  });

  test('is looked up at its maker for its own fleet only: the time of an answer reveals nothing', () =>
    ServiceWithMakerCloud.on(async (stage) => {
      const { vehicleId, carId } = stage.parked.plan;
      const { fleet } = stage;
      expect((await fleet.call('DELETE', `/vehicles/${vehicleId}`, await fleet.token())).status).toBe(204);
      const asked: string[] = [];
      const fault = { fault: { code: 'CAR_UNKNOWN', text: 'Sold.' } };
      fleet.world.origins.serve('http://northwind.virtual', ({ url }) => {
        if (url.includes(carId)) asked.push(url);
        return { status: 404, headers: {}, body: JSON.stringify(fault) };
      });
      const body = JSON.stringify({
        third_party: { maker: MAKER_LINK.name, vehicle_id: carId },
        vehicle_model: 'electric-estate',
      });
      const { token: intruder } = await fleet.testbed.token('stranger');
      expect((await fleet.call('POST', '/vehicles', intruder, body)).status).toBe(404);
      expect(asked).toEqual([]);
      const own = await fleet.call('POST', '/vehicles', await fleet.token(), body);
      expect(own.status).toBe(404);
      expect(await own.text()).toContain(`northwind has no vehicle '${carId}'`);
      expect(asked.length).toBe(1);
    }));

  test('is taken for its own fleet while it is linked', async () => {
    const { owner } = fleets;
    await link(owner, CAR);
    const again = await link(owner, CAR);
    expect(again.status).toBe(409);
    expect(again.text).toContain('already linked');
  });
});
