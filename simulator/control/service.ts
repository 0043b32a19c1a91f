import { Hono } from 'hono';
import { z } from 'zod';
import { brokenRule, type Issue } from '../../world/broken-rule.ts';
import { jsonBody } from '../http/guard.ts';
import { problemResponse } from '../http/refusal.ts';
import { controlLimits } from '../limits.ts';

/** Interventions into the service, passed in by the assembly of both: the simulator does not import the backend. */
export interface ServiceControlPort {
  read(): ServiceControlState;
  /** Every call of the service's store fails until this is switched off; nothing is written meanwhile. */
  setStoreWorks(works: boolean): void;
  /** Of access tokens that are issued from now on, in seconds. */
  setTokenLifetimeS(seconds: number): void;
  /** Adds a client. Resolves with its secret, only once, or with the reason of a refusal. */
  makeClient(wish: ClientWish): Promise<MadeClient | { readonly fault: string }>;
  /** The permissions of a client from now on; its tokens keep their scopes. False: no such client. */
  setPermissions(clientId: string, permissions: readonly string[]): Promise<boolean>;
  /** False: no such client. */
  deleteClient(clientId: string): Promise<boolean>;
}

/** The client's owner: the vehicles' own fleet, one that they can be shared with, or an unrelated one. */
const FLEETS = ['own', 'partner', 'stranger'] as const;
export type FleetRole = (typeof FLEETS)[number];

export interface ClientWish {
  readonly fleet: FleetRole;
  readonly permissions: readonly string[];
  /** The redirect URIs of the code flow; none: the client has no such flow. */
  readonly redirectUris: readonly string[];
  /** A program on its users' devices, such as a page in a browser: it gets no secret. */
  readonly isPublic: boolean;
}

export interface MadeClient {
  readonly clientId: string;
  /** Empty: the client is public. */
  readonly clientSecret: string;
  readonly fleetId: string;
}

export interface ServiceControlState {
  readonly storeWorks: boolean;
  readonly tokenLifetimeS: number;
  readonly fleetId: string;
  readonly partnerFleetId: string;
  readonly strangerFleetId: string;
  /** Names of all permissions, for `POST /service/clients`. */
  readonly permissions: readonly string[];
}

const DAY_S = 86_400;
const storeBody = z.strictObject({ works: z.boolean() });
const lifetimeBody = z.strictObject({ seconds: z.int().min(1).max(DAY_S) });
const clientBody = z.strictObject({
  fleet: z.enum(FLEETS).default('own'),
  permissions: z.array(z.string()).max(20).optional(),
  redirect_uris: z.array(z.string()).max(controlLimits.clientRedirectUris).default([]),
  public: z.boolean().default(false),
});

/** A client without a secret cannot act for itself, so its users have to sign in. */
const NO_WAY_BACK =
  'redirect_uris: a public client needs at least one, such as ["http://127.0.0.1:3000/"], for people to sign in.';

const permissionsBody = z.strictObject({ permissions: z.array(z.string()).max(20) });

/** The description of this part in the control API. */
export const SERVICE_DESCRIPTION = {
  'GET /service': 'The store, the token lifetime, and the fleets that clients can be made for.',
  'PUT /service/store': '{"works": false} lets every call of the store fail, so that requests end with 500.',
  'PUT /service/token-lifetime': '{"seconds": 5} is how long tokens are valid that are issued from now on.',
  'POST /service/clients':
    '{"fleet": "own" | "partner" | "stranger", "permissions": [...]} makes a client; absent permissions: all of them. With {"redirect_uris": ["http://127.0.0.1:3000/"]} people sign in for it; with {"public": true} as well it is a page in a browser, and has no secret.',
  'PUT /service/clients/{client_id}':
    '{"permissions": [...]} is what a client may do from now on; the tokens that it has keep their scopes.',
  'DELETE /service/clients/{client_id}': 'Deletes a client; its tokens end within seconds.',
} as const;

/** The part of the control API that is about the service. Mounted below `/service`. */
export function serviceRoutes(controls: ServiceControlPort): Hono {
  const app = new Hono();
  const reading = () => {
    const { storeWorks, tokenLifetimeS, fleetId, partnerFleetId, strangerFleetId, permissions } =
      controls.read();
    return {
      store: { works: storeWorks },
      token_lifetime: { seconds: tokenLifetimeS },
      fleet_id: fleetId,
      partner_fleet_id: partnerFleetId,
      stranger_fleet_id: strangerFleetId,
      permissions,
    };
  };

  app.get('/', (c) => c.json(reading()));
  app.put('/store', async (c) => {
    const body = await read(c.req.raw, storeBody, '{"works": false}');
    if (body instanceof Response) return body;
    controls.setStoreWorks(body.works);
    return c.json(reading());
  });
  app.put('/token-lifetime', async (c) => {
    const body = await read(c.req.raw, lifetimeBody, '{"seconds": 5}');
    if (body instanceof Response) return body;
    controls.setTokenLifetimeS(body.seconds);
    return c.json(reading());
  });
  app.post('/clients', async (c) => {
    const example = '{"fleet": "own", "permissions": ["vehicles.ro"]}';
    const body = await read(c.req.raw, clientBody, example);
    if (body instanceof Response) return body;
    const known = controls.read().permissions;
    const refusal = unknownPermission(known, body.permissions ?? []);
    if (refusal !== undefined) return refusal;
    const { fleet, permissions = known, redirect_uris: redirectUris, public: isPublic } = body;
    if (isPublic && redirectUris.length === 0) return problemResponse({ status: 400, detail: NO_WAY_BACK });
    const made = await controls.makeClient({ fleet, permissions, redirectUris, isPublic });
    if ('fault' in made) return problemResponse({ status: 400, detail: made.fault });
    const { clientId, clientSecret, fleetId } = made;
    const secret = isPublic ? null : clientSecret;
    return c.json({ client_id: clientId, client_secret: secret, fleet_id: fleetId }, 201);
  });
  app.put('/clients/:id', async (c) => {
    const body = await read(c.req.raw, permissionsBody, '{"permissions": ["vehicles.ro"]}');
    if (body instanceof Response) return body;
    const refusal = unknownPermission(controls.read().permissions, body.permissions);
    if (refusal !== undefined) return refusal;
    const id = c.req.param('id');
    if (await controls.setPermissions(id, body.permissions)) return c.body(null, 204);
    return unknownClient(id);
  });
  app.delete('/clients/:id', async (c) => {
    const id = c.req.param('id');
    if (await controls.deleteClient(id)) return c.body(null, 204);
    return unknownClient(id);
  });
  return app;
}

function unknownClient(id: string): Response {
  return problemResponse({ status: 404, detail: `There is no client ${JSON.stringify(id)}.` });
}

function unknownPermission(known: readonly string[], wanted: readonly string[]): Response | undefined {
  const unknown = wanted.find((name) => !known.includes(name));
  if (unknown === undefined) return undefined;
  const detail = `permissions: there is no ${JSON.stringify(unknown)}. There are: ${known.join(', ')}.`;
  return problemResponse({ status: 400, detail });
}

/** The body as the schema has it, or the answer that refuses it. */
async function read<T extends z.ZodType>(
  request: Request,
  schema: T,
  example: string,
): Promise<z.output<T> | Response> {
  const taken = await jsonBody(request);
  if ('refusal' in taken) return problemResponse(taken.refusal);
  const parsed = schema.safeParse(taken.body);
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map(
    (issue: Issue) => `${issue.path.join('.') || 'body'}: ${brokenRule(issue)}`,
  );
  return problemResponse({ status: 400, detail: `${faults.join('; ')}. For example: ${example}` });
}
