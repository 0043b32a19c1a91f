import { OpenAPIHono } from '@hono/zod-openapi';
import { HTTPException } from 'hono/http-exception';
import type { World } from '../../world/world.ts';
import { type AppContext, type AppEnvironment, refuse } from './environment.ts';
import { FLOW_ID_HEADER, flowIdOf } from './flow-id.ts';
import { takeBody } from './intake.ts';
import { httpLimits } from './limits.ts';
import { methodTable } from './methods.ts';
import { problem } from './problem.ts';
import { quote } from './quote.ts';
import { CACHE_CONTROL_STANDARD, SECURITY_HEADERS } from './security-headers.ts';
import { validationRefusal } from './validation.ts';

export type App = OpenAPIHono<AppEnvironment>;

export interface AppParts {
  readonly world: Pick<World, 'mint' | 'log'>;
  readonly baseUrl: string;
  /** Media types taken beside JSON, by path. */
  readonly alsoTaken: Readonly<Record<string, readonly string[]>>;
}

/**
 * An application without endpoints. The order of its middlewares is the order of refusals: headers and flow id
 * around all, then 404 for a path that nothing stands at, 405, 415, 413; the endpoints add 401, 403, 400 and what
 * they find themselves.
 */
export function buildApp(parts: AppParts): App {
  const app: App = new OpenAPIHono<AppEnvironment>({
    strict: true,
    defaultHook: (result, c) =>
      result.success ? undefined : refuse(c, validationRefusal(result.error.issues)),
  });
  app.use(async (c, next) => {
    c.set('baseUrl', parts.baseUrl);
    c.set(
      'flowId',
      flowIdOf(c.req.header(FLOW_ID_HEADER), () => parts.world.mint.uuid()),
    );
    await next();
    for (const [name, value] of Object.entries(SECURITY_HEADERS)) c.header(name, value);
    if (!c.res.headers.has('cache-control')) c.header('Cache-Control', CACHE_CONTROL_STANDARD);
    c.header(FLOW_ID_HEADER, c.get('flowId'));
  });
  refuseMethods(app);
  app.use(async (c, next) => {
    const alsoTaken = parts.alsoTaken[c.req.path] ?? [];
    const body = await takeBody(c.req.raw, { maximumBytes: httpLimits.bodyBytes, alsoTaken });
    if ('problem' in body) return refuse(c, body);
    c.set('body', body);
    return next();
  });
  app.notFound((c) => refuse(c, problem('resource-not-found', `Nothing stands at ${quote(c.req.path)}.`)));
  app.onError((error, c) => answerFailure(parts, error, c));
  return app;
}

/** 404 for an unknown path, 405 for an unknown method of a known one. */
function refuseMethods(app: App): void {
  let methodsOf: ReturnType<typeof methodTable> | undefined;
  app.use(async (c, next) => {
    // Only now are all endpoints there.
    methodsOf ??= methodTable(app.routes.filter((route) => route.method !== 'ALL'));
    const methods = methodsOf(c.req.path);
    if (methods.length === 0) return c.notFound();
    if (methods.includes(c.req.method)) return next();
    const allow = methods.join(', ');
    return refuse(c, problem('method-not-allowed', `This resource has: ${allow}.`), { Allow: allow });
  });
}

/** What nobody foresaw: told to the operator with the flow id, to the caller without any of its inside. */
function answerFailure(parts: AppParts, error: Error, c: AppContext): Response {
  if (error instanceof HTTPException && error.status === 400)
    return refuse(c, problem('validation-error', 'The request cannot be read.'));
  parts.world.log.error(
    {
      flowId: c.get('flowId'),
      method: c.req.method,
      path: c.req.path,
      error: `${error.name}: ${error.message}`,
      stack: error.stack,
    },
    'a request failed inside the service',
  );
  return refuse(c, problem('internal-server-error', 'The service failed. Give the flow_id to support.'));
}
