import type { MiddlewareHandler } from 'hono';
import { type BearerParts, identify, lacking, type Requirement } from '../access/bearer.ts';
import { type AppContext, type AppEnvironment, refuse } from './environment.ts';
import type { Quota } from './quota.ts';

/**
 * Makes the middleware of an endpoint: 401 without a right token, 403 without scope or permission, 429 beyond the
 * quota. Every call with a right token counts, and is told how many are left.
 */
export type Authorize = (requirement: Requirement) => MiddlewareHandler<AppEnvironment>;

/** What each of these middlewares demands, for the OpenAPI document. */
const DEMANDS = new WeakMap<object, Requirement>();

/** What a middleware made by `Authorize` demands; undefined for any other. */
export function requirementOf(middleware: object): Requirement | undefined {
  return DEMANDS.get(middleware);
}

export function makeAuthorize(parts: BearerParts, quota: Quota): Authorize {
  return (requirement) => {
    const middleware: MiddlewareHandler<AppEnvironment> = async (c, next) => {
      const caller = await identify(parts, c.req.header('authorization'));
      if ('refusal' in caller) return refuse(c, caller.refusal, { 'WWW-Authenticate': caller.authenticate });
      const { headers, refusal } = quota(caller.clientId);
      const challenge = lacking(caller, requirement);
      if (challenge !== undefined)
        return refuse(c, challenge.refusal, { ...headers, 'WWW-Authenticate': challenge.authenticate });
      if (refusal !== undefined) return refuse(c, refusal.refusal, { ...headers, ...refusal.headers });
      c.set('caller', caller);
      await next();
      addHeaders(c, headers);
      return undefined;
    };
    DEMANDS.set(middleware, requirement);
    return middleware;
  };
}

function addHeaders(c: AppContext, headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) c.header(name, value);
}
