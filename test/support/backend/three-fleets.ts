import { BASE_URL, jsonObjectOf, openTestService, type TestService } from '../http/test-service.ts';

/** The owning fleet, its sharing partner, and an unrelated one. */
export const OWNER_FLEET_ID = 'FLEET1';
export const PARTNER_FLEET_ID = 'FLEET2';
export const STRANGER_FLEET_ID = 'FLEET3';

export interface FleetAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Readonly<Record<string, unknown>>;
}

/** A client of one fleet. */
export interface FleetClient {
  /** One request; virtual time passes until it is answered. A body that is not a string is sent as JSON. */
  send(...request: FleetRequest): Promise<FleetAnswer>;
  /** The same without passing time: for several at once. */
  start(...request: FleetRequest): Promise<FleetAnswer>;
}

export type FleetRequest = [
  method: string,
  path: string,
  body?: unknown,
  headers?: Readonly<Record<string, string>>,
];

export interface ThreeFleets {
  readonly stage: TestService;
  readonly owner: FleetClient;
  readonly partner: FleetClient;
  readonly stranger: FleetClient;
}

/** The maker's vehicle in the owner's stock. */
export const MAKER_LINK = { name: 'northwind', vehicleId: 'NW-1' };

/** Three fleets with a client each; the owner's has two boxes and a maker's vehicle in stock. */
export async function openThreeFleets(): Promise<ThreeFleets> {
  const stage = await openTestService({
    requestsPerMinute: 1_000_000,
    makers: { northwind: { baseUrl: 'http://maker.test', apiKey: 'key' } },
  });
  const owner = await clientOf(stage, OWNER_FLEET_ID);
  const partner = await clientOf(stage, PARTNER_FLEET_ID);
  const stranger = await clientOf(stage, STRANGER_FLEET_ID);
  for (const number of [1, 2]) await putInStock(stage, boxId(number));
  await stage.store.vehicles.saveMakerUnit({ link: MAKER_LINK, fleetId: OWNER_FLEET_ID });
  return { stage, owner, partner, stranger };
}

export const boxId = (number: number): string => number.toString(16).padStart(16, '0');

export async function putInStock(stage: TestService, id: string, fleetId = OWNER_FLEET_ID): Promise<void> {
  await stage.store.vehicles.saveUnit({
    boxId: id,
    fleetId,
    boxSecretHash: 'hash',
    generation: 2,
    sim: { provider: 'meridian', iccid: '8949000000000000001' },
  });
}

/** A client of the fleet with every permission. */
async function clientOf(stage: TestService, fleetId: string): Promise<FleetClient> {
  const permissions = ['vehicles', 'vehicle-commands', 'connectivity-commands', 'vehicle-configuration'];
  const token = await stage.token(permissions, fleetId);
  const start: FleetClient['start'] = async (method, path, body, headers = {}) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    const request = new Request(`${BASE_URL}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...type, ...headers },
      ...(body === undefined ? {} : { body: text }),
    });
    const answer = await stage.app.fetch(request);
    return {
      status: answer.status,
      headers: answer.headers,
      body: [204, 304].includes(answer.status) ? {} : await jsonObjectOf(answer),
    };
  };
  return {
    start,
    send: (...request) => stage.loop.runWhile(start(...request), { withinMs: 60_000 }),
  };
}

/** Passes time until all started requests are answered. */
export function answersOf(
  stage: TestService,
  answers: readonly Promise<FleetAnswer>[],
): Promise<readonly FleetAnswer[]> {
  return stage.loop.runWhile(Promise.all(answers), { withinMs: 60_000 });
}

/** Onboards to a box of the stock and returns the vehicle's id. */
export async function onboarded(client: FleetClient, box = boxId(1), more: object = {}): Promise<string> {
  const answer = await client.send('POST', '/vehicles', {
    telematics_unit: { id: box },
    vehicle_model: 'petrol-compact',
    ...more,
  });
  if (answer.status !== 201) throw new Error(`not onboarded: ${JSON.stringify(answer.body)}`);
  return String(answer.body['id']);
}
