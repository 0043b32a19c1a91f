import { operationName } from '../../contract/operation.ts';
import { OPERATIONS } from '../../contract/operations.ts';
import { expectAnswer } from '../../judge/certify/expected-answer.ts';
import type { PointPlan } from '../../judge/certify/point.ts';
import { failed, notSeen, passed, type Verdict } from '../../judge/verdict.ts';
import { bodyOf, type CausePorts, jsonRequest } from '../../scenarios/causes/cause-ports.ts';
import { valueAt } from '../../world/json.ts';
import type { CertifySession, PointList } from './certify-session.ts';

const OF_TOKENS = 'docs/api.md, Signing in';

/** Points about tokens, in their order. */
const TOKEN_POINTS = {
  token: {
    id: 'access/a token of client credentials',
    about: 'A token is of the type bearer and valid for 3600 s.',
    clause: OF_TOKENS,
  },
  wrongSecret: {
    id: 'access/a wrong secret',
    about: 'A wrong secret is refused with 401 invalid_client (RFC 6749 section 5.2).',
    clause: OF_TOKENS,
  },
  olderToken: {
    id: 'access/an older token',
    about: 'A new token leaves the older ones valid.',
    clause: OF_TOKENS,
  },
  discovery: {
    id: 'access/the discovery document',
    about: 'The OpenID Connect discovery document names issuer, token address and keys.',
    clause: OF_TOKENS,
  },
} as const satisfies Readonly<Record<string, PointPlan>>;

/** The points of this file. */
export function accessPoints(): readonly PointPlan[] {
  return [...Object.values(TOKEN_POINTS), ...PERMISSIONS.map(permissionPoint)];
}

/** Those that some operation needs. */
const PERMISSIONS = [...new Set(OPERATIONS.map(({ permission }) => permission))];

function permissionPoint(permission: string): PointPlan {
  return {
    id: `access/the permission ${permission}`,
    about: `A client with nothing but ${permission} may use the operations that need it.`,
    clause: 'docs/api.md, What a token may do',
  };
}

/** Tests the contract's promises about tokens and permissions. */
export async function tryAccess(session: CertifySession, list: PointList): Promise<void> {
  const { api } = session;
  const add = async (point: PointPlan, judge: () => Promise<Verdict>): Promise<void> => {
    if (list.wants(point)) list.add(point, await judge());
  };
  await add(TOKEN_POINTS.token, async () =>
    expectAnswer(await api.token(), 200, (body) => [
      ...(valueAt(body, 'token_type') === 'bearer'
        ? []
        : [`Its token_type is ${JSON.stringify(valueAt(body, 'token_type'))}.`]),
      ...(valueAt(body, 'expires_in') === 3600
        ? []
        : [`Its expires_in is ${JSON.stringify(valueAt(body, 'expires_in'))}.`]),
    ]),
  );
  await add(TOKEN_POINTS.wrongSecret, async () => {
    const { clientId } = session.options.client;
    const answer = await api.token({ clientId, clientSecret: 'not-the-secret' });
    const challenge = answer.headers['www-authenticate'] ?? '';
    return expectAnswer(answer, 401, (body) => [
      ...(valueAt(body, 'error') === 'invalid_client'
        ? []
        : [`Its error is ${JSON.stringify(valueAt(body, 'error'))}.`]),
      ...(/^basic/i.test(challenge) ? [] : [`Its WWW-Authenticate is ${JSON.stringify(challenge)}.`]),
    ]);
  });
  await add(TOKEN_POINTS.olderToken, async () => {
    const older = `Bearer ${String(valueAt(bodyOf(await api.token()), 'access_token'))}`;
    await api.token();
    return expectAnswer(
      await api.call(jsonRequest('api', 'GET', '/vehicles?limit=1', undefined, { authorization: older })),
      200,
    );
  });
  await add(TOKEN_POINTS.discovery, async () =>
    expectAnswer(
      await api.call(jsonRequest('api', 'GET', '/.well-known/openid-configuration')),
      200,
      (body) =>
        ['issuer', 'token_endpoint', 'authorization_endpoint', 'jwks_uri'].flatMap((name) =>
          typeof valueAt(body, name) === 'string' ? [] : [`It lacks ${name}.`],
        ),
    ),
  );
  await tryPermissions(session, list);
}

/** Each permission alone is enough for its operations: a client that has only that gets past 401 and 403. */
async function tryPermissions({ ports, means }: CertifySession, list: PointList): Promise<void> {
  for (const permission of PERMISSIONS) {
    const point = permissionPoint(permission);
    if (!list.wants(point)) continue;
    if (!means.hasAdmin)
      list.add(point, notSeen('A further client is needed: give the admin interface with --admin.'));
    else list.add(point, await tryPermission(ports, permission));
  }
}

async function tryPermission(ports: CausePorts, permission: string): Promise<Verdict> {
  const made = await ports.call(
    jsonRequest('simulator', 'POST', '/service/clients', { fleet: 'own', permissions: [permission] }),
  );
  const { client_id: id, client_secret: secret } = (bodyOf(made) ?? {}) as Readonly<Record<string, string>>;
  const path = '/auth/oauth/token?grant_type=client_credentials';
  const basic = { authorization: `Basic ${btoa(`${id ?? ''}:${secret ?? ''}`)}` };
  const token = valueAt(
    bodyOf(await ports.call(jsonRequest('api', 'POST', path, undefined, basic))),
    'access_token',
  );
  if (typeof token !== 'string') return failed('a token for a client with that permission', made.text);
  const complaints: string[] = [];
  const own = OPERATIONS.filter((operation) => operation.permission === permission);
  for (const operation of own) {
    // An unknown parameter is refused after the permission check, and before anything happens.
    const place = operation.path.replaceAll(/\{[a-z_]+\}/g, 'ZZZZZZZZZZ');
    const { status } = await ports.call(
      jsonRequest('api', operation.method, `${place}?colour=green`, undefined, {
        authorization: `Bearer ${token}`,
      }),
    );
    const told = status === 0 ? 'nothing' : status;
    if (told === 'nothing' || status === 401 || status === 403)
      complaints.push(`${operationName(operation)} answered ${told}.`);
  }
  return complaints.length === 0
    ? passed(`${own.length} operations`)
    : failed('an answer, neither 401 nor 403', complaints);
}
