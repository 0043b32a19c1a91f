import type { App } from '../http/app.ts';
import type { ServiceReadiness } from './health.ts';

export const HEALTH_PATH = '/health';

/**
 * GET /health, /health/live and /health/ready, without a token and without a quota: for the operator, so the
 * document does not have them. Live: the process answers. Ready: 200 while it works (degraded too), else 503
 * with the reasons.
 */
export function healthRoutes(app: App, ready: () => Promise<ServiceReadiness>): void {
  const live = { status: 'live' };
  const headers = { 'Cache-Control': 'no-store' };
  const statusOf = ({ status }: ServiceReadiness) => (status === 'not-ready' ? 503 : 200);
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
