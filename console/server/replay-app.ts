import { Hono } from 'hono';
import type { IdGenerator } from '../../world/ids/ids.ts';
import { makePageGuard } from './page-guard.ts';
import { guardPage, type PageFile, servePage } from './page-routes.ts';
import { branchRoute } from './scenario-routes.ts';
import { type ServedTrace, traceResponse } from './served-trace.ts';

/** Serves the replay of one trace, and nothing else: there is neither fleet nor service behind it. */
export function replayApp(parts: {
  readonly ids: Pick<IdGenerator, 'secret'>;
  readonly trace: ServedTrace;
  readonly page: (path: string) => Promise<PageFile | undefined>;
}): Hono {
  const { ids, trace, page } = parts;
  const guard = makePageGuard(ids.secret(24), 'loopback');
  const app = new Hono();
  guardPage(app, guard);
  app.get('/console/trace', (c) => traceResponse(trace, c.req.method));
  branchRoute(app);
  servePage(app, guard, page, 'replay.html');
  return app;
}
