import { Hono } from 'hono';
import { accepts } from 'hono/accepts';
import { z } from 'zod';
import type { FleetBox } from '../box/fleet-box.ts';
import { journalPage } from '../box/journal-page.ts';
import type { Fleet } from '../fleet/fleet.ts';
import { type ControlHosts, jsonBody } from '../http/guard.ts';
import { problemResponse } from '../http/refusal.ts';
import { controlLimits } from '../limits.ts';
import type { MakerCloud } from '../maker-cloud/cloud.ts';
import type { SimProviders } from '../sim-provider/providers.ts';
import type { FleetWeather } from '../weather/fleet-weather.ts';
import { WEATHER_PRESET_NAMES, WEATHER_PRESETS } from '../weather/presets.ts';
import { describedActions } from './action.ts';
import { guardOrigin } from './app-guard.ts';
import { BLUETOOTH_DESCRIPTION, bluetoothRoutes } from './bluetooth.ts';
import { BOX_ACTIONS, boxActionOf } from './box-actions.ts';
import { type BoxFinder, type BoxOfVehicle, makeBoxFinder } from './box-finder.ts';
import type { FaultPort } from './fault-api.ts';
import { FAULT_DESCRIPTION, faultRoutes } from './fault-routes.ts';
import { makeFleetPages, vehicleSummary } from './fleet-pages.ts';
import { type FrameTap, frameStream } from './frame-stream.ts';
import { MAKER_DESCRIPTION, makerRoutes, makerVehicleRoutes } from './maker-routes.ts';
import { type ControlMap, MAP_DESCRIPTION, mapRoutes } from './map-routes.ts';
import { refuseOtherMethods } from './other-methods.ts';
import { rootPage } from './root-page.ts';
import { SERVICE_DESCRIPTION, type ServiceControlPort, serviceRoutes } from './service.ts';
import { SIM_PROVIDER_DESCRIPTION, simProviderRoutes } from './sim-provider-routes.ts';

/** The optional parts of the simulator. */
export interface ControlParts {
  /** The service itself. */
  readonly service?: ServiceControlPort | undefined;
  readonly sims?: SimProviders;
  readonly clouds?: readonly MakerCloud[];
  /** Network conditions of the whole fleet. */
  readonly weather?: FleetWeather;
  /** Weather and breaks of the scenario language. */
  readonly faults?: FaultPort;
  /** Routes and radio coverage. */
  readonly map?: ControlMap;
  /** The boxes of vehicles that are not in the plans. */
  readonly boxOfVehicle?: BoxOfVehicle;
  /** By which names it may be asked; absent: `loopback`. */
  readonly hosts?: ControlHosts;
  /** Whose simulator this is: an id that the service of the same installation shows, too. No secret. */
  readonly installation?: string;
}

/**
 * The HTTP API of the simulated world, for people and tests: the true state of the vehicles next to what their boxes
 * believe, and how to interfere; and the service itself, where that is given. It has no sign-in: a program that serves it elsewhere
 * than on 127.0.0.1 asks for a password, and says `any` for `hosts`. Web pages are kept out (../http/guard.ts). An id in a path is a
 * box id or a vehicle id.
 */
export function controlApp(fleet: Pick<Fleet, 'boxes'>, frameTap: FrameTap, parts: ControlParts = {}): Hono {
  const { service, sims, weather, map, faults } = parts;
  const { clouds = [], boxOfVehicle = async () => undefined, hosts = 'loopback' } = parts;
  const app = new Hono();
  const finder = makeBoxFinder(fleet, boxOfVehicle);
  guardOrigin(app, hosts);
  app.get('/', (c) => {
    const description = apiDescription(fleet, parts);
    c.header('vary', 'Accept');
    // A browser names HTML in Accept; a program accepts anything.
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

  fleetRoutes(app, fleet, finder);
  boxRoutes(app, finder, frameTap);
  refuseOtherMethods(app);
  app.notFound(() =>
    problemResponse({ status: 404, detail: 'There is no resource at this path. GET / lists all paths.' }),
  );
  app.onError((error) =>
    problemResponse({ status: 500, detail: `The simulator failed at this: ${error.message}` }),
  );
  return app;
}

/** The fleet in pages: with all that is known of each box, and in short. */
function fleetRoutes(app: Hono, fleet: Pick<Fleet, 'boxes'>, finder: BoxFinder): void {
  const pageOf = makeFleetPages(fleet);
  app.get('/boxes', (c) => {
    const page = pageOf('/boxes', c.req.query());
    if ('status' in page) return problemResponse(page);
    const { boxes, next } = page;
    return c.json({ items: boxes.map((box) => boxDescription(box, finder.vehicleIdOf(box))), ...next });
  });

  app.get('/fleet', (c) => {
    const page = pageOf('/fleet', c.req.query());
    if ('status' in page) return problemResponse(page);
    const { boxes, next } = page;
    const items = boxes.map((box) => vehicleSummary(box, finder.vehicleIdOf(box)));
    return c.json({ boxes: fleet.boxes.size, items, ...next });
  });
}

/** One box: its description, frames, journal, phones and actions. */
function boxRoutes(app: Hono, finder: BoxFinder, frameTap: FrameTap): void {
  const describedBox = (box: FleetBox) => boxDescription(box, finder.vehicleIdOf(box));
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

  app.get('/boxes/:id/journal', (c) => {
    const box = finder.find(c.req.param('id'));
    if (box === undefined) return unknownBox(c.req.param('id'));
    const wanted = journalPaging.safeParse(c.req.query());
    if (!wanted.success)
      return problemResponse({
        status: 400,
        detail: `limit: a whole number from 1 to ${controlLimits.mostRecordsPerPage}; after: a sequence.`,
      });
    return c.json(journalPage(box.firmware(), wanted.data));
  });

  app.route(
    '/boxes',
    bluetoothRoutes((id) => finder.find(id), unknownBox),
  );

  app.post('/boxes/:id/:action', async (c) => {
    const { id, action: name } = c.req.param();
    if (READINGS.has(name)) return wrongMethod('GET');
    const action = boxActionOf(name);
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
    if (READINGS.has(name)) return wrongMethod('GET');
    return boxActionOf(name) !== undefined ? wrongMethod('POST') : unknownAction(name);
  });
}

const journalPaging = z.object({
  limit: z.coerce
    .number()
    .int()
    .min(1)
    .max(controlLimits.mostRecordsPerPage)
    .default(controlLimits.recordsPerPage),
  after: z.coerce.number().int().min(0).default(0),
});

/** The readable parts of one box, in addition to its description. */
const READINGS: ReadonlySet<string> = new Set(['wire', 'journal']);

/** A box as this API shows it: never with its secret. */
function boxDescription(box: FleetBox, vehicleId: string | undefined) {
  const { secret: _kept, firmware: factory, ...plan } = box.plan;
  const snapshot = box.snapshot();
  return {
    ...plan,
    vehicleId: vehicleId ?? null,
    // The running version, which may differ from that of the factory.
    firmware: String(snapshot['firmware'] ?? factory.join('.')),
    truth: box.truth(),
    belief: snapshot,
  };
}

function apiDescription(
  { boxes }: Pick<Fleet, 'boxes'>,
  { service, sims, clouds = [], weather, map, faults, installation }: ControlParts,
) {
  return {
    what: 'The simulated vehicles and their boxes: the true state, and what each box believes.',
    ...(installation === undefined ? {} : { installation }),
    boxes: boxes.size,
    // Boxes whose vehicles have no record from the start: POST /vehicles of the service onboards them.
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
      '/boxes/{id}/journal':
        'The records that it holds in flash, and which of them were sent and have no receipt; ?limit=100&after=<sequence> pages through them.',
    },
    bluetooth: BLUETOOTH_DESCRIPTION,
    ...(service === undefined ? {} : { service: SERVICE_DESCRIPTION }),
    ...(sims === undefined ? {} : { simProviders: SIM_PROVIDER_DESCRIPTION }),
    ...(clouds.length === 0 ? {} : { makers: MAKER_DESCRIPTION }),
    ...(weather === undefined ? {} : { weather: WEATHER_DESCRIPTION }),
    ...(map === undefined ? {} : { map: MAP_DESCRIPTION }),
    ...(faults === undefined ? {} : { faults: FAULT_DESCRIPTION }),
    post: describedActions(BOX_ACTIONS, (name) => `/boxes/{id}/${name}`),
  };
}

function unknownBox(id: string): Response {
  const detail = `No box and no vehicle has the id ${JSON.stringify(id)}. GET /boxes lists them.`;
  return problemResponse({ status: 404, detail });
}

function unknownAction(name: string): Response {
  const names = Object.keys(BOX_ACTIONS).join(', ');
  return problemResponse({
    status: 404,
    detail: `There is no action ${JSON.stringify(name)}. There are: ${names}.`,
  });
}

function wrongMethod(allow: string): Response {
  return problemResponse({ status: 405, detail: `Use ${allow} here.`, allow });
}

const wish = z.strictObject({ preset: z.enum(WEATHER_PRESET_NAMES) });

/** The description of this part in the control API. */
const WEATHER_DESCRIPTION = {
  'GET /weather': 'What the networks do to the whole fleet, and what else they can.',
  'PUT /weather': {
    does: 'From now on networks do this to the fleet; none: nothing.',
    example: { preset: 'city' },
    body: z.toJSONSchema(wish),
  },
} as const;

/** The weather of the whole fleet. */
function weatherRoutes(weather: FleetWeather): Hono {
  const app = new Hono();
  const described = () => ({
    preset: weather.preset,
    presets: WEATHER_PRESETS.map(({ name, does }) => ({ name, does })),
  });
  app.get('/', (c) => c.json(described()));
  app.put('/', async (c) => {
    const read = await jsonBody(c.req.raw);
    if ('refusal' in read) return problemResponse(read.refusal);
    const parsed = wish.safeParse(read.body);
    if (!parsed.success)
      return problemResponse({ status: 400, detail: `preset: one of ${WEATHER_PRESET_NAMES.join(', ')}.` });
    weather.change(parsed.data.preset);
    return c.json(described());
  });
  app.all('/', () => problemResponse({ status: 405, detail: 'Use GET or PUT here.', allow: 'GET, PUT' }));
  return app;
}
