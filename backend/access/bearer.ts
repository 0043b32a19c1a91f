import type { World } from '../../world/world.ts';
import { problem, type Refusal } from '../http/problem.ts';
import type { FindClient } from './client-memory.ts';
import { holdsPermission, type Permission, type Scope } from './permissions.ts';

/** Who calls, as the token says and the client's record confirms. */
export interface Caller {
  readonly clientId: string;
  readonly fleetId: string;
  readonly scopes: ReadonlySet<string>;
  readonly permissions: readonly string[];
}

/** What an endpoint demands of its caller. */
export interface Requirement {
  readonly scope: Scope;
  readonly permission: Permission;
}

/** A refusal and the WWW-Authenticate header that goes with it (RFC 6750 section 3). */
export interface Challenge {
  readonly refusal: Refusal;
  readonly authenticate: string;
}

export interface BearerParts {
  readonly world: Pick<World, 'seal' | 'time'>;
  readonly issuer: string;
  readonly findClient: FindClient;
}

const REALM = 'Bearer realm="service"';
const INVALID = `${REALM}, error="invalid_token"`;

/** Tells the caller by the Authorization header. Rejects where the store fails. */
export async function identify(
  parts: BearerParts,
  authorization: string | undefined,
): Promise<Caller | Challenge> {
  if (authorization === undefined)
    return {
      refusal: problem('missing-credentials', 'The request has no Authorization header.'),
      authenticate: REALM,
    };
  const [, token] = /^bearer +([A-Za-z0-9\-._~+/]+=*) *$/i.exec(authorization) ?? [];
  if (token === undefined) return invalid('The Authorization header holds no bearer token.');
  const nowMs = parts.world.time.nowMs();
  const verdict = await parts.world.seal.verifyToken(token, { issuer: parts.issuer, nowMs });
  if (!verdict.ok) return invalid(REASONS[verdict.reason]);
  const { claims } = verdict;
  const client = await parts.findClient(claims.client_id);
  if (client === undefined || client.fleetId !== claims.fleet_id)
    return invalid('The client of the token does not exist any more.');
  return {
    clientId: client.id,
    fleetId: client.fleetId,
    scopes: new Set(claims.scope.split(' ').filter((scope) => scope !== '')),
    permissions: client.permissions,
  };
}

const REASONS = {
  expired: 'The token has expired.',
  unreadable: 'The token cannot be read.',
  'wrong-signature': 'The signature of the token is wrong.',
  'wrong-issuer': 'The token was issued elsewhere.',
} as const;

function invalid(detail: string): Challenge {
  return { refusal: problem('invalid-credentials', detail), authenticate: INVALID };
}

/** What the caller lacks: first the token's scope, then the client's permission. */
export function lacking(caller: Caller, { scope, permission }: Requirement): Challenge | undefined {
  const authenticate = `${REALM}, error="insufficient_scope", scope="${scope}"`;
  if (!caller.scopes.has(scope))
    return { refusal: problem('forbidden-resource', `The token lacks the scope ${scope}.`), authenticate };
  if (!holdsPermission(caller.permissions, permission))
    return {
      refusal: problem('missing-permissions', `The client lacks the permission ${permission}.`),
      authenticate,
    };
  return undefined;
}
