import { Hono } from 'hono';
import { jsonBody } from '../http/guard.ts';
import { problemResponse } from '../http/refusal.ts';
import { controlLimits } from '../limits.ts';
import type { FaultPort } from './fault-api.ts';

/** The description of this part in the control API. */
export const FAULT_DESCRIPTION = {
  'GET /faults':
    'Weather and breaks of the scenario language: all kinds, with an example each; the active faults, and whether each has had an effect so far; the ended faults, the latest first, and whether each had an effect.',
  'POST /faults':
    '{"on": ["<box or vehicle id>"], "weather": {"latency": {"base": "2s"}}, "for": "1m"} applies weather; "break" in its place breaks a part: {"break": {"broker": "restart"}, "for": "20s"}. Without on: all boxes; without for: until it is removed. 201: it is active; 200: it happened at once, and struck says whether it had an effect.',
  'DELETE /faults/{id}': 'Removes a fault. The answer says whether it had an effect.',
} as const;

/** `findBox`: the box id of a box or vehicle id. */
export function faultRoutes(faults: FaultPort, findBox: (id: string) => Promise<string | undefined>): Hono {
  const app = new Hono();
  app.get('/', async (c) =>
    c.json({
      words: await faults.words(),
      in_force: await faults.inForce(),
      ended: await faults.ended(),
    }),
  );
  app.post('/', async (c) => {
    const read = await jsonBody(c.req.raw, controlLimits.faultBodyBytes);
    if ('refusal' in read) return problemResponse(read.refusal);
    const { on, ...wish } = (read.body ?? {}) as Readonly<Record<string, unknown>>;
    const boxIds: string[] = [];
    if (on !== undefined && (!Array.isArray(on) || on.length === 0))
      return problemResponse({
        status: 400,
        detail: 'on: a list of box or vehicle ids, or nothing for all boxes.',
      });
    for (const id of on ?? []) {
      const found = await findBox(String(id));
      if (found === undefined)
        return problemResponse({
          status: 404,
          detail: `No box and no vehicle has the id ${JSON.stringify(id)}. GET /boxes lists them.`,
        });
      boxIds.push(found);
    }
    const answer = await faults.begin(on === undefined ? undefined : boxIds, wish);
    switch (answer.kind) {
      case 'in-force':
        return c.json(answer.fault, 201);
      case 'happened':
        return c.json(answer.fault);
      case 'wrong':
        return problemResponse({ status: 400, detail: answer.detail });
      default:
        return answer satisfies never;
    }
  });
  app.delete('/:id', async (c) => {
    const id = c.req.param('id');
    const lifted = await faults.lift(id);
    if (lifted === undefined)
      return problemResponse({ status: 404, detail: `There is no active fault ${JSON.stringify(id)}.` });
    return c.json(lifted);
  });
  app.all('/', () => problemResponse({ status: 405, detail: 'Use GET or POST here.', allow: 'GET, POST' }));
  app.all('/:id', () => problemResponse({ status: 405, detail: 'Use DELETE here.', allow: 'DELETE' }));
  return app;
}
