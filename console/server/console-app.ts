import { Hono } from 'hono';
import { fieldBytes } from '../../protocol/codec/field-bytes.ts';
import { decodePayload } from '../../protocol/codec/frame.ts';
import type { ControlHosts } from '../../simulator/control/guard.ts';
import { jsonBody } from '../../simulator/control/guard.ts';
import { problemResponse } from '../../simulator/control/refusal.ts';
import type { World } from '../../world/world.ts';
import { limits } from '../limits.ts';
import type { ConsoleFacts } from '../stream/console-facts.ts';
import type { MapBase } from '../stream/map-base.ts';
import { DeadZones } from './dead-zones.ts';
import { eventStream } from './event-stream.ts';
import { faultRoutes } from './fault-routes.ts';
import { FleetWatch } from './fleet-watch.ts';
import { healthOf } from './health-reading.ts';
import { type MapArchive, mapArchiveRoute } from './map-archive.ts';
import { type MessageFeed, MessageWatch } from './message-watch.ts';
import { makePageGuard } from './page-guard.ts';
import { guardPage, type PageFile, servePage } from './page-routes.ts';
import { branchRoute, type ScenarioBench, scenarioRoutes } from './scenario-routes.ts';
import { calledRequest } from './service-calls.ts';
import { SessionRecord } from './session-record.ts';
import { sessionScenario } from './session-scenario.ts';
import { type ConsoleSources, controlRequest, makeControlReader, ServiceCaller } from './sources.ts';
import { streetsOf } from './streets.ts';
import { pictureOf } from './vehicle-picture.ts';
import { makeWorkbench } from './workbench.ts';
import { zoneRoutes } from './zone-routes.ts';

export interface ConsoleParts {
  readonly world: Pick<World, 'time' | 'ids'>;
  readonly sources: ConsoleSources;
  readonly seed: number;
  /** Undefined: nobody publishes messages. */
  readonly messages: MessageFeed | undefined;
  /** Undefined: scenarios are not run from here. */
  readonly scenarios?: ScenarioBench | undefined;
  /** What the map shows below the vehicles; absent: the streets of the routes alone. */
  readonly map?: { readonly base: MapBase; readonly archive?: MapArchive } | undefined;
  /** A file of the page by its path (`index.html`, `assets/index-1f2e.js`); undefined: there is none. */
  readonly page: (path: string) => Promise<PageFile | undefined>;
  /** By which names it may be asked: where it has a password, by any. */
  readonly hosts: ControlHosts;
}

/** The server's application. `end` gives back what it has at the broker for messages. */
export interface Console {
  readonly app: Hono;
  end(): Promise<void>;
}

/**
 * The console's own HTTP server: the page, and below `/console/` what the page asks for. It speaks to the control API
 * and to the public API as any client would, so that the page holds no secret.
 */
export function consoleApp(parts: ConsoleParts): Console {
  const { world, sources, page } = parts;
  const { time } = world;
  const guard = makePageGuard(world.ids.secret(24), parts.hosts);
  const control = makeControlReader(sources);
  const caller = sources.service === undefined ? undefined : new ServiceCaller(time, sources.service);
  const watch = new FleetWatch(time, control);
  const messages = parts.messages === undefined ? undefined : new MessageWatch(time, parts.messages);
  const session = new SessionRecord(time, control);
  const zones = new DeadZones(time, watch, async (boxId, available) => {
    if (!available) await session.meet(boxId);
    await sources.control(controlRequest(`/boxes/${boxId}/coverage`, 'POST', { available }));
  });
  const workbench = makeWorkbench(control, caller);
  const app = new Hono();

  const base: MapBase = parts.map?.base ?? { kind: 'plain' };
  guardPage(app, guard, base);

  app.get('/console/facts', (c) =>
    c.json({
      seed: parts.seed,
      service: caller?.baseUrl ?? null,
      hasMessages: messages !== undefined,
      nowMs: time.nowMs(),
      map: base,
    } satisfies ConsoleFacts),
  );
  app.get('/console/streets', async (c) => c.json(await streetsOf(control)));
  app.get('/console/coverage', (c) =>
    sources.control(controlRequest(`/coverage${new URL(c.req.url).search}`)),
  );
  if (parts.map?.archive !== undefined) mapArchiveRoute(app, parts.map.archive);
  app.get('/console/fleet', (c) => {
    let look = 0;
    const next = async () => {
      const news = await watch.newsAfter(look);
      look = news.look;
      return news.changes;
    };
    return eventStream(time, 'fleet', next, { signal: c.req.raw.signal });
  });
  app.get('/console/messages', (c) => {
    if (messages === undefined)
      return problemResponse({
        status: 409,
        detail: 'There are no messages here: there is no broker for them.',
      });
    const leave = messages.enter();
    const next = messages.reader(c.req.query('vehicle'));
    return eventStream(time, 'messages', next, { signal: c.req.raw.signal, leave });
  });
  app.get('/console/health', async (c) => c.json(await healthOf(time, caller)));
  app.get('/console/workbench', async (c) => c.json(await workbench()));
  app.get('/console/vehicles/:boxId', async (c) => {
    const found = await pictureOf(c.req.param('boxId'), { time, sources, caller });
    return found instanceof Response ? found : c.json(found);
  });
  app.get('/console/vehicles/:boxId/wire', (c) =>
    sources.control(controlRequest(`/boxes/${encodeURIComponent(c.req.param('boxId'))}/wire`)),
  );
  // For the frame that somebody opens: it takes some milliseconds, too long for every frame that passes.
  app.get('/console/frame-bytes/:hex', (c) => {
    const bytes = Uint8Array.from(c.req.param('hex').match(/[0-9a-f]{2}/g) ?? [], (byte) =>
      Number.parseInt(byte, 16),
    );
    const [frame] = decodePayload(bytes).frames;
    return c.json(frame === undefined ? [] : fieldBytes(frame).map((range) => range ?? null));
  });
  app.post('/console/vehicles/:boxId/acts/:act', async (c) => {
    const read = await jsonBody(c.req.raw);
    if ('refusal' in read) return problemResponse(read.refusal);
    const { boxId, act } = c.req.param();
    const note = await session.beforeAct(boxId, act, read.body);
    const answer = await sources.control(
      controlRequest(`/boxes/${encodeURIComponent(boxId)}/${encodeURIComponent(act)}`, 'POST', read.body),
    );
    if (answer.ok) note();
    return answer;
  });
  app.post('/console/calls', async (c) => {
    if (caller === undefined)
      return problemResponse({ status: 409, detail: 'There is no service beside this fleet.' });
    // A bulk job of the whole fleet is larger than what the simulator takes.
    const read = await jsonBody(c.req.raw, limits.bodyBytes);
    if ('refusal' in read) return problemResponse(read.refusal);
    const called = await calledRequest({ time, caller, session }, read.body);
    return 'status' in called && 'detail' in called ? problemResponse(called) : c.json(called);
  });
  app.get('/console/weather', () => sources.control(controlRequest('/weather')));
  app.post('/console/weather', async (c) => {
    const read = await jsonBody(c.req.raw);
    if ('refusal' in read) return problemResponse(read.refusal);
    const answer = await sources.control(controlRequest('/weather', 'PUT', read.body));
    if (answer.ok) session.fleetWeather(read.body);
    return answer;
  });
  app.get('/console/session', (c) => {
    const { done, met } = session;
    return c.json(sessionScenario({ done, met, zones: zones.laid, nowMs: time.nowMs() }, parts.seed));
  });
  zoneRoutes(app, zones);
  faultRoutes(app, sources, session);
  branchRoute(app);
  if (parts.scenarios !== undefined) scenarioRoutes(app, parts.scenarios);
  servePage(app, guard, page);
  return { app, end: async () => messages?.end() };
}
