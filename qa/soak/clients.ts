import { limits } from './limits.ts';
import { figuresIn, type ServiceFigures } from './metrics.ts';
import type { UpReady } from './up.ts';
import type { WeatherAct } from './weather.ts';

/** A box that is in a vehicle. */
export interface SoakBox {
  readonly boxId: string;
  readonly vehicleId: string;
}

/** Answers by status, and what became of requests that got none. */
export type Outcomes = Map<string, number>;

/** Every box of the simulator that is in a vehicle, in the order of ids. Rejects where it does not answer. */
export async function boxesOf(simulatorUrl: string): Promise<readonly SoakBox[]> {
  const boxes: SoakBox[] = [];
  let path: string | undefined = `/boxes?limit=${limits.boxesPerPage}`;
  while (path !== undefined) {
    const answer = await fetch(`${simulatorUrl}${path}`, { signal: AbortSignal.timeout(limits.requestMs) });
    const page = (await answer.json()) as {
      readonly items: readonly { readonly boxId: string; readonly vehicleId: string | null }[];
      readonly next?: string;
    };
    for (const { boxId, vehicleId } of page.items)
      if (vehicleId !== null && vehicleId !== '') boxes.push({ boxId, vehicleId });
    path = page.next;
  }
  return boxes;
}

/** Carries out a piece of weather, and counts how that was answered. Never rejects. */
export async function act(simulatorUrl: string, one: WeatherAct, outcomes: Outcomes): Promise<void> {
  const { boxId, action, body } = one;
  const state = 'available' in body ? (body['available'] === true ? ' back' : ' gone') : '';
  await counted(outcomes, `${action}${state}`, `${simulatorUrl}/boxes/${boxId}/${action}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
}

/** Sends commands with a token that it renews. */
export function commandClient(ready: UpReady, outcomes: Outcomes) {
  let token = '';
  const renew = async () => {
    const basic = Buffer.from(`${ready.client_id}:${ready.client_secret}`).toString('base64');
    const answer = await fetch(`${ready.base_url}/auth/oauth/token?grant_type=client_credentials`, {
      method: 'POST',
      headers: { authorization: `Basic ${basic}`, 'content-type': 'application/json' },
      signal: AbortSignal.timeout(limits.requestMs),
    });
    token = ((await answer.json()) as { readonly access_token: string }).access_token;
  };
  return {
    renew,
    /** Never rejects: whatever happens is counted. */
    async send(vehicleId: string): Promise<void> {
      const url = `${ready.base_url}/vehicles/${vehicleId}/commands/request-vehicle-state`;
      const call = () => ({ method: 'POST', headers: { authorization: `Bearer ${token}` } });
      const status = await counted(outcomes, 'command', url, call());
      // A token lives shorter than a long soak.
      if (status === 401) await renew().catch(() => add(outcomes, 'token: no answer'));
    },
  };
}

/** The figures of the service; undefined: it does not answer. */
export async function figuresOf(baseUrl: string): Promise<ServiceFigures | undefined> {
  try {
    const answer = await fetch(`${baseUrl}/metrics`, { signal: AbortSignal.timeout(limits.requestMs) });
    return answer.ok ? figuresIn(await answer.text()) : undefined;
  } catch {
    return undefined;
  }
}

async function counted(
  outcomes: Outcomes,
  name: string,
  url: string,
  request: RequestInit,
): Promise<number | undefined> {
  try {
    const answer = await fetch(url, { ...request, signal: AbortSignal.timeout(limits.requestMs) });
    await answer.arrayBuffer();
    add(outcomes, `${name}: ${answer.status}`);
    return answer.status;
  } catch {
    add(outcomes, `${name}: no answer`);
    return undefined;
  }
}

function add(outcomes: Outcomes, name: string): void {
  outcomes.set(name, (outcomes.get(name) ?? 0) + 1);
}
