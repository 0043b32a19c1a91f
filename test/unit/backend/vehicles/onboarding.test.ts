import { beforeEach, describe, expect, test } from 'vitest';
import {
  boxId,
  OWNER_FLEET_ID,
  onboarded,
  openThreeFleets,
  PARTNER_FLEET_ID,
  putInStock,
  type ThreeFleets,
} from '../../../support/backend/three-fleets.ts';

let fleets: ThreeFleets;
beforeEach(async () => {
  fleets = await openThreeFleets();
});

const TO_BOX = { telematics_unit: { id: boxId(1) }, vehicle_model: 'petrol-compact' };
const TO_MAKER = {
  third_party: { maker: 'northwind', vehicle_id: 'NW-1' },
  vehicle_model: 'electric-estate',
};

describe('POST /vehicles', () => {
  test('onboards to a box of the stock: the vehicle is there, waits for its setup, and has a place and a version', async () => {
    const { owner } = fleets;
    const answer = await owner.send('POST', '/vehicles', {
      ...TO_BOX,
      master_data: { vin: 'WVWZZZ1JZXW000002', license_plate: 'B-AB 1', transmission: null },
      custom_fields: { cost_center: '42' },
      tags: ['pool'],
    });
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({
      fleet_id: OWNER_FLEET_ID,
      setup_status: 'PENDING',
      operation_status: { value: 'OPERATING' },
      rental_status: { value: 'NOT_IN_RENTAL' },
      master_data: { vin: 'WVWZZZ1JZXW000002', license_plate: 'B-AB 1', transmission: 'MANUAL' },
      custom_fields: { cost_center: '42' },
      tags: ['pool'],
      telematics_unit: { id: boxId(1) },
      latest_vehicle_state: {},
    });
    const id = String(answer.body['id']);
    expect(id).toMatch(/^[A-Z0-9]{5,12}$/);
    expect(answer.headers.get('location')).toBe(`http://service.test/vehicles/${id}`);
    const read = await owner.send('GET', `/vehicles/${id}`);
    expect(read.body).toEqual(answer.body);
    expect(read.headers.get('etag')).toBe(answer.headers.get('etag'));
  });

  test("links a maker's vehicle: it has no telematics unit and is set up at once", async () => {
    const { owner } = fleets;
    const answer = await owner.send('POST', '/vehicles', TO_MAKER);
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({ setup_status: 'SUCCEEDED', telematics_unit: null });
    const capabilities = answer.body['capabilities'] as { commands: string[] };
    expect(capabilities.commands).not.toContain('BLE_RESET');
    expect(capabilities.commands).not.toContain('NETWORK_DETACH');
    expect((await owner.send('POST', '/vehicles', TO_MAKER)).status).toBe(409);
  });

  test('a box has the commands of boxes, of its model and of its card', async () => {
    const id = await onboarded(fleets.owner);
    const { body } = await fleets.owner.send('GET', `/vehicles/${id}`);
    const { commands } = body['capabilities'] as { commands: string[] };
    expect(commands).toEqual([...commands].sort());
    expect(commands).toEqual(
      expect.arrayContaining([
        'BLE_RESET',
        'UNLOCK_CENTRAL_LOCK',
        'NETWORK_DETACH',
        'REQUEST_SIM_ACTIVATION',
      ]),
    );
    expect(commands).not.toContain('BEGIN_SETUP');
  });

  test('a box that is in a vehicle is taken, until that is offboarded', async () => {
    const { owner } = fleets;
    const id = await onboarded(owner);
    const again = await owner.send('POST', '/vehicles', TO_BOX);
    expect(again).toMatchObject({ status: 409, body: { type: '/problems/conflicting-resource' } });
    expect((await owner.send('DELETE', `/vehicles/${id}`)).status).toBe(204);
    expect((await owner.send('GET', `/vehicles/${id}`)).status).toBe(404);
    expect((await owner.send('DELETE', `/vehicles/${id}`)).status).toBe(404);
    expect((await owner.send('POST', '/vehicles', TO_BOX)).status).toBe(201);
  });

  test("a box of another fleet's stock is refused like an unknown one", async () => {
    const { stage, owner } = fleets;
    await putInStock(stage, boxId(7), PARTNER_FLEET_ID);
    for (const id of [boxId(7), boxId(8)]) {
      const answer = await owner.send('POST', '/vehicles', { ...TO_BOX, telematics_unit: { id } });
      expect(answer).toMatchObject({ status: 404, body: { type: '/problems/resource-not-found' } });
      expect(answer.body['detail']).toContain(id);
    }
  });

  test('two vehicles of a fleet cannot have the same VIN; those of two fleets can, and the VIN of a removed vehicle is free', async () => {
    const { stage, owner, partner } = fleets;
    const vin = { master_data: { vin: 'WVWZZZ1JZXW000009' } };
    const first = await onboarded(owner, boxId(1), vin);
    const second = await owner.send('POST', '/vehicles', {
      ...TO_BOX,
      telematics_unit: { id: boxId(2) },
      ...vin,
    });
    expect(second).toMatchObject({ status: 409, body: { type: '/problems/conflicting-resource' } });
    await putInStock(stage, boxId(3), PARTNER_FLEET_ID);
    await onboarded(partner, boxId(3), vin);
    await owner.send('PATCH', `/vehicles/${first}`, { master_data: { vin: null } });
    await onboarded(owner, boxId(2), vin);
    const back = await owner.send('PATCH', `/vehicles/${first}`, vin);
    expect(back).toMatchObject({ status: 409, body: { type: '/problems/conflicting-resource' } });
  });

  test.each([
    ['no telematics', { vehicle_model: 'petrol-compact' }, /either telematics_unit or third_party/],
    ['both', { ...TO_BOX, ...TO_MAKER }, /either telematics_unit or third_party/],
    ['no model', { telematics_unit: { id: boxId(1) } }, /^vehicle_model: /],
    ['an unknown model', { ...TO_BOX, vehicle_model: 'hovercraft' }, /^vehicle_model: .*'hovercraft'/],
    ["a maker's model with a box", { ...TO_BOX, vehicle_model: 'electric-estate' }, /^vehicle_model: /],
    ['a model with a box at a maker', { ...TO_MAKER, vehicle_model: 'petrol-compact' }, /^vehicle_model: /],
    [
      'an unknown maker',
      { ...TO_MAKER, third_party: { maker: 'nobody', vehicle_id: '1' } },
      /^third_party\.maker: .*northwind/,
    ],
    ['a box id of a wrong form', { ...TO_BOX, telematics_unit: { id: 'A1' } }, /^telematics_unit\.id: /],
    ['an unknown property', { ...TO_BOX, colour: 'red' }, /'colour'/],
    ['unknown master data', { ...TO_BOX, master_data: { wheels: 4 } }, /^master_data: 'wheels'/],
    ['a list', [], /./],
    ['null', null, /./],
    ['text that is no JSON', '{"telematics_unit"', /JSON/],
    ['an empty body', '', /./],
  ])(
    '%s is refused with the property and the rule, and nothing is onboarded',
    async (_name, body, detail) => {
      const { owner } = fleets;
      const answer = await owner.send('POST', '/vehicles', body);
      expect(answer).toMatchObject({ status: 400, body: { type: '/problems/validation-error' } });
      expect(answer.body['detail']).toMatch(detail);
      expect((await owner.send('GET', '/vehicles')).body).toEqual({ items: [] });
    },
  );

  test('more custom fields than the limit are refused, in one request or in several', async () => {
    const { owner } = fleets;
    const fields = (from: number, count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${from + index}`, 'x']));
    const over = await owner.send('POST', '/vehicles', { ...TO_BOX, custom_fields: fields(0, 51) });
    expect(over.status).toBe(400);
    const id = await onboarded(owner, boxId(1), { custom_fields: fields(0, 50) });
    const more = await owner.send('PATCH', `/vehicles/${id}`, { custom_fields: fields(50, 1) });
    expect(more).toMatchObject({ status: 400, body: { detail: expect.stringMatching(/^custom_fields: /) } });
    const swapped = await owner.send('PATCH', `/vehicles/${id}`, {
      custom_fields: { ...fields(50, 1), f0: null },
    });
    expect(swapped.status).toBe(200);
  });
});
