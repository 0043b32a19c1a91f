import { Hono } from 'hono';
import { z } from 'zod';
import { problemResponse } from '../http/refusal.ts';
import { controlLimits } from '../limits.ts';
import { type Coverage, csqOf } from '../radio/coverage.ts';
import { limits as radioLimits } from '../radio/limits.ts';
import type { Route } from '../routes/route.ts';

/** Routes and radio coverage. */
export interface ControlMap {
  readonly routes: ReadonlyMap<string, Route>;
  /** Undefined: there is a network everywhere (`--radio ideal`). */
  readonly coverage: Coverage | undefined;
}

/** The description of this part in the control API. */
export const MAP_DESCRIPTION = {
  'GET /routes': 'The routes that can be driven, as lines: latitude and longitude of their corners.',
  'GET /coverage':
    'The mobile network in a rectangle, ?west=13.3&south=52.4&east=13.5&north=52.6&columns=40&rows=30: the +CSQ of the usual antenna in the middle of each cell, row by row from the north; -1 where a vehicle that drives has no network.',
} as const;

const latitude = z.coerce.number().min(-85).max(85);
const longitude = z.coerce.number().min(-180).max(180);
const rectangle = z.object({
  west: longitude,
  south: latitude,
  east: longitude,
  north: latitude,
  columns: z.coerce.number().int().min(1).max(controlLimits.coverageCells),
  rows: z.coerce.number().int().min(1).max(controlLimits.coverageCells),
});

/** The routes and the mobile network. */
export function mapRoutes({ routes, coverage }: ControlMap): Hono {
  const app = new Hono();
  app.get('/routes', (c) =>
    c.json({
      items: [...routes.values()].map(({ name, corners }) => ({
        name,
        places: [...corners, ...corners.slice(0, 1)].map(({ place }) => [place.latitude, place.longitude]),
      })),
    }),
  );
  app.get('/coverage', (c) => {
    if (coverage === undefined)
      return problemResponse({
        status: 409,
        detail: 'There is a network everywhere: the fleet was started with --radio ideal.',
      });
    const parsed = rectangle.safeParse(c.req.query());
    if (!parsed.success) {
      const [issue] = parsed.error.issues;
      return problemResponse({ status: 400, detail: `${issue?.path.join('.')}: ${issue?.message}.` });
    }
    const { west, south, east, north, columns, rows } = parsed.data;
    if (west >= east || south >= north)
      return problemResponse({
        status: 400,
        detail: 'west must be less than east, and south less than north.',
      });
    if (columns * rows > controlLimits.coverageCells)
      return problemResponse({
        status: 400,
        detail: `At most ${controlLimits.coverageCells} cells at a time.`,
      });
    const csq = Array.from({ length: columns * rows }, (_, index) => {
      const column = index % columns;
      const row = Math.floor(index / columns);
      const level = coverage.levelDbm({
        latitude: north - ((row + 0.5) / rows) * (north - south),
        longitude: west + ((column + 0.5) / columns) * (east - west),
      });
      return level < radioLimits.leastDbm ? -1 : csqOf(level);
    });
    return c.json({ columns, rows, csq });
  });
  for (const path of ['/routes', '/coverage'])
    app.all(path, () => problemResponse({ status: 405, detail: 'Use GET here.', allow: 'GET' }));
  return app;
}
