import {
  holdsPermission,
  type Permission,
  type Scope,
  scopesCovering,
  sharedPermissions,
} from '../../contract/permissions.ts';
import { problem, type Refusal } from '../../contract/problems.ts';
import type { TokenRejection } from '../../world/crypto/crypto.ts';
import type { World } from '../../world/world.ts';
import type { FindClient, FindGranted, VerifyToken } from './client-memory.ts';

/** The caller, as named in the token and confirmed by the client's record. */
export interface Caller {
  readonly clientId: string;
  readonly fleetId: string;
  readonly scopes: ReadonlySet<string>;
  /** The client's; if it acts for a person, those that both have. */
  readonly permissions: readonly string[];
  /** Those of the client alone, if it acts for a person. */
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
  readonly world: Pick<World, 'time'>;
  readonly issuer: string;
  readonly verifyToken: VerifyToken;
  readonly findClient: FindClient;
  readonly findGranted: FindGranted;
}

const REALM = 'Bearer realm="service"';
const INVALID = `${REALM}, error="invalid_token"`;

/** Identifies the caller by the Authorization header. Rejects if the store fails. */
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
  if (token === undefined) return invalid('The Authorization header contains no bearer token.');
  const nowMs = parts.world.time.nowMs();
  const verdict = await parts.verifyToken(token, { issuer: parts.issuer, nowMs });
  if (!verdict.ok) return invalid(REASONS[verdict.reason]);
  const { claims } = verdict;
  const client = await parts.findClient(claims.client_id);
  if (client === undefined || client.fleetId !== claims.fleet_id)
    return invalid('The client of the token no longer exists.');
  const caller = {
    clientId: client.id,
    fleetId: client.fleetId,
    scopes: new Set(claims.scope.split(' ').filter((scope) => scope !== '')),
  };
  if (claims.grant_id === undefined) return { ...caller, permissions: client.permissions };
  const granted = await parts.findGranted(claims.grant_id);
  if (granted === undefined || granted.clientId !== client.id || granted.fleetId !== client.fleetId)
    return invalid('The grant of the token has been revoked.');
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
  'wrong-type':
    'The token is not an access token (its typ must be at+jwt). Request one at the token endpoint.',
  'wrong-issuer': 'The token has a different issuer.',
  'wrong-audience': 'The token has a different audience (its aud must be this service).',
  'issued-ahead': 'The token was issued in the future (iat). Correct the clock of its issuer.',
} as const satisfies Readonly<Record<TokenRejection, string>>;

function invalid(detail: string): Challenge {
  return { refusal: problem('invalid-credentials', detail), authenticate: INVALID };
}

/** What the caller lacks: first the token's scope, then the permission of the client, or of the person for whom it acts. */
export function missingAccess(caller: Caller, { scope, permission }: Requirement): Challenge | undefined {
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
