import { type Context, Hono } from 'hono';
import { z } from 'zod';
import { areSecretsEqual } from '../../world/crypto/equal-secrets.ts';
import { sleep, type Time } from '../../world/time/time.ts';
import { makerLimits } from '../limits.ts';
import type { MakerBehaviour } from './behaviour.ts';
import type { Car } from './car.ts';
import { performAction } from './car-actions.ts';
import { carStateOf } from './car-reading.ts';
import { MAKER_FAULTS, type MakerFaultCode } from './fault.ts';
import type { StateSubscription } from './state-pusher.ts';

export interface MakerAppParts {
  readonly time: Time;
  readonly apiKey: string;
  readonly cars: ReadonlyMap<string, Car>;
  readonly behaviour: () => MakerBehaviour;
  /** Called for each call that is not treated as usual. */
  readonly disturbed: () => void;
  /** The seconds to wait if there were too many calls; undefined: continue. */
  readonly quota: () => number | undefined;
  readonly subscribe: (to: StateSubscription) => void;
  /** Resolves when the cloud stops: a call is left without an answer until it does. */
  readonly holdUnanswered: () => Promise<void>;
}

const KEY_HEADER = 'x-api-key';
const actionBody = z.strictObject({ action: z.string() });
const subscriptionBody = z.strictObject({
  url: z.url({ protocol: /^https?$/ }).max(makerLimits.subscriptionAddressCharacters),
  secret: z.string().min(16).max(makerLimits.subscriptionSecretCharacters),
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
    if (!areSecretsEqual(c.req.header(KEY_HEADER) ?? '', parts.apiKey)) return fault(c, 'KEY_REJECTED');
    const waitS = parts.quota();
    return waitS === undefined ? next() : limited(c, waitS);
  });
  app.get('/cars/:id/state', (c) => {
    const car = parts.cars.get(c.req.param('id'));
    return car === undefined ? fault(c, 'CAR_UNKNOWN') : c.json(carStateOf(car.plan.carId, car.last));
  });
  app.post('/cars/:id/actions', async (c) => {
    const body = actionBody.safeParse(await jsonOf(c.req.raw));
    if (!body.success) return fault(c, 'BODY_UNREADABLE');
    const car = parts.cars.get(c.req.param('id'));
    if (car === undefined) return fault(c, 'CAR_UNKNOWN');
    const refusal = performAction(car, body.data.action);
    const { calls } = parts.behaviour();
    if (calls.manner === 'silence') await parts.holdUnanswered();
    return refusal === undefined
      ? c.json({ state: carStateOf(car.plan.carId, car.last) })
      : fault(c, refusal);
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

/** The configured misbehaviour; undefined: the call continues. */
async function misbehave(parts: MakerAppParts, c: Context): Promise<Response | undefined> {
  const { calls } = parts.behaviour();
  if (calls.manner !== 'right') parts.disturbed();
  switch (calls.manner) {
    case 'right':
      return undefined;
    case 'error':
      return new Response(
        JSON.stringify({ fault: { code: 'OUT_OF_ORDER', text: MAKER_FAULTS.OUT_OF_ORDER.text } }),
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
      // With `after_acting` the action is carried out and then not answered.
      if (calls.after_acting && c.req.method === 'POST') return undefined;
      await parts.holdUnanswered();
      return fault(c, 'OUT_OF_ORDER');
    default:
      return calls satisfies never;
  }
}

function fault(c: Context, code: MakerFaultCode): Response {
  const { status, text } = MAKER_FAULTS[code];
  return c.json({ fault: { code, text } }, status);
}

function limited(c: Context, waitS: number): Response {
  c.header('retry-after', String(waitS));
  return fault(c, 'TOO_MANY_CALLS');
}

/** The JSON of a body of limited size; undefined if it is not JSON. */
async function jsonOf(request: Request): Promise<unknown> {
  if (Number(request.headers.get('content-length') ?? 0) > makerLimits.bodyBytes) return undefined;
  const text = await request.text();
  if (text.length > makerLimits.bodyBytes) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
