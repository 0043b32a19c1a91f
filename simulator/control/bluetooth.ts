import { Hono } from 'hono';
import { z } from 'zod';
import { BLUETOOTH_ACTIONS, MOST_USES } from '../../protocol/bluetooth.ts';
import type { FleetBox, PhoneAnswer } from '../box/fleet-box.ts';
import { jsonBody } from '../http/guard.ts';
import { type ControlRefusal, problemResponse } from '../http/refusal.ts';
import { limits as box, controlLimits } from '../limits.ts';
import { bodyErrorText } from './action.ts';

const action = z.enum(BLUETOOTH_ACTIONS.map((row) => row.name));
const every = BLUETOOTH_ACTIONS.map((row) => row.name);

const order = z.strictObject({
  valid_for_s: z.number().positive().max(controlLimits.longestTokenS).default(controlLimits.usualTokenS),
  allows: z.array(action).min(1).max(every.length).default(every),
  uses: z.int().min(1).max(MOST_USES).default(controlLimits.usualTokenUses),
});
const ORDER_EXAMPLE = { valid_for_s: 3600, allows: ['unlock', 'lock'] };

const question = z.strictObject({
  token: z.string().min(1).max(controlLimits.tokenCharacters),
  action,
  device: z
    .string()
    .regex(/^[ -~]+$/, 'printable ASCII only')
    .max(controlLimits.deviceCharacters)
    .optional(),
});
const QUESTION_EXAMPLE = { token: 'bt1....', action: 'unlock', device: 'a phone' };

/** The description of this part in the control API. */
export const BLUETOOTH_DESCRIPTION = {
  what: 'Bluetooth tokens for a phone, and a phone next to the vehicle. The box needs no network for that.',
  '/boxes/{id}/bluetooth-tokens': {
    GET: 'The tokens that have not expired, without what opens.',
    POST: {
      does: 'Makes a token for that box: what opens is shown this once.',
      example: ORDER_EXAMPLE,
      body: z.toJSONSchema(order),
    },
  },
  '/boxes/{id}/bluetooth-tokens/{token id}': {
    DELETE: 'Withdraws it. The box hears of that at once, or as soon as it is in a session again.',
  },
  '/boxes/{id}/bluetooth': {
    POST: {
      does: 'A phone next to the vehicle presents a token. The answer is that of the box.',
      example: QUESTION_EXAMPLE,
      body: z.toJSONSchema(question),
    },
  },
};

/** The status of a box's answer to a phone: 200 if the box did it. */
const STATUSES: Readonly<Record<Exclude<PhoneAnswer['outcome'], 'done'>, ControlRefusal['status']>> = {
  refused: 403,
  hindered: 409,
  failed: 409,
  silent: 504,
};

/** Tokens and phones of the box that `find` gives for an id; `unknown` answers where there is none. */
export function bluetoothRoutes(
  find: (id: string) => FleetBox | undefined,
  unknown: (id: string) => Response,
): Hono {
  const app = new Hono();

  app.get('/:id/bluetooth-tokens', (c) => {
    const one = find(c.req.param('id'));
    if (one === undefined) return unknown(c.req.param('id'));
    const items = one.bluetooth.tokens().map(({ id, expiresMs, isWithdrawn }) => ({
      token_id: id,
      expires_at: dateTime(expiresMs),
      withdrawn: isWithdrawn,
    }));
    return c.json({ items });
  });

  app.post('/:id/bluetooth-tokens', async (c) => {
    const one = find(c.req.param('id'));
    if (one === undefined) return unknown(c.req.param('id'));
    const read = await jsonBody(c.req.raw);
    if ('refusal' in read) return problemResponse(read.refusal);
    const parsed = order.safeParse(read.body);
    if (!parsed.success)
      return problemResponse({ status: 400, detail: bodyErrorText(parsed.error, ORDER_EXAMPLE) });
    const { valid_for_s: validForS, allows, uses } = parsed.data;
    const token = one.bluetooth.issueToken({ allows, uses, validForMs: Math.ceil(validForS * 1_000) });
    if (token === undefined) {
      const detail = `The box has ${box.bluetoothTokens} tokens that have not expired, and can keep no more apart. Wait until one expires.`;
      return problemResponse({ status: 409, detail });
    }
    const { id, expiresMs, text } = token;
    const body = { token_id: id, token: text, allows, uses, expires_at: dateTime(expiresMs) };
    return c.json(body, 201);
  });

  app.delete('/:id/bluetooth-tokens/:token', (c) => {
    const { id, token } = c.req.param();
    const one = find(id);
    if (one === undefined) return unknown(id);
    if (one.bluetooth.withdrawToken(token)) return c.body(null, 204);
    const detail = `The box has no token ${JSON.stringify(token)} that has not expired. GET /boxes/${id}/bluetooth-tokens lists them.`;
    return problemResponse({ status: 404, detail });
  });

  app.post('/:id/bluetooth', async (c) => {
    const one = find(c.req.param('id'));
    if (one === undefined) return unknown(c.req.param('id'));
    const read = await jsonBody(c.req.raw);
    if ('refusal' in read) return problemResponse(read.refusal);
    const parsed = question.safeParse(read.body);
    if (!parsed.success)
      return problemResponse({ status: 400, detail: bodyErrorText(parsed.error, QUESTION_EXAMPLE) });
    const { token, action: what, device } = parsed.data;
    const { outcome, detail } = await one.bluetooth.usePhone(token, what, device);
    if (outcome === 'done') return c.json({ outcome, truth: one.truth() });
    return problemResponse({ status: STATUSES[outcome], detail: `${outcome}: ${detail}` });
  });

  const allow = (methods: string) => () =>
    problemResponse({ status: 405, detail: `Use ${methods} here.`, allow: methods });
  app.all('/:id/bluetooth-tokens', allow('GET, POST'));
  app.all('/:id/bluetooth-tokens/:token', allow('DELETE'));
  app.all('/:id/bluetooth', allow('POST'));
  return app;
}

/** UTC, whole seconds, rounded down: at the displayed time a token is still valid. */
function dateTime(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`;
}
