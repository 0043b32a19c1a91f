import { beforeEach, describe, expect, test } from 'vitest';
import {
  boxId,
  type FleetClient,
  OWNER_FLEET_ID,
  onboarded,
  openThreeFleets,
  PARTNER_FLEET_ID,
  STRANGER_FLEET_ID,
  type ThreeFleets,
} from '../../../support/backend/three-fleets.ts';
import { CONNECTED_BOX } from '../../../support/http/test-service.ts';

let fleets: ThreeFleets;
let id: string;
beforeEach(async () => {
  fleets = await openThreeFleets();
  id = await onboarded(fleets.owner);
});

const share = (client: FleetClient, partner: unknown) =>
  client.send('PUT', `/vehicles/${id}/sharing`, { partner_fleet_id: partner });

describe('sharing a vehicle', () => {
  test('lets the partner see it, in the list too, with its filters and in the order of ids', async () => {
    const { owner, partner, stranger } = fleets;
    expect((await partner.send('GET', `/vehicles/${id}`)).status).toBe(404);
    const answer = await share(owner, PARTNER_FLEET_ID);
    expect(answer).toMatchObject({
      status: 200,
      body: { fleet_id: OWNER_FLEET_ID, shared_with: PARTNER_FLEET_ID },
    });
    const seen = await partner.send('GET', `/vehicles/${id}`);
    const { fuel_type, vehicle_type } = answer.body['master_data'] as Record<string, unknown>;
    expect([fuel_type, vehicle_type]).not.toContain(null);
    expect(seen.body).toMatchObject({ ...answer.body, master_data: { fuel_type: null, vehicle_type: null } });
    const { items } = (await partner.send('GET', '/vehicles?operation_status=OPERATING')).body;
    expect(items).toMatchObject([{ id, shared_with: PARTNER_FLEET_ID }]);
    expect((await partner.send('GET', '/vehicles?operation_status=GARAGE')).body['items']).toEqual([]);
    expect((await stranger.send('GET', '/vehicles')).body['items']).toEqual([]);
    expect((await owner.send('GET', '/vehicles')).body['items']).toHaveLength(1);
  });

  test("shows the partner what identifies it on the road, and nothing that is the owner's alone", async () => {
    const { owner, partner } = fleets;
    await owner.send('PATCH', `/vehicles/${id}`, {
      master_data: { custom_name: 'Secret name', license_plate: 'B-XY 123' },
      custom_fields: { note: 'owner only' },
      tags: ['secret-tag'],
    });
    await share(owner, PARTNER_FLEET_ID);
    const one = (await partner.send('GET', `/vehicles/${id}`)).body;
    const [listed] = (await partner.send('GET', '/vehicles')).body['items'] as Record<string, unknown>[];
    for (const seen of [one, listed])
      expect(seen).toMatchObject({
        tags: [],
        custom_fields: {},
        master_data: { custom_name: null, fuel_type: null, license_plate: 'B-XY 123' },
      });
    const found = async (client: FleetClient, query: string) =>
      ((await client.send('GET', `/vehicles?${query}`)).body['items'] as unknown[]).length;
    for (const query of ['tag=secret-tag', 'q=secret%20name']) {
      expect(await found(owner, query)).toBe(1);
      expect(await found(partner, query)).toBe(0);
    }
    for (const query of ['q=b-xy', `q=${id}`]) expect(await found(partner, query)).toBe(1);
  });

  test('again with the same partner changes nothing; with another one it is refused', async () => {
    const { owner } = fleets;
    const first = await share(owner, PARTNER_FLEET_ID);
    const again = await share(owner, PARTNER_FLEET_ID);
    expect(again.status).toBe(200);
    expect(again.headers.get('etag')).toBe(first.headers.get('etag'));
    const other = await share(owner, STRANGER_FLEET_ID);
    expect(other).toMatchObject({ status: 409, body: { type: '/problems/conflicting-resource' } });
    expect(other.body['detail']).toContain(PARTNER_FLEET_ID);
  });

  test('is refused for the partner as owner-only, and for other fleets as unknown', async () => {
    const { owner, partner, stranger } = fleets;
    await share(owner, PARTNER_FLEET_ID);
    const path = `/vehicles/${id}`;
    const changes = [
      ['PATCH', path, { tags: [] }],
      ['DELETE', path],
      ['PUT', `${path}/sharing`, { partner_fleet_id: OWNER_FLEET_ID }],
      ['DELETE', `${path}/sharing`],
    ] as const;
    for (const [method, at, body] of changes) {
      const said = await partner.send(method, at, body);
      expect(said, `${method} ${at}`).toMatchObject({
        status: 404,
        body: { detail: `The vehicle '${id}' belongs to another fleet; only its owner may change it.` },
      });
      expect((await stranger.send(method, at, body)).body['detail']).toBe(
        `There is no vehicle with the id '${id}'.`,
      );
    }
  });

  test('ends once, and the partner no longer sees the vehicle', async () => {
    const { owner, partner } = fleets;
    await share(owner, PARTNER_FLEET_ID);
    expect((await owner.send('DELETE', `/vehicles/${id}/sharing`)).status).toBe(204);
    expect((await owner.send('GET', `/vehicles/${id}`)).body).not.toHaveProperty('shared_with');
    expect((await partner.send('GET', `/vehicles/${id}`)).status).toBe(404);
    expect((await partner.send('GET', '/vehicles')).body['items']).toEqual([]);
    const again = await owner.send('DELETE', `/vehicles/${id}/sharing`);
    expect(again).toMatchObject({ status: 409, body: { type: '/problems/conflicting-resource' } });
  });

  test.each([
    ['a fleet id of a wrong form', 'none-12'],
    ['the own fleet', OWNER_FLEET_ID],
    ['no text', 5],
    ['nothing', undefined],
  ])('with %s is refused with the name of the property', async (_name, partner) => {
    const answer = await share(fleets.owner, partner);
    expect(answer).toMatchObject({ status: 400, body: { type: '/problems/validation-error' } });
    expect(answer.body['detail']).toMatch(/^partner_fleet_id: /);
  });

  test('has the same answer whether the fleet exists or not', async () => {
    const { owner } = fleets;
    const answers = [];
    for (const partner of [PARTNER_FLEET_ID, 'NOBODY']) {
      const shared = await share(owner, partner);
      const ended = await owner.send('DELETE', `/vehicles/${id}/sharing`);
      const body = JSON.stringify(shared.body).replaceAll(partner, '…');
      answers.push({ status: shared.status, body, ended: ended.status });
    }
    expect(answers[0]?.status).toBe(200);
    expect(answers[0]).toEqual(answers[1]);
  });

  test("leaves changes to the owner: for the partner's clients there is nothing to change", async () => {
    const { owner, partner } = fleets;
    await share(owner, PARTNER_FLEET_ID);
    const before = await owner.send('GET', `/vehicles/${id}`);
    for (const [method, path, body] of [
      ['PATCH', '', { tags: ['mine'] }],
      ['DELETE', '', undefined],
      ['PUT', '/sharing', { partner_fleet_id: STRANGER_FLEET_ID }],
      ['DELETE', '/sharing', undefined],
    ] as const) {
      const answer = await partner.send(method, `/vehicles/${id}${path}`, body);
      expect(answer, `${method} ${path}`).toMatchObject({
        status: 404,
        body: { type: '/problems/resource-not-found' },
      });
    }
    expect((await owner.send('GET', `/vehicles/${id}`)).body).toEqual(before.body);
  });

  test("lets the partner's clients send commands, and refuses the owner those that are the partner's", async () => {
    const { stage, owner, partner } = fleets;
    stage.box = () => ({ outcome: 'done' });
    await stage.addVehicle({ id: 'SHARED', boxId: boxId(2), masterData: {} }, CONNECTED_BOX);
    id = 'SHARED';
    await share(owner, PARTNER_FLEET_ID);
    const reset = `/vehicles/${id}/box-commands/ble-reset`;
    expect((await partner.send('POST', reset)).status).toBe(204);
    expect(await owner.send('POST', reset)).toMatchObject({
      status: 409,
      body: { type: '/problems/vehicle/shared-with-partner' },
    });
    const unlock = `/vehicles/${id}/commands/unlock-central-lock`;
    expect((await partner.send('POST', unlock)).status).toBe(200);
    expect((await owner.send('POST', unlock)).status).toBe(200);
  });
});
