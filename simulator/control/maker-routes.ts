import { Hono } from 'hono';
import { z } from 'zod';
import { type ControlHosts, jsonBody } from '../http/guard.ts';
import { problemResponse } from '../http/refusal.ts';
import { behaviourSchema } from '../maker-cloud/behaviour.ts';
import type { Car } from '../maker-cloud/car.ts';
import type { MakerCloud } from '../maker-cloud/cloud.ts';
import { describedActions } from './action.ts';
import { guardOrigin } from './app-guard.ts';
import { MAKER_ACTIONS, makerActionOf } from './maker-actions.ts';

const BEHAVIOUR_EXAMPLE = { calls: { manner: 'rate-limit', retry_after_in_seconds: 30 }, push: true };

/** The description of this part in the control API. */
export const MAKER_DESCRIPTION = {
  'GET /makers': "The simulated makers' clouds, and how each behaves.",
  'PUT /makers/{name}/behaviour': {
    does: 'The cloud answers in this manner from now on; without push it reports no new state.',
    example: BEHAVIOUR_EXAMPLE,
    body: z.toJSONSchema(behaviourSchema),
  },
  'GET /maker-vehicles': 'The cars that talk to their maker, without a box.',
  'GET /maker-vehicles/{id}': "One car, by its maker's identifier or by its vehicle id.",
  ...describedActions(MAKER_ACTIONS, (name) => `POST /maker-vehicles/{id}/${name}`),
};

/** `/makers`: the clouds' own interfaces below `/makers/{name}`, and the operations on them. */
export function makerRoutes(clouds: readonly MakerCloud[]): Hono {
  const app = new Hono();
  const cloudDescription = (cloud: MakerCloud) => ({
    name: cloud.name,
    cars: cloud.cars.size,
    behaviour: cloud.behaviour(),
  });
  app.get('/', (c) => c.json({ items: clouds.map(cloudDescription) }));
  app.all('/', () => wrongMethod('GET'));
  for (const cloud of clouds) {
    const path = `/${cloud.name}/behaviour`;
    app.put(path, async (c) => {
      const read = await jsonBody(c.req.raw);
      if ('refusal' in read) return problemResponse(read.refusal);
      const parsed = behaviourSchema.safeParse(read.body);
      if (!parsed.success) {
        const [issue] = parsed.error.issues;
        const detail = `${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}. For example: ${JSON.stringify(BEHAVIOUR_EXAMPLE)}`;
        return problemResponse({ status: 400, detail: detail.trim() });
      }
      cloud.setBehaviour(parsed.data);
      return c.json(cloudDescription(cloud));
    });
    app.all(path, () => wrongMethod('PUT'));
    app.route(`/${cloud.name}`, cloud.app);
  }
  app.all('*', () => {
    const names = clouds.map((cloud) => cloud.name).join(', ');
    return problemResponse({ status: 404, detail: `There is no such maker. There are: ${names}.` });
  });
  return app;
}

/** `/makers`, and nothing else of a control API; guarded as that is. */
export function makersAlone(clouds: readonly MakerCloud[], hosts: ControlHosts): Hono {
  const app = new Hono();
  guardOrigin(app, hosts);
  return app.route('/makers', makerRoutes(clouds));
}

/** `/maker-vehicles`: the cars of all clouds, and the actions on them. */
export function makerVehicleRoutes(clouds: readonly MakerCloud[]): Hono {
  const app = new Hono();
  const all = () =>
    clouds.flatMap((cloud) => [...cloud.cars.values()].map((car) => ({ maker: cloud.name, car })));
  const find = (id: string) =>
    all().find(({ car }) => car.plan.carId === id || car.plan.vehicleId === id.toUpperCase());
  app.get('/', (c) => c.json({ items: all().map(carDescription) }));
  app.all('/', () => wrongMethod('GET'));
  app.get('/:id', (c) => {
    const found = find(c.req.param('id'));
    return found === undefined ? unknownCar(c.req.param('id')) : c.json(carDescription(found));
  });
  app.all('/:id', () => wrongMethod('GET'));
  app.post('/:id/:action', async (c) => {
    const { id, action: name } = c.req.param();
    const action = makerActionOf(name);
    if (action === undefined) return unknownAction(name);
    const found = find(id);
    if (found === undefined) return unknownCar(id);
    const read = await jsonBody(c.req.raw);
    if ('refusal' in read) return problemResponse(read.refusal);
    const attempt = action.attempt(found.car, read.body);
    if (attempt.outcome === 'done') return c.json(carDescription(found));
    return problemResponse({ status: attempt.outcome === 'refused' ? 409 : 400, detail: attempt.detail });
  });
  app.all('/:id/:action', (c) => {
    const name = c.req.param('action');
    return makerActionOf(name) !== undefined ? wrongMethod('POST') : unknownAction(name);
  });
  return app;
}

/** A car, and the last sample that its maker received. */
function carDescription({ maker, car }: { readonly maker: string; readonly car: Car }) {
  const { takenMs, reading } = car.last;
  return { maker, ...car.plan, truth: car.truth(), asleep: car.isAsleep, last: { takenMs, ...reading } };
}

function unknownCar(id: string): Response {
  const detail = `No car has the id ${JSON.stringify(id)}. GET /maker-vehicles lists them.`;
  return problemResponse({ status: 404, detail });
}

function unknownAction(name: string): Response {
  const names = Object.keys(MAKER_ACTIONS).join(', ');
  return problemResponse({
    status: 404,
    detail: `There is no action ${JSON.stringify(name)}. There are: ${names}.`,
  });
}

function wrongMethod(allow: string): Response {
  return problemResponse({ status: 405, detail: `Use ${allow} here.`, allow });
}
