import { OpenAPIHono } from '@hono/zod-openapi';
import type { MiddlewareHandler } from 'hono';
import { HTTPException } from 'hono/http-exception';
import { LIMITS } from '../../contract/limits.ts';
import { problem, type Refusal } from '../../contract/problems.ts';
import { SECURITY_HEADERS } from '../../contract/security-headers.ts';
import type { World } from '../../world/world.ts';
import { type Body, bodyText, emptyBody, JSON_TYPE, takeBody } from '../base/body.ts';
import { quote } from '../base/quoted-text.ts';
import { validationRefusal } from '../base/validation.ts';
import type { Operator, RequestFailure } from '../monitoring/operator.ts';
import { StoreFailed } from '../store/port/store.ts';
import { allowOrigins } from './cross-origin.ts';
import { type AppContext, type AppEnvironment, isBodiless, refuse, setHeaders } from './environment.ts';
import { FLOW_ID_HEADER, flowIdOf } from './flow-id.ts';
import { PublicError } from './problem.ts';
import { CACHE_CONTROL_STANDARD, CONTENT_SECURITY_STANDARD } from './security-headers.ts';

/** Marks a body that is not UTF-8. */
const NO_JSON = '\ufffd';

const UNLESS_SET = {
  'Content-Security-Policy': CONTENT_SECURITY_STANDARD,
  'Cache-Control': CACHE_CONTROL_STANDARD,
};

export type App = OpenAPIHono<AppEnvironment>;

export interface AppParts {
  readonly world: Pick<World, 'ids'>;
  /** Called for every 500. */
  readonly operator: Pick<Operator, 'failed'>;
  readonly baseUrl: string;
  /** Origins whose pages may call it from a browser. */
  readonly corsOrigins?: readonly string[] | undefined;
  /** Wraps every request, refusals and failures included. */
  readonly around?: MiddlewareHandler<AppEnvironment> | undefined;
  /** Media types accepted besides JSON, by path. */
  readonly alsoTaken: Readonly<Record<string, readonly string[]>>;
  /** Paths whose bodies may be larger or must be smaller than others', in bytes. */
  readonly bodyBytes?: Readonly<Record<string, number>>;
}

/**
 * An application without endpoints. The order of its middlewares is the order of refusals: headers, flow id and CORS
 * around all, then 404 for a path without a resource, 405, 415, 413; the endpoints add 401, 403, 400 and their own
 * refusals.
 */
export function buildApp(parts: AppParts): App {
  const app: App = new OpenAPIHono<AppEnvironment>({
    strict: true,
    defaultHook: (result, c) =>
      result.success
        ? undefined
        : refuse(
            c,
            validationRefusal(
              result.error.issues,
              result.target === 'json' ? 'property' : 'parameter',
              result.target === 'query' ? repeatedParameters(c) : [],
            ),
          ),
  });
  if (parts.around !== undefined) app.use(parts.around);
  app.use(async (c, next) => {
    c.set('baseUrl', parts.baseUrl);
    const flowId = flowIdOf(c.req.header(FLOW_ID_HEADER), () => parts.world.ids.uuid());
    c.set('flowId', flowId);
    const always = { ...SECURITY_HEADERS, [FLOW_ID_HEADER]: flowId };
    c.set('answerHeaders', { ...UNLESS_SET, ...always });
    await next();
    if (c.res.status === 500) parts.operator.failed(failureOf(c));
    if (c.get('headed') === c.res) return;
    const { headers } = c.res;
    for (const [name, value] of Object.entries(UNLESS_SET)) if (!headers.has(name)) headers.set(name, value);
    setHeaders(c, always);
  });
  const { corsOrigins = [] } = parts;
  if (corsOrigins.length > 0) app.use(allowOrigins(corsOrigins));
  refuseMethods(app);
  app.use(async (c, next) => {
    // A body has no meaning there (RFC 9110 section 9.3.1), and neither have headers about it.
    if (c.req.method === 'GET' || c.req.method === 'HEAD') {
      c.set('body', { bytes: new Uint8Array(0), mediaType: '' });
      return next();
    }
    const alsoTaken = parts.alsoTaken[c.req.path] ?? [];
    const maximumBytes = parts.bodyBytes?.[c.req.path] ?? LIMITS.request.bodyBytes;
    // Reading makes the platform's own Request and a stream of the adapter's, and so does another Request: most commands
    // have nothing to read, and nothing has been read then.
    if (isBodiless(c)) {
      const { headers } = c.req.raw;
      c.set('body', emptyBody(headers));
      headers.set('content-type', JSON_TYPE);
      return next();
    }
    const body = await takeBody(c.req.raw, { maximumBytes, alsoTaken });
    if ('problem' in body) return refuse(c, body);
    c.set('body', body);
    c.req.raw = forValidators(c.req, body);
    return next();
  });
  app.notFound((c) =>
    refuse(c, problem('resource-not-found', `There is no resource at ${quote(c.req.path)}.`)),
  );
  app.onError((error, c) => answerFailure(error, c));
  return app;
}

/**
 * The request for the validators of the routes: the stream itself has been read, even if it was empty. The media type
 * has been checked by now, so they get the one that was recognised: they parse the header more strictly (RFC 9110
 * section 8.3.1 allows `application/json ; charset=utf-8`), and an empty body is right under any type.
 */
function forValidators({ method, url, raw }: AppContext['req'], { bytes, mediaType }: Body): Request {
  const isEmpty = bytes.byteLength === 0;
  const headers = new Headers(raw.headers);
  headers.set('content-type', isEmpty ? JSON_TYPE : mediaType);
  const text = bodyText(bytes);
  // From its parts: the platform's Request constructor does not accept a server's own kind of Request.
  return new Request(url, { method, headers, ...(isEmpty ? {} : { body: text.ok ? text.value : NO_JSON }) });
}

function repeatedParameters(c: AppContext): readonly string[] {
  return Object.entries(c.req.queries()).flatMap(([name, values]) => (values.length > 1 ? [name] : []));
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
    return refuse(c, problem('method-not-allowed', `This resource supports: ${allow}.`), { Allow: allow });
  });
}

/**
 * Unexpected errors: the answer discloses nothing of their cause, except that a database or a remote service failed.
 */
function answerFailure(error: Error, c: AppContext): Response {
  if (error instanceof HTTPException && error.status === 400)
    return refuse(c, problem('validation-error', 'The body must be JSON, in UTF-8, and not empty.'));
  if (error instanceof PublicError) return refuse(c, problem('internal-server-error', error.detail));
  if (error instanceof StoreFailed)
    return refuse(
      c,
      problem('internal-server-error', READS.has(c.req.method) ? STORE_FAILED : STORE_IN_DOUBT),
    );
  return refuse(c, problem('internal-server-error', 'The service failed. Give the flow_id to support.'));
}

const READS: ReadonlySet<string> = new Set(['GET', 'HEAD']);
const STORE_FAILED = 'The database of the service does not answer or refuses. Give the flow_id to support.';
/** Only the answer of a commit may be lost. */
const STORE_IN_DOUBT =
  'The database of the service does not answer or refuses: what was asked for may have been done. Give the flow_id to support.';

/** A request that was answered with 500, whether an error was thrown or a route answered so. */
function failureOf(c: AppContext): RequestFailure {
  const refusal: Refusal | undefined = c.get('refusal');
  return {
    flowId: c.get('flowId'),
    method: c.req.method,
    path: c.req.path,
    problem: refusal?.problem ?? 'internal-server-error',
    error: c.error === undefined ? (refusal?.detail ?? '') : `${c.error.name}: ${c.error.message}`,
    stack: c.error?.stack,
  };
}

/** One endpoint: a method and a path in the router's form, `/vehicles/:id`. */
interface PathRow {
  readonly method: string;
  readonly path: string;
}

/**
 * Finds the methods of a path. A path that a parameter matches as well as a fixed segment counts as the fixed one,
 * as in the router. GET brings HEAD (RFC 9110 section 9.3.2).
 */
export function methodTable(rows: readonly PathRow[]): (path: string) => readonly string[] {
  const fixed = new Map<string, Set<string>>();
  const patterns = new Map<string, { readonly expression: RegExp; readonly methods: Set<string> }>();
  for (const { method, path } of rows) {
    const methods = path.includes(':')
      ? (patterns.get(path)?.methods ?? new Set<string>())
      : (fixed.get(path) ?? new Set<string>());
    methods.add(method.toUpperCase());
    if (method.toUpperCase() === 'GET') methods.add('HEAD');
    if (path.includes(':')) patterns.set(path, { expression: expressionOf(path), methods });
    else fixed.set(path, methods);
  }
  return (path) => {
    const known = fixed.get(path);
    if (known !== undefined) return [...known];
    for (const { expression, methods } of patterns.values()) if (expression.test(path)) return [...methods];
    return [];
  };
}

/** `/vehicles/:id` → `^/vehicles/[^/]+$` */
function expressionOf(path: string): RegExp {
  const source = path
    .split('/')
    .map((part) => (part.startsWith(':') ? '[^/]+' : part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')))
    .join('/');
  return new RegExp(`^${source}$`);
}
