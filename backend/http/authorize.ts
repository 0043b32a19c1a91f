import type { MiddlewareHandler } from 'hono';
import { type BearerParts, identify, lacking, type Requirement } from '../access/bearer.ts';
import { type AppEnvironment, refuse } from './environment.ts';

/** Makes the middleware of an endpoint: 401 without a right token, 403 without scope or permission. */
export type Authorize = (requirement: Requirement) => MiddlewareHandler<AppEnvironment>;

export function makeAuthorize(parts: BearerParts): Authorize {
  return (requirement) => async (c, next) => {
    const caller = await identify(parts, c.req.header('authorization'));
    if ('refusal' in caller) return refuse(c, caller.refusal, { 'WWW-Authenticate': caller.authenticate });
    const challenge = lacking(caller, requirement);
    if (challenge !== undefined)
      return refuse(c, challenge.refusal, { 'WWW-Authenticate': challenge.authenticate });
    c.set('caller', caller);
    return next();
  };
}
