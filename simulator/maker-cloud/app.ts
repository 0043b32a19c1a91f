import { type Context, Hono } from 'hono';
import { z } from 'zod';
import { sleep, type Time } from '../../world/time.ts';
import { act } from './actions.ts';
import type { Behaviour } from './behaviour.ts';
import type { Car } from './car.ts';
import { FAULTS, type FaultCode } from './fault.ts';
import { limits } from './limits.ts';
import type { Subscription } from './pusher.ts';
import { stateOf } from './reading.ts';

export interface MakerAppParts {
  readonly time: Time;
  readonly apiKey: string;
  readonly cars: ReadonlyMap<string, Car>;
  readonly behaviour: () => Behaviour;
  /** Seconds to wait where there were too many calls. */
  readonly quota: () => number | undefined;
  readonly subscribe: (to: Subscription) => void;
  /** Resolves when the cloud ends: until then somebody is left without an answer. */
  readonly mute: () => Promise<void>;
}

const KEY_HEADER = 'x-api-key';
const actionBody = z.strictObject({ action: z.string() });
const subscriptionBody = z.strictObject({
  url: z.url({ protocol: /^https?$/ }).max(limits.subscriptionAddressCharacters),
  secret: z.string().min(16).max(limits.subscriptionSecretCharacters),
});

/**
 * The maker's own interface:
 * `GET /cars/{carId}/state`, `POST /cars/{carId}/actions`, `PUT /subscription`; the key in `x-api-key`. An error is
 * `{"fault": {"code", "text"}}`.
 */
export function makerApp(parts: MakerAppParts): Hono {
  const app = new Hono();
  app.use(async (c, next) => (await misbehave(parts, c)) ?? next());
  app.use(async (c, next) => {
    if (c.req.header(KEY_HEADER) !== parts.apiKey) return fault(c, 'KEY_REJECTED');
    const waitS = parts.quota();
    return waitS === undefined ? next() : limited(c, waitS);
  });
  app.get('/cars/:id/state', (c) => {
    const car = parts.cars.get(c.req.param('id'));
    return car === undefined ? fault(c, 'CAR_UNKNOWN') : c.json(stateOf(car.plan.carId, car.last));
  });
  app.post('/cars/:id/actions', async (c) => {
    const body = actionBody.safeParse(await jsonOf(c.req.raw));
    if (!body.success) return fault(c, 'BODY_UNREADABLE');
    const car = parts.cars.get(c.req.param('id'));
    if (car === undefined) return fault(c, 'CAR_UNKNOWN');
    const refusal = act(car, body.data.action);
    const { calls } = parts.behaviour();
    if (calls.manner === 'silence') await parts.mute();
    return refusal === undefined ? c.json({ state: stateOf(car.plan.carId, car.last) }) : fault(c, refusal);
  });
  app.put('/subscription', async (c) => {
    const body = subscriptionBody.safeParse(await jsonOf(c.req.raw));
    if (!body.success) return fault(c, 'BODY_UNREADABLE');
    parts.subscribe(body.data);
    return c.body(null, 204);
  });
  app.all('*', (c) => fault(c, 'PATH_UNKNOWN'));
  app.onError((_error, c) => fault(c, 'OUT_OF_ORDER'));
  return app;
}

/** What the cloud was told to do to its callers; undefined: it goes on with the call. */
async function misbehave(parts: MakerAppParts, c: Context): Promise<Response | undefined> {
  const { calls } = parts.behaviour();
  switch (calls.manner) {
    case 'right':
      return undefined;
    case 'error':
      return new Response(
        JSON.stringify({ fault: { code: 'OUT_OF_ORDER', text: FAULTS.OUT_OF_ORDER.text } }),
        {
          status: calls.status,
          headers: { 'content-type': 'application/json' },
        },
      );
    case 'rate-limit':
      return limited(c, calls.retry_after_in_seconds);
    case 'slow':
      await sleep(parts.time, calls.delay_in_milliseconds);
      return undefined;
    case 'nonsense':
      return c.json({ weather: 'fine' });
    case 'silence':
      // One that acts first is silent after it, in the action itself.
      if (calls.after_acting && c.req.method === 'POST') return undefined;
      await parts.mute();
      return fault(c, 'OUT_OF_ORDER');
    default:
      return calls satisfies never;
  }
}

function fault(c: Context, code: FaultCode): Response {
  const { status, text } = FAULTS[code];
  return c.json({ fault: { code, text } }, status);
}

function limited(c: Context, waitS: number): Response {
  c.header('retry-after', String(waitS));
  return fault(c, 'TOO_MANY_CALLS');
}

/** The JSON of a body of bounded size; undefined where it is none. */
async function jsonOf(request: Request): Promise<unknown> {
  if (Number(request.headers.get('content-length') ?? 0) > limits.bodyBytes) return undefined;
  const text = await request.text();
  if (text.length > limits.bodyBytes) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
