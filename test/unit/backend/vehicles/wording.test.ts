import { beforeEach, describe, expect, test } from 'vitest';
import { MODELS } from '../../../../protocol/models/models.ts';
import {
  boxId,
  onboarded,
  openThreeFleets,
  type ThreeFleets,
} from '../../../support/backend/three-fleets.ts';

let fleets: ThreeFleets;
beforeEach(async () => {
  fleets = await openThreeFleets();
});

describe('a refused request about vehicles', () => {
  test('names the models if none or an unknown one is given', async () => {
    const none = await fleets.owner.send('POST', '/vehicles', {});
    expect(none.status).toBe(400);
    expect(none.body['detail']).toMatch(/^vehicle_model: must be given: petrol-compact, .* with third-party/);
    const telematics_unit = { id: boxId(1) };
    const unknown = await fleets.owner.send('POST', '/vehicles', { telematics_unit, vehicle_model: 'x' });
    for (const name of MODELS.keys()) expect(unknown.body['detail']).toContain(name);
    const number = await fleets.owner.send('POST', '/vehicles', { telematics_unit, vehicle_model: 5 });
    expect(number.body['detail']).toBe('vehicle_model: must be a string.');
  });

  test.each([
    [{ id: 'ABCDE' }, "'id' cannot be changed."],
    [{ setup_status: 'SUCCEEDED' }, "'setup_status' cannot be changed."],
    [{ modified_at: '2026-01-01T00:00:00Z' }, "'modified_at' cannot be changed; the service sets it."],
    [{ shared_with: 'FLEET2' }, "'shared_with' is changed by PUT and DELETE of /vehicles/{id}/sharing."],
    [{ vehicle_model: 'x' }, "'vehicle_model' cannot be changed; offboard the vehicle and onboard it again."],
    [
      { operation_status: { value: 'GARAGE', modified_at: 'x' } },
      "operation_status: 'modified_at' cannot be changed; the service sets it.",
    ],
    [{ colour: 'red' }, "'colour': there is no such property."],
  ])('says of the patch %j what cannot be', async (patch, detail) => {
    const id = await onboarded(fleets.owner);
    const answer = await fleets.owner.send('PATCH', `/vehicles/${id}`, patch);
    expect(answer).toMatchObject({ status: 400, body: { detail } });
  });

  test.each([
    ['limit=1&limit=2', 'limit: must be given once.'],
    ['life_status=ONLINE&life_status=OFFLINE', 'life_status: must be given once.'],
    ['colour=1&colour=2', "'colour': there is no such parameter."],
  ])('says of ?%s what is wrong', async (query, detail) => {
    const answer = await fleets.owner.send('GET', `/vehicles?${query}`);
    expect(answer).toMatchObject({ status: 400, body: { detail } });
  });
});
