import type { MiddlewareHandler } from 'hono';
import { matchedRoutes } from 'hono/route';
import type { World } from '../../world/world.ts';
import type { App } from '../http/app.ts';
import type { AppEnvironment } from '../http/environment.ts';
import type { Metrics } from './metrics.ts';

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
