import type { TokenFault } from '../../world/seal.ts';
import type { World } from '../../world/world.ts';
import { problem, type Refusal } from '../http/problem.ts';
import type { FindClient, FindGranted } from './client-memory.ts';
import {
  holdsPermission,
  type Permission,
  type Scope,
  scopesCovering,
  sharedPermissions,
} from './permissions.ts';

/** Who calls, as the token says and the client's record confirms. */
export interface Caller {
  readonly clientId: string;
  readonly fleetId: string;
  readonly scopes: ReadonlySet<string>;
  /** The client's; where it acts for a person, those that both hold. */
  readonly permissions: readonly string[];
  /** The client's alone, where it acts for a person. */
  readonly clientPermissions?: readonly string[];
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
  readonly findGranted: FindGranted;
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
  const caller = {
    clientId: client.id,
    fleetId: client.fleetId,
    scopes: new Set(claims.scope.split(' ').filter((scope) => scope !== '')),
  };
  if (claims.grant_id === undefined) return { ...caller, permissions: client.permissions };
  const granted = await parts.findGranted(claims.grant_id);
  if (granted === undefined || granted.clientId !== client.id || granted.fleetId !== client.fleetId)
    return invalid('What the token was given for has been taken back.');
  return {
    ...caller,
    permissions: sharedPermissions(client.permissions, granted.permissions),
    clientPermissions: client.permissions,
  };
}

const REASONS = {
  expired: 'The token has expired.',
  unreadable: 'The token cannot be read.',
  'wrong-signature': 'The signature of the token is wrong.',
  'wrong-type': 'The token is no access token (its typ must be at+jwt). Fetch one at the token endpoint.',
  'wrong-issuer': 'The token was issued elsewhere.',
  'wrong-audience': 'The token is for somebody else (its aud must be this service).',
  'issued-ahead': 'The token says that it was issued later than now. Set the clock of whoever issues it.',
} as const satisfies Readonly<Record<TokenFault, string>>;

function invalid(detail: string): Challenge {
  return { refusal: problem('invalid-credentials', detail), authenticate: INVALID };
}

/** What the caller lacks: first the token's scope, then the permission of the client, or of the person for whom it acts. */
export function lacking(caller: Caller, { scope, permission }: Requirement): Challenge | undefined {
  const authenticate = `${REALM}, error="insufficient_scope", scope="${scope}"`;
  if (!scopesCovering(scope).some((one) => caller.scopes.has(one)))
    return { refusal: problem('forbidden-resource', `The token lacks the scope ${scope}.`), authenticate };
  if (!holdsPermission(caller.permissions, permission)) {
    const isOfPerson =
      caller.clientPermissions !== undefined && holdsPermission(caller.clientPermissions, permission);
    const who = isOfPerson ? 'The person for whom the client acts' : 'The client';
    return {
      refusal: problem('missing-permissions', `${who} lacks the permission ${permission}.`),
      authenticate,
    };
  }
  return undefined;
}
