import { Hono } from 'hono';
import { z } from 'zod';
import { jsonBody } from '../control/guard.ts';
import { refused } from '../control/refusal.ts';
import { MODES } from './behaviour.ts';
import { SIM_PROVIDER_NAMES, type SimProviderName } from './names.ts';
import type { SimProviders } from './providers.ts';

const wish = z.strictObject({ mode: z.enum(MODES) });

/** What the control face says of this part of it. */
export const SIM_PROVIDER_FACE = {
  'GET /sim-providers': 'The simulated providers of SIM cards, and how each behaves.',
  'PUT /sim-providers/{name}/behaviour': {
    does: 'The provider answers every caller so from now on.',
    example: { mode: 'error' },
    body: z.toJSONSchema(wish),
  },
} as const;

/** The providers' interfaces below `/sim-providers/{name}`, and the levers on them. */
export function simProviderFace(providers: SimProviders): Hono {
  const app = new Hono();
  const picture = (name: SimProviderName) => ({ name, mode: providers.modes()[name] });
  app.get('/', (c) => c.json({ items: SIM_PROVIDER_NAMES.map(picture) }));
  app.all('/', () => refused({ status: 405, detail: 'Use GET here.', allow: 'GET' }));
  app.put('/:name/behaviour', async (c) => {
    const name = SIM_PROVIDER_NAMES.find((one) => one === c.req.param('name'));
    if (name === undefined) {
      const detail = `There is no such provider. There are: ${SIM_PROVIDER_NAMES.join(', ')}.`;
      return refused({ status: 404, detail });
    }
    const read = await jsonBody(c.req.raw);
    if ('refusal' in read) return refused(read.refusal);
    const parsed = wish.safeParse(read.body);
    if (!parsed.success)
      return refused({
        status: 400,
        detail: `mode: one of ${MODES.join(', ')}. For example: {"mode":"error"}`,
      });
    providers.setMode(name, parsed.data.mode);
    return c.json(picture(name));
  });
  app.all('/:name/behaviour', () => refused({ status: 405, detail: 'Use PUT here.', allow: 'PUT' }));
  app.route('/', providers.app);
  return app;
}
