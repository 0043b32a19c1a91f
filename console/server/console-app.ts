import { Hono } from 'hono';
import { z } from 'zod';
import { fieldBytes } from '../../protocol/codec/field-bytes.ts';
import { decodePayload } from '../../protocol/codec/frame.ts';
import type { ControlHosts } from '../../simulator/http/guard.ts';
import { problemResponse } from '../../simulator/http/refusal.ts';
import type { World } from '../../world/world.ts';
import type { ConsoleFacts } from '../stream/console-facts.ts';
import type { MapBase, Streets } from '../stream/map.ts';
import { makeActionCatalogue } from './action-catalogue.ts';
import { actionRoutes } from './action-routes.ts';
import { DeadZones } from './dead-zones.ts';
import { eventStream } from './event-stream.ts';
import { FleetWatch } from './fleet-watch.ts';
import { healthOf, makeStatusReader } from './health-reading.ts';
import { type MapArchive, mapArchiveRoute } from './map-archive.ts';
import { type MessageFeed, MessageWatch } from './message-watch.ts';
import { makePageGuard } from './page-guard.ts';
import { guardPage, type PageFile, servePage } from './page-routes.ts';
import { branchRoute, type ScenarioRunner, scenarioRoutes } from './scenario-routes.ts';
import { SessionRecord } from './session-record.ts';
import { sessionScenario } from './session-scenario.ts';
import { type ConsoleSources, controlRequest, makeControlReader, ServiceCaller } from './sources.ts';
import { StoredValues } from './stored-values.ts';
import { pictureOf } from './vehicle-picture.ts';

export interface ConsoleParts {
  readonly world: Pick<World, 'time' | 'ids'>;
  readonly sources: ConsoleSources;
  readonly seed: number;
  /** Undefined: nobody publishes messages. */
  readonly messages: MessageFeed | undefined;
  /** Undefined: scenarios cannot be run from here. */
  readonly scenarios?: ScenarioRunner | undefined;
  /** The ground of the map; absent: the streets of the routes alone. */
  readonly map?: { readonly base: MapBase; readonly archive?: MapArchive } | undefined;
  /** A file of the page by its path (`index.html`, `assets/index-1f2e.js`); undefined: it does not exist. */
  readonly page: (path: string) => Promise<PageFile | undefined>;
  /** The host names that are accepted; with a password any is. */
  readonly hosts: ControlHosts;
}

/** The server's application. `end` releases what it has at the broker for messages. */
export interface Console {
  readonly app: Hono;
  end(): Promise<void>;
}

/**
 * The console's own HTTP server: the page, and its API below `/console/`. It uses the control API and the public API as
 * any client would, so that the page holds no secret.
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
  const storedValues = new StoredValues(time, control);
  const zones = new DeadZones(time, watch, async (boxId, available) => {
    if (!available) await session.meet(boxId);
    const answer = await sources.control(controlRequest(`/boxes/${boxId}/coverage`, 'POST', { available }));
    // A box that the simulator does not have (404), or whose coverage cannot be changed (409), is done. Others are
    // retried.
    if (!answer.ok && answer.status !== 404 && answer.status !== 409)
      throw new Error(`The simulator answers ${answer.status}.`);
  });
  const catalogue = makeActionCatalogue(control, caller);
  const status = makeStatusReader(time, sources, caller);
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
    const open = (left: AbortSignal) => {
      let look = 0;
      return async () => {
        const news = await watch.newsAfter(look, left);
        look = news.look;
        return news.changes;
      };
    };
    return eventStream(time, 'fleet', open, c.req.raw.signal);
  });
  app.get('/console/messages', (c) => {
    if (messages === undefined)
      return problemResponse({
        status: 409,
        detail: 'There are no messages: this fleet runs without a message broker.',
      });
    const open = (left: AbortSignal) => messages.enter(left, c.req.query('vehicle'));
    return eventStream(time, 'messages', open, c.req.raw.signal);
  });
  app.get('/console/status', async (c) => c.json(await status()));
  app.get('/console/health', async (c) => c.json(await healthOf(time, caller)));
  app.get('/console/actions', async (c) => c.json(await catalogue()));
  app.get('/console/vehicles/:boxId', async (c) => {
    const found = await pictureOf(c.req.param('boxId'), { time, sources, caller, storedValues });
    return found instanceof Response ? found : c.json(found);
  });
  app.get('/console/vehicles/:boxId/wire', (c) =>
    sources.control(controlRequest(`/boxes/${encodeURIComponent(c.req.param('boxId'))}/wire`)),
  );
  // Only for a frame that a user opens: it takes some milliseconds, too long for every frame.
  app.get('/console/frame-bytes/:hex', (c) => {
    const bytes = Uint8Array.from(c.req.param('hex').match(/[0-9a-f]{2}/g) ?? [], (byte) =>
      Number.parseInt(byte, 16),
    );
    const [frame] = decodePayload(bytes).frames;
    return c.json(frame === undefined ? [] : fieldBytes(frame).map((range) => range ?? null));
  });
  app.get('/console/session', (c) => {
    const { done, met } = session;
    return c.json(sessionScenario({ done, met, zones: zones.history, nowMs: time.nowMs() }, parts.seed));
  });
  actionRoutes(app, { time, control: sources.control, caller, session, zones });
  branchRoute(app);
  if (parts.scenarios !== undefined) scenarioRoutes(app, parts.scenarios);
  servePage(app, guard, page);
  return { app, end: async () => messages?.end() };
}

const routes = z.object({
  items: z.array(z.object({ name: z.string(), places: z.array(z.tuple([z.number(), z.number()])) })),
});

/** The streets on the map: the routes that the fleet can drive. Rejects where the simulator does not answer. */
async function streetsOf(control: (path: string) => Promise<unknown>): Promise<Streets> {
  const { items } = routes.parse(await control('/routes'));
  return items.map(({ name, places }) => ({
    name,
    places: places.map(([latitude, longitude]) => [longitude, latitude] as const),
  }));
}
