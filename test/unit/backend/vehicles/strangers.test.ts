import { beforeAll, describe, expect, test } from 'vitest';
import { CONNECTED } from '../http/stage.ts';
import { boxId, type Fleets, openFleets } from './fleets.ts';

/** Every operation that names a vehicle, from the document itself: a new endpoint is tried without being named here. */
interface Operation {
  readonly method: string;
  readonly path: string;
}

let fleets: Fleets;
let operations: readonly Operation[];

beforeAll(async () => {
  fleets = await openFleets();
  await fleets.stage.addVehicle({ id: 'THEIRS', boxId: boxId(2), masterData: {} }, CONNECTED);
  const document = fleets.stage.app.getOpenAPI31Document({
    openapi: '3.1.0',
    info: { title: 't', version: '1' },
  });
  operations = Object.entries(document.paths ?? {}).flatMap(([path, methods]) =>
    Object.keys(methods)
      .filter(() => path.startsWith('/vehicles/{id}'))
      .map((method) => ({ method: method.toUpperCase(), path })),
  );
});

/** A body with which the owner would get through. */
function rightBody({ method, path }: Operation): unknown {
  if (path.endsWith('/sharing') && method === 'PUT') return { partner_fleet_id: 'FLEET2' };
  return method === 'PATCH' || method === 'PUT' ? {} : undefined;
}

describe("another fleet's vehicle", () => {
  test('is missing from every endpoint as if it did not exist, to the letter', async () => {
    const { stranger } = fleets;
    expect(operations.length).toBeGreaterThan(35);
    for (const operation of operations) {
      const answerFor = async (id: string) => {
        const answer = await stranger.send(
          operation.method,
          operation.path.replace('{id}', id),
          rightBody(operation),
        );
        const { flow_id: _, ...body } = answer.body;
        return { status: answer.status, body: JSON.stringify(body).replaceAll(id, '…') };
      };
      const theirs = await answerFor('THEIRS');
      expect(theirs.status, `${operation.method} ${operation.path}`).toBe(404);
      expect(theirs).toEqual(await answerFor('NOBODYS'));
    }
  });

  test('is in no list, and untouched by all that', async () => {
    const { stage, stranger, owner } = fleets;
    for (const query of [
      '',
      '?q=THEIRS',
      `?q=${boxId(2)}`,
      '?life_status=ONLINE',
      '?operation_status=OPERATING',
    ])
      expect((await stranger.send('GET', `/vehicles${query}`)).body).toEqual({ items: [] });
    expect((await owner.send('GET', '/vehicles/THEIRS')).headers.get('etag')).toBe('"1"');
    expect(stage.sent).toEqual([]);
  });

  test('cannot be onboarded by its box', async () => {
    const answer = await fleets.stranger.send('POST', '/vehicles', {
      telematics_unit: { id: boxId(2) },
      vehicle_model: 'petrol-compact',
    });
    expect(answer.status).toBe(404);
  });
});
