import { type Context, Hono } from 'hono';
import { basicAuth } from 'hono/basic-auth';
import { HTTPException } from 'hono/http-exception';
import { areSecretsEqual } from '../../../world/crypto/equal-secrets.ts';
import { makePasswordCheck } from '../../../world/guessing/password-check.ts';
import { isLoopback } from '../../../world/http/loopback.ts';
import { limits } from '../../limits.ts';
import { passwordOf, permissionsOf, type Read, readObject } from './request-bodies.ts';
import { type ChangeOutcome, isUserName, type ManagedUser, NAME_RULE, type UserChange } from './users.ts';

export interface Administrator {
  readonly username: string;
  readonly password: string;
}

export interface ManagementParts {
  readonly administrator: Administrator;
  /** Host names besides those of this machine's loopback under which it may be called. */
  readonly hosts: readonly string[] | 'any';
  userOf(name: string): ManagedUser | undefined;
  hashSecret(secret: string): Promise<string>;
  /** A clock that is not set, in milliseconds. */
  nowMs(): number;
  /** Resolves once the change is durable. Rejects if it could not be written. */
  change(change: UserChange): Promise<ChangeOutcome>;
  /** A call that was refused for its account. */
  refused(username: string): void;
  /** A call that failed. */
  failed(error: Error): void;
}

/** The server's data about a request: the address of the client. */
export interface ManagementEnv {
  readonly Bindings: { readonly address?: string };
}

/** All routes of the interface. */
export const SERVED = ['GET, PUT, DELETE /api/users/{name}', 'GET, PUT /api/permissions/%2F/{name}'] as const;

const VIRTUAL_HOST = '/';
const NOT_FOUND = { error: 'Object Not Found', reason: 'Not Found' };

/**
 * The part of RabbitMQ's management interface that creates users, with its paths, statuses and bodies. Only the
 * administrator may call it. A user is shown without the hash of its password.
 */
export function managementApp(parts: ManagementParts): Hono<ManagementEnv> {
  const { administrator } = parts;
  const further = parts.hosts === 'any' ? [] : parts.hosts;
  const hosts = new Set(further.map((name) => name.toLowerCase()));
  const takes = (name: string) => parts.hosts === 'any' || isLoopback(name) || hosts.has(name);
  const checkPassword = makePasswordCheck(parts, { comparesFast: () => true });
  const app = new Hono<ManagementEnv>();
  app.use(async (c, next) => {
    // A web page can have a name of its own resolve to this machine.
    if (takes(hostNameOf(c.req.raw))) await next();
    else
      c.res = c.json(
        {
          error: 'not_authorized',
          reason: `Host must be ${['localhost or an address of loopback', ...hosts].join(', or ')}`,
        },
        403,
      );
    c.header('cache-control', 'no-store');
    c.header('x-content-type-options', 'nosniff');
  });
  app.use(
    basicAuth({
      realm: 'boxtwin AMQP management',
      async verifyUser(name, password, c: Context<ManagementEnv>) {
        const address = c.env?.address ?? '';
        const verdict = await checkPassword({ name, password, address }, () => {
          const isName = areSecretsEqual(name, administrator.username);
          const isPassword = areSecretsEqual(password, administrator.password);
          return isName && isPassword;
        });
        if (verdict.kind === 'right') return true;
        parts.refused(name);
        if (verdict.kind === 'later')
          throw new HTTPException(429, { res: tooManyGuesses(verdict.retryAfterS) });
        return false;
      },
      invalidUserMessage: { error: 'not_authorized', reason: 'Login failed' },
    }),
  );

  app.get('/api/users/:name', (c) => {
    const name = c.req.param('name');
    if (name === administrator.username) return c.json({ name, tags: ['administrator'], limits: {} });
    return parts.userOf(name) === undefined ? c.json(NOT_FOUND, 404) : c.json({ name, tags: [], limits: {} });
  });
  app.put('/api/users/:name', async (c) => {
    const name = c.req.param('name');
    if (!isUserName(name)) return badRequest(c, `the name of a user must be ${NAME_RULE}`);
    if (name === administrator.username) return unchangeable(c);
    const body = await readObject(c.req.raw);
    const password = body.ok ? passwordOf(body.value) : body;
    if (!password.ok) return refuse(c, password);
    const secretHash = await parts.hashSecret(password.value);
    return answer(c, await parts.change({ kind: 'put-user', name, secretHash }));
  });
  app.delete('/api/users/:name', async (c) => {
    const name = c.req.param('name');
    if (name === administrator.username) return unchangeable(c);
    const outcome = await parts.change({ kind: 'delete-user', name });
    return outcome === 'unknown' ? c.json(NOT_FOUND, 404) : answer(c, outcome);
  });

  app.get('/api/permissions/:vhost/:name', (c) => {
    const { vhost, name: user } = c.req.param();
    const permissions = vhost === VIRTUAL_HOST ? shownPermissions(parts, user) : undefined;
    return permissions === undefined ? c.json(NOT_FOUND, 404) : c.json({ user, vhost, ...permissions });
  });
  app.put('/api/permissions/:vhost/:name', async (c) => {
    const { vhost, name } = c.req.param();
    if (name === administrator.username) return unchangeable(c);
    const body = await readObject(c.req.raw);
    const permissions = body.ok ? permissionsOf(body.value) : body;
    if (!permissions.ok) return refuse(c, permissions);
    if (vhost !== VIRTUAL_HOST) return answer(c, 'unknown');
    return answer(c, await parts.change({ kind: 'put-permissions', name, permissions: permissions.value }));
  });

  app.notFound((c) =>
    c.json({ error: 'Object Not Found', reason: `Served here: ${SERVED.join('; ')}` }, 404),
  );
  app.onError((error, c) => {
    if (error instanceof HTTPException) return error.getResponse();
    parts.failed(error);
    return c.json({ error: 'internal_server_error', reason: 'The change was not written; see the log' }, 500);
  });
  return app;
}

/** RabbitMQ has no such answer; its clients retry as after any other failure. */
function tooManyGuesses(retryAfterS: number): Response {
  const reason = `Too many wrong passwords came from this address. Try again in ${retryAfterS} s.`;
  return Response.json(
    { error: 'too_many_requests', reason },
    { status: 429, headers: { 'retry-after': String(retryAfterS) } },
  );
}

/** In lower case and without the port; empty if it is invalid. */
function hostNameOf(request: Request): string {
  const address = `http://${request.headers.get('host') ?? new URL(request.url).host}`;
  return URL.canParse(address) ? new URL(address).hostname : '';
}

function shownPermissions({ administrator, userOf }: ManagementParts, name: string) {
  if (name === administrator.username) return { configure: '.*', write: '.*', read: '.*' };
  return userOf(name)?.permissions;
}

function answer(c: Context, outcome: ChangeOutcome): Response {
  switch (outcome) {
    case 'created':
      return c.body(null, 201);
    case 'changed':
    case 'deleted':
      return c.body(null, 204);
    case 'unknown':
      return badRequest(c, 'vhost_or_user_not_found');
    case 'full':
      return badRequest(
        c,
        `there is room for ${limits.users.users} users and ${limits.users.fileBytes} bytes of them`,
      );
    default:
      return outcome satisfies never;
  }
}

function unchangeable(c: Context): Response {
  return badRequest(c, "the administrator's account is given at the start of the broker");
}

function badRequest(c: Context, reason: string): Response {
  return c.json({ error: 'bad_request', reason }, 400);
}

function refuse(c: Context, { status, reason }: Extract<Read<unknown>, { ok: false }>): Response {
  return status === 400 ? badRequest(c, reason) : c.json({ error: 'payload_too_large', reason }, status);
}
