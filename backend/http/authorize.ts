import type { MiddlewareHandler } from 'hono';
import { type BearerParts, identify, missingAccess, type Requirement } from '../access/bearer.ts';
import { type AppEnvironment, refuse, setHeaders } from './environment.ts';
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
      c.set('answerHeaders', { ...c.get('answerHeaders'), ...headers });
      await next();
      setHeaders(c, headers);
      return undefined;
    };
    REQUIREMENTS.set(middleware, requirement);
    return middleware;
  };
}
