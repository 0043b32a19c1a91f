import type { MiddlewareHandler } from 'hono';
import { matchedRoutes } from 'hono/route';
import type { World } from '../../../world/world.ts';
import type { ServiceReadiness } from '../../monitoring/health.ts';
import type { Metrics } from '../../monitoring/metrics.ts';
import type { App } from '../app.ts';
import type { AppEnvironment } from '../environment.ts';

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

export const METRICS_PATH = '/metrics';

/** Prometheus's text-based format (https://prometheus.io/docs/instrumenting/exposition_formats/). */
const TEXT_FORMAT = 'text/plain; version=0.0.4; charset=utf-8';

/**
 * GET /metrics, without a token and without a quota: a page for the operator, not an operation of the API, so
 * the document does not have it. It contains no vehicle, no fleet and no secret.
 */
export function metricsRoutes(app: App, text: () => Promise<string>): void {
  app.get(METRICS_PATH, async (c) =>
    c.body(await text(), 200, { 'Content-Type': TEXT_FORMAT, 'Cache-Control': 'no-store' }),
  );
}

/** Wraps the whole application: measures each answer by its route. */
export function watchRequests(
  time: World['time'],
  metrics: Pick<Metrics, 'answered'>,
): MiddlewareHandler<AppEnvironment> {
  return async (c, next) => {
    const fromMs = time.nowMs();
    await next();
    // Routes for ALL are middlewares. An unknown path must not become a label.
    const route = matchedRoutes(c).findLast(({ method }) => method !== 'ALL')?.path ?? 'none';
    metrics.answered(route, c.res.status, (time.nowMs() - fromMs) / 1_000);
  };
}
