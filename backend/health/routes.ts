import type { App } from '../http/app.ts';
import type { Readiness } from './health.ts';

export const HEALTH_PATH = '/health';

/**
 * GET /health, /health/live and /health/ready, without a token and without a quota: for whoever runs the service, so
 * the document has them not. Live: the process answers. Ready: 200 while it does its work (degraded too), else 503
 * with the reasons.
 */
export function healthRoutes(app: App, ready: () => Promise<Readiness>): void {
  const live = { status: 'live' };
  const headers = { 'Cache-Control': 'no-store' };
  const statusOf = ({ status }: Readiness) => (status === 'not-ready' ? 503 : 200);
  app.get(`${HEALTH_PATH}/live`, (c) => c.json(live, 200, headers));
  app.get(`${HEALTH_PATH}/ready`, async (c) => {
    const readiness = await ready();
    return c.json(readiness, statusOf(readiness), headers);
  });
  app.get(HEALTH_PATH, async (c) => {
    const readiness = await ready();
    return c.json({ live, ready: readiness }, statusOf(readiness), headers);
  });
}
