import { beforeEach, describe, expect, test } from 'vitest';
import {
  answersOf,
  boxId,
  openThreeFleets,
  PARTNER_FLEET_ID,
  type ThreeFleets,
} from '../../../support/backend/three-fleets.ts';
import { CONNECTED_BOX } from '../../../support/http/test-service.ts';

let fleets: ThreeFleets;
beforeEach(async () => {
  fleets = await openThreeFleets();
  await fleets.stage.addVehicle({ id: 'GONE1', boxId: boxId(2), masterData: {} }, CONNECTED_BOX);
});

/** The answer to a request whose vehicle is offboarded a second after it came. */
async function answerOf(method: string, path: string, body?: unknown) {
  const { stage, owner } = fleets;
  const answer = owner.start(method, `/vehicles/GONE1${path}`, body);
  await stage.loop.runUntil(stage.loop.nowMs + 1_000);
  expect((await owner.send('DELETE', '/vehicles/GONE1')).status).toBe(204);
  const [answered] = await answersOf(stage, [answer]);
  return answered;
}

const missing = (outcome: string) => ({
  status: 404,
  body: {
    type: '/problems/resource-not-found',
    detail: `The vehicle 'GONE1' was offboarded while the request was carried out. ${outcome}`,
  },
});

describe('a vehicle that is offboarded while a request is carried out', () => {
  test.each([
    ['/commands/unlock-central-lock', 'The command was carried out.'],
    ['/box-commands/ble-reset', 'The command was carried out.'],
    ['/box-commands/request-system-status', 'The command was carried out.'],
  ])('is missing in the answer to POST …%s, which says that it was done', async (path, outcome) => {
    fleets.stage.box = () => ({ outcome: 'done', afterMs: 5_000 });
    expect(await answerOf('POST', path)).toMatchObject(missing(outcome));
  });

  test('is missing in the answer to a command that its box does not answer', async () => {
    fleets.stage.box = 'silent';
    expect(await answerOf('POST', '/commands/unlock-central-lock')).toMatchObject(
      missing('The vehicle did not answer in time. The command may have been carried out.'),
    );
  });

  test('is missing in the answer to a configuration', async () => {
    fleets.stage.box = () => ({ outcome: 'done' });
    fleets.stage.configure = () => ({ outcome: 'done', afterMs: 5_000 });
    const path = '/telematics-unit/feature-configuration/tracking';
    expect(await answerOf('PUT', path, {})).toMatchObject(missing('The configuration was applied.'));
  });

  test('keeps the answer of a command that has nothing to do with it', async () => {
    const { stage, owner, partner } = fleets;
    stage.box = () => ({ outcome: 'done', afterMs: 5_000 });
    await owner.send('PUT', '/vehicles/GONE1/sharing', { partner_fleet_id: PARTNER_FLEET_ID });
    const answer = partner.start('POST', '/vehicles/GONE1/box-commands/ble-reset');
    await stage.loop.runUntil(stage.loop.nowMs + 1_000);
    // It cannot be offboarded while it is shared.
    expect((await owner.send('DELETE', '/vehicles/GONE1')).status).toBe(409);
    const [answered] = await answersOf(stage, [answer]);
    expect(answered?.status).toBe(204);
  });
});
