import type { Hono } from 'hono';
import { jsonBody } from '../../simulator/control/guard.ts';
import { problemResponse } from '../../simulator/control/refusal.ts';
import { limits } from '../limits.ts';
import { record } from './comparison.ts';
import type { SessionRecord } from './session-record.ts';
import { type ConsoleSources, controlRequest } from './sources.ts';

/** Weather and breaks by the words of the scenario language: what there is, what is in force, laying and lifting. */
export function faultRoutes(
  app: Hono,
  { control }: Pick<ConsoleSources, 'control'>,
  session: SessionRecord,
): void {
  app.get('/console/faults', () => control(controlRequest('/faults')));
  app.post('/console/faults', async (c) => {
    const read = await jsonBody(c.req.raw, limits.bodyBytes);
    if ('refusal' in read) return problemResponse(read.refusal);
    const { on, ...wish } = record(read.body);
    const note = await session.beforeFault(Array.isArray(on) ? on.map(String) : undefined, wish);
    const answer = await control(controlRequest('/faults', 'POST', read.body));
    if (!answer.ok) return answer;
    const laid = record(await answer.json());
    // What is over as soon as it has happened has no id, and is never lifted.
    note(String(laid['id'] ?? ''));
    return c.json(laid, answer.status === 201 ? 201 : 200);
  });
  app.post('/console/faults/:id/lift', async (c) => {
    const id = c.req.param('id');
    const answer = await control(controlRequest(`/faults/${encodeURIComponent(id)}`, 'DELETE'));
    if (answer.ok) session.lifted(id);
    return answer;
  });
}
