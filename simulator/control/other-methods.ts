import type { Hono } from 'hono';
import { problemResponse } from '../http/refusal.ts';

/**
 * Refuses, at every path of this application, the methods that it has no route for: 405 with Allow (RFC 9110 section
 * 15.5.6). It reads the routes that are there, so it comes after them.
 */
export function refuseOtherMethods(app: Hono): void {
  const allowed = new Map<string, Set<string>>();
  for (const { path, method } of app.routes)
    if (method !== 'ALL') allowed.set(path, (allowed.get(path) ?? new Set()).add(method));
  for (const [path, methods] of allowed)
    app.all(path, () =>
      problemResponse({
        status: 405,
        detail: `Use ${[...methods].join(' or ')} here.`,
        allow: [...methods].join(', '),
      }),
    );
}
