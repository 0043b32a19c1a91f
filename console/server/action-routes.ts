import type { Hono } from 'hono';
import { z } from 'zod';
import { jsonBody } from '../../simulator/http/guard.ts';
import { problemResponse } from '../../simulator/http/refusal.ts';
import { jsonObject } from '../../world/json.ts';
import type { Time } from '../../world/time/time.ts';
import { limits } from '../limits.ts';
import type { DeadZones } from './dead-zones.ts';
import { calledRequest } from './service-calls.ts';
import type { SessionRecord } from './session-record.ts';
import { type ConsoleSources, controlRequest, type ServiceCaller } from './sources.ts';

/** The targets of the page's actions. Each action is recorded in `session`. */
export interface ActionParts {
  readonly time: Time;
  readonly control: ConsoleSources['control'];
  /** Undefined: there is no service. */
  readonly caller: ServiceCaller | undefined;
  readonly session: SessionRecord;
  readonly zones: DeadZones;
}

/** The actions of the page: acts on a vehicle, calls of the API, weather, faults and dead zones. */
export function actionRoutes(app: Hono, parts: ActionParts): void {
  vehicleActions(app, parts);
  faultActions(app, parts);
  zoneActions(app, parts.zones);
}

function vehicleActions(app: Hono, { time, control, caller, session }: ActionParts): void {
  app.post('/console/vehicles/:boxId/acts/:act', async (c) => {
    const read = await jsonBody(c.req.raw);
    if ('refusal' in read) return problemResponse(read.refusal);
    const { boxId, act } = c.req.param();
    const note = await session.beforeAct(boxId, act, read.body);
    const answer = await control(
      controlRequest(`/boxes/${encodeURIComponent(boxId)}/${encodeURIComponent(act)}`, 'POST', read.body),
    );
    if (answer.ok) note();
    return answer;
  });
  app.post('/console/calls', async (c) => {
    if (caller === undefined)
      return problemResponse({ status: 409, detail: 'This fleet runs without a service.' });
    // A bulk job of the whole fleet is larger than what the simulator accepts.
    const read = await jsonBody(c.req.raw, limits.bodyBytes);
    if ('refusal' in read) return problemResponse(read.refusal);
    const called = await calledRequest({ time, caller, session }, read.body);
    return 'status' in called && 'detail' in called ? problemResponse(called) : c.json(called);
  });
}

/** Weather of the fleet, and faults in the words of the scenario language. */
function faultActions(app: Hono, { control, session }: ActionParts): void {
  app.get('/console/weather', () => control(controlRequest('/weather')));
  app.post('/console/weather', async (c) => {
    const read = await jsonBody(c.req.raw);
    if ('refusal' in read) return problemResponse(read.refusal);
    const answer = await control(controlRequest('/weather', 'PUT', read.body));
    if (answer.ok) session.fleetWeather(read.body);
    return answer;
  });
  app.get('/console/faults', () => control(controlRequest('/faults')));
  app.post('/console/faults', async (c) => {
    const read = await jsonBody(c.req.raw, limits.bodyBytes);
    if ('refusal' in read) return problemResponse(read.refusal);
    const { on, ...wish } = jsonObject(read.body);
    const note = await session.beforeFault(Array.isArray(on) ? on.map(String) : undefined, wish);
    const answer = await control(controlRequest('/faults', 'POST', read.body));
    if (!answer.ok) return answer;
    const applied = jsonObject(await answer.json());
    // A fault that happens at once has no id, and is never removed.
    note(String(applied['id'] ?? ''));
    return c.json(applied, answer.status === 201 ? 201 : 200);
  });
  app.post('/console/faults/:id/remove', async (c) => {
    const id = c.req.param('id');
    const answer = await control(controlRequest(`/faults/${encodeURIComponent(id)}`, 'DELETE'));
    if (answer.ok) session.faultRemoved(id);
    return answer;
  });
}

const point = z.strictObject({
  latitude: z.number().min(-85).max(85),
  longitude: z.number().min(-180).max(180),
});
const shape = z.union([
  z.strictObject({ around: point, radiusM: z.number().min(1).max(limits.zoneRadiusM) }),
  z.strictObject({ polygon: z.array(point).min(3).max(limits.zoneCorners) }),
]);

function zoneActions(app: Hono, zones: DeadZones): void {
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
    const added = zones.add(parsed.data);
    return added === undefined
      ? problemResponse({ status: 409, detail: `There are ${limits.zones} zones already. Remove one first.` })
      : c.json(added);
  });
  app.post('/console/zones/:id/remove', async (c) =>
    (await zones.remove(c.req.param('id')))
      ? c.json({})
      : problemResponse({ status: 404, detail: `There is no zone ${JSON.stringify(c.req.param('id'))}.` }),
  );
}
