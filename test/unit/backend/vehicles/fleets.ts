import { BASE_URL, objectOf, openStage, type Stage } from '../http/stage.ts';

/** The fleet that owns, the one it shares with, and one that has nothing to do with it. */
export const OWNER = 'FLEET1';
export const PARTNER = 'FLEET2';
export const STRANGER = 'FLEET3';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Readonly<Record<string, unknown>>;
}

/** A client of one fleet. */
export interface Client {
  /** One request; virtual time passes until it is answered. A body that is no text is sent as JSON. */
  send(...request: Sent): Promise<Answer>;
  /** The same without letting time pass: for several at once. */
  start(...request: Sent): Promise<Answer>;
}

export type Sent = [method: string, path: string, body?: unknown, headers?: Readonly<Record<string, string>>];

export interface Fleets {
  readonly stage: Stage;
  readonly owner: Client;
  readonly partner: Client;
  readonly stranger: Client;
}

/** Three fleets with a client each; the owner's has two boxes in stock and a maker's cloud to link to. */
export async function openFleets(): Promise<Fleets> {
  const stage = await openStage({
    requestsPerMinute: 1_000_000,
    makers: { northwind: { baseUrl: 'http://maker.test', apiKey: 'key' } },
  });
  const owner = await clientOf(stage, OWNER);
  const partner = await clientOf(stage, PARTNER);
  const stranger = await clientOf(stage, STRANGER);
  for (const number of [1, 2]) await putInStock(stage, boxId(number));
  return { stage, owner, partner, stranger };
}

export const boxId = (number: number): string => number.toString(16).padStart(16, '0');

export async function putInStock(stage: Stage, id: string, fleetId = OWNER): Promise<void> {
  await stage.store.vehicles.saveUnit({
    boxId: id,
    fleetId,
    boxSecretHash: 'hash',
    generation: 2,
    sim: { provider: 'meridian', iccid: '8949000000000000001' },
  });
}

/** A client of the fleet with every permission. */
async function clientOf(stage: Stage, fleetId: string): Promise<Client> {
  const permissions = ['vehicles', 'vehicle-commands', 'connectivity-commands', 'vehicle-configuration'];
  const token = await stage.token(permissions, fleetId);
  const start: Client['start'] = async (method, path, body, headers = {}) => {
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
      body: answer.status === 204 ? {} : await objectOf(answer),
    };
  };
  return {
    start,
    send: (...request) => stage.loop.runWhile(start(...request), { withinMs: 60_000 }),
  };
}

/** Lets requests that were started at once come to their answers. */
export function together(stage: Stage, answers: readonly Promise<Answer>[]): Promise<readonly Answer[]> {
  return stage.loop.runWhile(Promise.all(answers), { withinMs: 60_000 });
}

/** Onboards to a box of the stock and answers the vehicle's id. */
export async function onboarded(client: Client, box = boxId(1), more: object = {}): Promise<string> {
  const answer = await client.send('POST', '/vehicles', {
    telematics_unit: { id: box },
    vehicle_model: 'petrol-compact',
    ...more,
  });
  if (answer.status !== 201) throw new Error(`not onboarded: ${JSON.stringify(answer.body)}`);
  return String(answer.body['id']);
}
