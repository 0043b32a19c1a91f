import { Hono } from 'hono';
import { accepts } from 'hono/accepts';
import { z } from 'zod';
import type { FleetBox } from '../box/fleet-box.ts';
import type { Fleet } from '../fleet/fleet.ts';
import type { MakerCloud } from '../maker-cloud/cloud.ts';
import { SIM_PROVIDER_DESCRIPTION, simProviderRoutes } from '../sim-provider/control-routes.ts';
import type { SimProviders } from '../sim-provider/providers.ts';
import type { FleetWeather } from '../weather/fleet-weather.ts';
import { BLUETOOTH_DESCRIPTION, bluetoothRoutes } from './bluetooth.ts';
import { BOX_ACTIONS } from './box-actions.ts';
import { type BoxOfVehicle, makeBoxFinder } from './box-finder.ts';
import type { FaultPort } from './fault-face.ts';
import { FAULT_DESCRIPTION, faultRoutes } from './fault-routes.ts';
import { makeFleetPages, vehicleSummary } from './fleet-pages.ts';
import { type FrameTap, frameStream } from './frame-stream.ts';
import { type ControlHosts, jsonBody, originRefusal } from './guard.ts';
import { MAKER_DESCRIPTION, makerRoutes, makerVehicleRoutes } from './maker-routes.ts';
import { type ControlMap, MAP_DESCRIPTION, mapRoutes } from './map-routes.ts';
import { problemResponse } from './refusal.ts';
import { rootPage } from './root-page.ts';
import { SERVICE_DESCRIPTION, type ServiceControlPort, serviceRoutes } from './service.ts';
import { WEATHER_DESCRIPTION, weatherRoutes } from './weather-routes.ts';

/** What stands beside the boxes; each is absent where it is not there. */
export interface ControlParts {
  /** The service itself. */
  readonly service?: ServiceControlPort | undefined;
  readonly sims?: SimProviders;
  readonly clouds?: readonly MakerCloud[];
  /** What networks do to the whole fleet. */
  readonly weather?: FleetWeather;
  /** Weather and breaks of the scenario language. */
  readonly faults?: FaultPort;
  /** What lies below the vehicles. */
  readonly map?: ControlMap;
  /** Which box a vehicle has that the plans do not know. */
  readonly boxOfVehicle?: BoxOfVehicle;
  /** By which names it may be asked; absent: `loopback`. */
  readonly hosts?: ControlHosts;
}

/**
 * The HTTP API of the simulated world, for people and tests: what the vehicles really do beside what their boxes
 * believe, and how to interfere; and the service itself, where that is given. It has no sign-in: whoever serves it elsewhere
 * than on 127.0.0.1 asks for a password, and says `any` for `hosts`. Web pages are kept out (guard.ts). An id in a path is a
 * box id or a vehicle id.
 */
export function controlApp(fleet: Pick<Fleet, 'boxes'>, frameTap: FrameTap, parts: ControlParts = {}): Hono {
  const { service, sims, weather, map, faults } = parts;
  const { clouds = [], boxOfVehicle = async () => undefined, hosts = 'loopback' } = parts;
  const app = new Hono();
  const finder = makeBoxFinder(fleet, boxOfVehicle);
  const describedBox = (box: FleetBox) => boxDescription(box, finder.vehicleIdOf(box));
  app.use(async (c, next) => {
    const refusal = originRefusal(c.req.raw, hosts);
    if (refusal !== undefined) return problemResponse(refusal);
    await next();
    c.res.headers.set('cache-control', 'no-store');
    c.res.headers.set('x-content-type-options', 'nosniff');
    c.res.headers.set('x-frame-options', 'DENY');
    c.res.headers.set('cross-origin-resource-policy', 'same-origin');
    return undefined;
  });

  app.get('/', (c) => {
    const description = apiDescription(fleet, parts);
    c.header('vary', 'Accept');
    // A browser asks for HTML by its name; whoever takes anything is a program.
    const wanted = accepts(c, {
      header: 'Accept',
      supports: ['application/json', 'text/html'],
      default: 'application/json',
    });
    if (wanted !== 'text/html') return c.json(description);
    return c.html(rootPage(description, [...fleet.boxes.values()], new URL(c.req.url).origin));
  });
  if (service !== undefined) app.route('/service', serviceRoutes(service));
  if (sims !== undefined) app.route('/sim-providers', simProviderRoutes(sims));
  if (weather !== undefined) app.route('/weather', weatherRoutes(weather));
  if (map !== undefined) app.route('/', mapRoutes(map));
  if (faults !== undefined)
    app.route(
      '/faults',
      faultRoutes(faults, async (id) => {
        await finder.learn(id);
        return finder.find(id)?.plan.boxId;
      }),
    );
  if (clouds.length > 0) {
    app.route('/makers', makerRoutes(clouds));
    app.route('/maker-vehicles', makerVehicleRoutes(clouds));
  }

  const pageOf = makeFleetPages(fleet);
  app.get('/boxes', (c) => {
    const page = pageOf('/boxes', c.req.query());
    if ('status' in page) return problemResponse(page);
    const { boxes, next } = page;
    return c.json({ items: boxes.map(describedBox), ...next });
  });

  app.get('/fleet', (c) => {
    const page = pageOf('/fleet', c.req.query());
    if ('status' in page) return problemResponse(page);
    const { boxes, next } = page;
    const items = boxes.map((box) => vehicleSummary(box, finder.vehicleIdOf(box)));
    return c.json({ boxes: fleet.boxes.size, items, ...next });
  });

  app.use('/boxes/:id/*', async (c, next) => {
    await finder.learn(c.req.param('id'));
    await next();
  });

  app.get('/boxes/:id', (c) => {
    const box = finder.find(c.req.param('id'));
    return box === undefined ? unknownBox(c.req.param('id')) : c.json(describedBox(box));
  });

  app.get('/boxes/:id/wire', (c) => {
    const box = finder.find(c.req.param('id'));
    if (box === undefined) return unknownBox(c.req.param('id'));
    return c.body(frameStream(frameTap, box.plan.boxId), 200, { 'content-type': 'application/x-ndjson' });
  });

  app.route(
    '/boxes',
    bluetoothRoutes((id) => finder.find(id), unknownBox),
  );

  app.post('/boxes/:id/:action', async (c) => {
    const { id, action: name } = c.req.param();
    if (name === 'wire') return wrongMethod('GET');
    const action = BOX_ACTIONS.find((row) => row.name === name);
    if (action === undefined) return unknownAction(name);
    const box = finder.find(id);
    if (box === undefined) return unknownBox(id);
    const read = await jsonBody(c.req.raw);
    if ('refusal' in read) return problemResponse(read.refusal);
    const attempt = action.attempt(box, read.body);
    switch (attempt.outcome) {
      case 'done':
        return c.json(describedBox(box));
      case 'wrong-body':
        return problemResponse({ status: 400, detail: attempt.detail });
      case 'refused':
        return problemResponse({ status: 409, detail: attempt.detail });
      default:
        return attempt satisfies never;
    }
  });

  app.all('/boxes/:id/:action', (c) => {
    const name = c.req.param('action');
    if (name === 'wire') return wrongMethod('GET');
    return BOX_ACTIONS.some((row) => row.name === name) ? wrongMethod('POST') : unknownAction(name);
  });
  for (const path of ['/', '/boxes', '/fleet', '/boxes/:id']) app.all(path, () => wrongMethod('GET'));
  app.notFound(() =>
    problemResponse({ status: 404, detail: 'There is no resource at this path. GET / lists all paths.' }),
  );
  app.onError((error) =>
    problemResponse({ status: 500, detail: `The simulator failed at this: ${error.message}` }),
  );
  return app;
}

/** A box as it shows itself here: never with its secret. */
function boxDescription(box: FleetBox, vehicleId: string | undefined) {
  const { secret: _kept, firmware: factory, ...plan } = box.plan;
  const snapshot = box.snapshot();
  return {
    ...plan,
    vehicleId: vehicleId ?? null,
    // The one that it runs, which may not be that of the factory any more.
    firmware: String(snapshot['firmware'] ?? factory.join('.')),
    truth: box.truth(),
    belief: snapshot,
  };
}

function apiDescription(
  { boxes }: Pick<Fleet, 'boxes'>,
  { service, sims, clouds = [], weather, map, faults }: ControlParts,
) {
  return {
    what: 'The simulated vehicles and their boxes: what is really so beside what each box believes.',
    boxes: boxes.size,
    // Boxes whose vehicles are on no record from the start: POST /vehicles of the service onboards them.
    shelf: [...boxes.values()].flatMap(({ plan }) =>
      plan.vehicleId === ''
        ? [{ boxId: plan.boxId, model: plan.model, vin: plan.vin, licensePlate: plan.licensePlate }]
        : [],
    ),
    get: {
      '/boxes': 'All boxes; ?limit=100&after=<box id> pages through them.',
      '/fleet': 'Of every box in short: place, speed, connection, journal; paged in the same way.',
      '/boxes/{id}': 'One box, by its box id or by its vehicle id.',
      '/boxes/{id}/wire': 'Its frames in both directions as they pass, one JSON object a line, until you go.',
    },
    bluetooth: BLUETOOTH_DESCRIPTION,
    ...(service === undefined ? {} : { service: SERVICE_DESCRIPTION }),
    ...(sims === undefined ? {} : { simProviders: SIM_PROVIDER_DESCRIPTION }),
    ...(clouds.length === 0 ? {} : { makers: MAKER_DESCRIPTION }),
    ...(weather === undefined ? {} : { weather: WEATHER_DESCRIPTION }),
    ...(map === undefined ? {} : { map: MAP_DESCRIPTION }),
    ...(faults === undefined ? {} : { faults: FAULT_DESCRIPTION }),
    post: Object.fromEntries(
      BOX_ACTIONS.map(({ name, does, body, example }) => [
        `/boxes/{id}/${name}`,
        { does, example, body: z.toJSONSchema(body) },
      ]),
    ),
  };
}

function unknownBox(id: string): Response {
  const detail = `No box and no vehicle has the id ${JSON.stringify(id)}. GET /boxes lists them.`;
  return problemResponse({ status: 404, detail });
}

function unknownAction(name: string): Response {
  const names = BOX_ACTIONS.map((row) => row.name).join(', ');
  return problemResponse({
    status: 404,
    detail: `There is no action ${JSON.stringify(name)}. There are: ${names}.`,
  });
}

function wrongMethod(allow: string): Response {
  return problemResponse({ status: 405, detail: `Use ${allow} here.`, allow });
}
