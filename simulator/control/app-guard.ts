import type { Context, Hono } from 'hono';
import { type ControlHosts, originRefusal } from '../http/guard.ts';
import { ANSWER_HEADERS, problemResponse } from '../http/refusal.ts';

/** Refuses requests of other origins, and forbids browsers to store answers or to show them in frames. */
export function guardOrigin(app: Hono, hosts: ControlHosts): void {
  app.use(async (c, next) => {
    const refusal = originRefusal(c.req.raw, hosts);
    if (refusal !== undefined) return problemResponse(refusal);
    await next();
    for (const [name, value] of Object.entries(ANSWER_HEADERS)) c.res.headers.set(name, value);
    await endUnreadBody(c);
    return undefined;
  });
}

/** Ends the body of the answer to a HEAD, which nobody reads: a stream would stay open. */
export async function endUnreadBody(c: Context): Promise<void> {
  if (c.req.method === 'HEAD') await c.res.body?.cancel();
}
