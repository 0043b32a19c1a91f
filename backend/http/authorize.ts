import type { MiddlewareHandler } from 'hono';
import { type BearerParts, identify, missingAccess, type Requirement } from '../access/bearer.ts';
import { type AppContext, type AppEnvironment, refuse } from './environment.ts';
import type { Quota } from './quota.ts';

/**
 * Creates the middleware of an endpoint: 401 without a valid token, 403 without scope or permission, 429
 * beyond the quota. Every call with a valid token counts, and its answer says how many are left.
 */
export type Authorize = (requirement: Requirement) => MiddlewareHandler<AppEnvironment>;

/** The requirement of each of these middlewares, for the OpenAPI document. */
const REQUIREMENTS = new WeakMap<object, Requirement>();

/** The requirement of a middleware made by `Authorize`; undefined for any other. */
export function requirementOf(middleware: object): Requirement | undefined {
  return REQUIREMENTS.get(middleware);
}

export function makeAuthorize(parts: BearerParts, quota: Quota): Authorize {
  return (requirement) => {
    const middleware: MiddlewareHandler<AppEnvironment> = async (c, next) => {
      const caller = await identify(parts, c.req.header('authorization'));
      if ('refusal' in caller) return refuse(c, caller.refusal, { 'WWW-Authenticate': caller.authenticate });
      const counted = quota(caller.clientId);
      const { headers, refusal } = counted instanceof Promise ? await counted : counted;
      const challenge = missingAccess(caller, requirement);
      if (challenge !== undefined)
        return refuse(c, challenge.refusal, { ...headers, 'WWW-Authenticate': challenge.authenticate });
      if (refusal !== undefined) return refuse(c, refusal.refusal, { ...headers, ...refusal.headers });
      c.set('caller', caller);
      await next();
      addHeaders(c, headers);
      return undefined;
    };
    REQUIREMENTS.set(middleware, requirement);
    return middleware;
  };
}

function addHeaders(c: AppContext, headers: Readonly<Record<string, string>>): void {
  // In place: `c.header` makes a new Response for each header of one that is there.
  for (const [name, value] of Object.entries(headers)) c.res.headers.set(name, value);
}
