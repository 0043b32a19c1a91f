import { describe, expect, test } from 'vitest';
import {
  boxId,
  type FleetAnswer,
  type FleetClient,
  openThreeFleets,
  type ThreeFleets,
} from '../../../support/backend/three-fleets.ts';
import { CONNECTED_BOX } from '../../../support/http/test-service.ts';

/** Every operation that names a vehicle, from the document itself: a new endpoint is tried without being named here. */
interface Operation {
  readonly method: string;
  readonly path: string;
}

/** Fleets of one test alone, a vehicle of the owner's, and the operations that name a vehicle. */
async function openWithVehicle(): Promise<ThreeFleets & { readonly operations: readonly Operation[] }> {
  const fleets = await openThreeFleets();
  await fleets.stage.addVehicle({ id: 'THEIRS', boxId: boxId(2), masterData: {} }, CONNECTED_BOX);
  const document = fleets.stage.app.getOpenAPI31Document({
    openapi: '3.1.0',
    info: { title: 't', version: '1' },
  });
  const operations = Object.entries(document.paths ?? {}).flatMap(([path, methods]) =>
    Object.keys(methods)
      .filter(() => path.startsWith('/vehicles/{id}'))
      .map((method) => ({ method: method.toUpperCase(), path })),
  );
  return { ...fleets, operations };
}

/** A body with which the owner would get through. */
function rightBody({ method, path }: Operation): unknown {
  if (path.endsWith('/sharing') && method === 'PUT') return { partner_fleet_id: 'FLEET2' };
  return method === 'PATCH' || method === 'PUT' ? {} : undefined;
}

/** Has a client do to a vehicle what the operation does. */
function ask(client: FleetClient, operation: Operation, id: string): Promise<FleetAnswer> {
  return client.send(operation.method, operation.path.replace('{id}', id), rightBody(operation));
}

describe("another fleet's vehicle", () => {
  test('is missing from every endpoint as if it did not exist, to the letter', async () => {
    const { stranger, operations } = await openWithVehicle();
    expect(operations.length).toBeGreaterThan(35);
    for (const operation of operations) {
      const answerFor = async (id: string) => {
        const answer = await ask(stranger, operation, id);
        const { flow_id: _, ...body } = answer.body;
        return { status: answer.status, body: JSON.stringify(body).replaceAll(id, '…') };
      };
      const theirs = await answerFor('THEIRS');
      expect(theirs.status, `${operation.method} ${operation.path}`).toBe(404);
      expect(theirs).toEqual(await answerFor('NOBODYS'));
    }
  });

  test('is in no list, and unchanged by any request', async () => {
    const { stage, stranger, owner, operations } = await openWithVehicle();
    for (const operation of operations) await ask(stranger, operation, 'THEIRS');
    for (const query of [
      '',
      '?q=THEIRS',
      `?q=${boxId(2)}`,
      '?life_status=ONLINE',
      '?operation_status=OPERATING',
    ])
      expect((await stranger.send('GET', `/vehicles${query}`)).body).toEqual({ items: [] });
    expect((await owner.send('GET', '/vehicles/THEIRS')).headers.get('etag')).toMatch(/^"1\./);
    expect(stage.sent).toEqual([]);
  });

  test('cannot be onboarded by its box', async () => {
    const { stranger } = await openWithVehicle();
    const answer = await stranger.send('POST', '/vehicles', {
      telematics_unit: { id: boxId(2) },
      vehicle_model: 'petrol-compact',
    });
    expect(answer.status).toBe(404);
  });
});
