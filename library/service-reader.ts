import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ControlApi } from '../deployment/http/control-api.ts';
import { jsonObject } from '../world/json.ts';
import type { BoxPicture } from './box.ts';
import type { ServiceVehicle, VehicleViews } from './vehicle.ts';

interface OwnClient {
  readonly client_id: string;
  readonly client_secret: string;
}

/** In the data directory, while there is such a client: its id. */
export function clientFileIn(data: string): string {
  return join(data, 'test-client');
}

/** Deletes the client that a killed process has left behind. Never rejects: the next start tries again. */
export async function endLeftClient(file: string, control: ControlApi): Promise<void> {
  const id = await readFile(file, 'utf8').catch(() => undefined);
  if (id === undefined) return;
  await deleteClient(id, file, control);
}

async function deleteClient(id: string, file: string, control: ControlApi): Promise<void> {
  try {
    await control('DELETE', `/service/clients/${id}`);
    await rm(file, { force: true });
  } catch {
    // It may be unknown to a new store; the next client replaces its file.
  }
}

/**
 * Reads the service as a client of its own, which is made at the first use: expectations that look again and again
 * spend nothing of what the tests' client may call.
 */
export class ServiceReader {
  readonly #baseUrl: string;
  readonly #control: ControlApi;
  readonly #clientFile: string;
  #client: Promise<OwnClient> | undefined;
  #token: Promise<string> | undefined;

  /** `clientFile`: where the id of its client is while there is one. */
  constructor(baseUrl: string, control: ControlApi, clientFile: string) {
    this.#baseUrl = baseUrl;
    this.#control = control;
    this.#clientFile = clientFile;
  }

  client(): Promise<OwnClient> {
    this.#client ??= this.#makeClient().catch((error: unknown) => {
      this.#client = undefined;
      throw error;
    });
    return this.#client;
  }

  /** Undefined: the service has no such vehicle. Rejects where it fails. */
  async vehicle(id: string): Promise<ServiceVehicle | undefined> {
    const path = `/vehicles/${encodeURIComponent(id)}`;
    let response = await this.#get(path);
    if (response.status === 401) {
      // The token has expired.
      this.#token = undefined;
      response = await this.#get(path);
    }
    if (response.status === 404) return undefined;
    const body: unknown = await response.json();
    if (response.ok) return body as ServiceVehicle;
    throw new Error(`GET ${path} of the service: ${response.status} ${String(jsonObject(body)['detail'])}`);
  }

  /** Rejects where there is no such box or vehicle. */
  async views(id: string): Promise<VehicleViews> {
    const box = (await this.#control('GET', `/boxes/${encodeURIComponent(id)}`)) as BoxPicture;
    const service = box.vehicleId === null ? undefined : await this.vehicle(box.vehicleId);
    return { box, ...(service === undefined ? {} : { service }), atMs: Date.now() };
  }

  /** Its client is deleted. */
  async close(): Promise<void> {
    const client = await this.#client?.catch(() => undefined);
    if (client !== undefined) await deleteClient(client.client_id, this.#clientFile, this.#control);
  }

  async #makeClient(): Promise<OwnClient> {
    const client = (await this.#control('POST', '/service/clients', { fleet: 'own' })) as OwnClient;
    await writeFile(this.#clientFile, client.client_id);
    return client;
  }

  async #get(path: string): Promise<Response> {
    // A service that restarts refuses it: the next read asks anew.
    this.#token ??= this.client()
      .then(({ client_id: id, client_secret: secret }) => freshToken(this.#baseUrl, id, secret))
      .catch((error: unknown) => {
        this.#token = undefined;
        throw error;
      });
    return fetch(`${this.#baseUrl}${path}`, { headers: { authorization: `Bearer ${await this.#token}` } });
  }
}

/** A new access token of a client. Rejects where the service refuses it. */
export async function freshToken(baseUrl: string, clientId: string, clientSecret: string): Promise<string> {
  const response = await fetch(`${baseUrl}/auth/oauth/token?grant_type=client_credentials`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${clientId}:${clientSecret}`)}` },
  });
  const body: unknown = await response.json();
  if (typeof body === 'object' && body !== null && 'access_token' in body) return String(body.access_token);
  throw new Error(`The service gave no token (${response.status}): ${JSON.stringify(body)}`);
}
