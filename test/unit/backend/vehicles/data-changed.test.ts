import { beforeEach, describe, expect, test } from 'vitest';
import { vehicleDataChanged } from '../../../../backend/events/message-data-changed.ts';
import {
  boxId,
  openThreeFleets,
  putInStock,
  type ThreeFleets,
} from '../../../support/backend/three-fleets.ts';

const PATH = '/vehicles/VEH01';
let fleets: ThreeFleets;
beforeEach(async () => {
  fleets = await openThreeFleets();
  await fleets.stage.addVehicle();
});

const outbox = () => fleets.stage.store.outbox.next({ afterPosition: 0, limit: 100 });

describe('a PATCH of a vehicle', () => {
  test('leads to one message that names what changed, with the flow id of the request', async () => {
    const answer = await fleets.owner.send('PATCH', PATH, {
      master_data: { license_plate: 'B-XY 9' },
      tags: ['spare'],
      rental_status: { value: 'IN_RENTAL' },
    });
    expect(answer.status).toBe(200);
    const rows = await outbox();
    expect(rows).toMatchObject([{ vehicleId: 'VEH01', name: 'VehicleDataChanged', version: '1.0.0' }]);
    const { metadata, data } = vehicleDataChanged.parse(JSON.parse(rows[0]?.body ?? ''));
    expect(metadata.flow_id).toBe(answer.headers.get('x-service-flow-id'));
    expect(metadata.message_id).toBe(rows[0]?.messageId);
    expect(data).toEqual({
      vehicle_id: 'VEH01',
      fleet_id: answer.body['fleet_id'],
      occurred_at: answer.body['modified_at'],
      received_at: answer.body['modified_at'],
      changed: ['master_data', 'tags', 'rental_status'],
      master_data: answer.body['master_data'],
      custom_fields: answer.body['custom_fields'],
      tags: ['spare'],
      operation_status: answer.body['operation_status'],
      rental_status: answer.body['rental_status'],
      maintenance_booked: answer.body['maintenance_booked'],
    });
  });

  test('that changes nothing, or is refused, leads to none', async () => {
    const { owner, stranger } = fleets;
    await owner.send('PATCH', PATH, {});
    await owner.send('PATCH', PATH, { operation_status: { value: 'OPERATING' } });
    await owner.send('PATCH', PATH, { master_data: { vin: 'wrong' } });
    await owner.send('PATCH', PATH, { tags: ['x'] }, { 'if-match': '"99"' });
    await stranger.send('PATCH', PATH, { tags: ['x'] });
    expect(await outbox()).toEqual([]);
  });

  test('of a vehicle that is not set up leads to none', async () => {
    const { owner } = fleets;
    await putInStock(fleets.stage, boxId(2));
    const made = await owner.send('POST', '/vehicles', {
      telematics_unit: { id: boxId(2) },
      vehicle_model: 'petrol-compact',
    });
    const patched = await owner.send('PATCH', `/vehicles/${String(made.body['id'])}`, { tags: ['x'] });
    expect([made.status, patched.status, patched.body['setup_status']]).toEqual([201, 200, 'PENDING']);
    expect(await outbox()).toEqual([]);
  });
});
