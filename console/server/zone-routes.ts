import type { Hono } from 'hono';
import { z } from 'zod';
import { jsonBody } from '../../simulator/control/guard.ts';
import { problemResponse } from '../../simulator/control/refusal.ts';
import { limits } from '../limits.ts';
import type { DeadZones } from './dead-zones.ts';

const point = z.strictObject({
  latitude: z.number().min(-85).max(85),
  longitude: z.number().min(-180).max(180),
});
const shape = z.union([
  z.strictObject({ around: point, radiusM: z.number().min(1).max(limits.zoneRadiusM) }),
  z.strictObject({ polygon: z.array(point).min(3).max(limits.zoneCorners) }),
]);

/** Lists, lays and lifts dead zones. */
export function zoneRoutes(app: Hono, zones: DeadZones): void {
  app.get('/console/zones', (c) => c.json(zones.zones));
  app.post('/console/zones', async (c) => {
    const read = await jsonBody(c.req.raw);
    if ('refusal' in read) return problemResponse(read.refusal);
    const parsed = shape.safeParse(read.body);
    if (!parsed.success)
      return problemResponse({
        status: 400,
        detail: `A zone is a circle (around, radiusM up to ${limits.zoneRadiusM}) or a polygon of 3 to ${limits.zoneCorners} corners.`,
      });
    const laid = zones.lay(parsed.data);
    return laid === undefined
      ? problemResponse({ status: 409, detail: `There are ${limits.zones} zones already. Lift one first.` })
      : c.json(laid);
  });
  app.post('/console/zones/:id/lift', async (c) =>
    (await zones.lift(c.req.param('id')))
      ? c.json({})
      : problemResponse({ status: 404, detail: `There is no zone ${JSON.stringify(c.req.param('id'))}.` }),
  );
}
