import { Hono } from 'hono';
import { z } from 'zod';
import { SIM_PROVIDER_NAMES, type SimProviderName } from '../box-plan.ts';
import { jsonBody } from '../http/guard.ts';
import { problemResponse } from '../http/refusal.ts';
import { SIM_PROVIDER_MODES } from '../sim-provider/provider.ts';
import type { SimProviders } from '../sim-provider/providers.ts';

const wish = z.strictObject({ mode: z.enum(SIM_PROVIDER_MODES) });

/** The description of this part in the control API. */
export const SIM_PROVIDER_DESCRIPTION = {
  'GET /sim-providers': 'The simulated providers of SIM cards, and how each behaves.',
  'PUT /sim-providers/{name}/behaviour': {
    does: 'The provider answers every caller so from now on.',
    example: { mode: 'error' },
    body: z.toJSONSchema(wish),
  },
} as const;

/** The providers' interfaces below `/sim-providers/{name}`, and the operations on them. */
export function simProviderRoutes(providers: SimProviders): Hono {
  const app = new Hono();
  const providerDescription = (name: SimProviderName) => ({ name, mode: providers.modes()[name] });
  app.get('/', (c) => c.json({ items: SIM_PROVIDER_NAMES.map(providerDescription) }));
  app.all('/', () => problemResponse({ status: 405, detail: 'Use GET here.', allow: 'GET' }));
  app.put('/:name/behaviour', async (c) => {
    const name = SIM_PROVIDER_NAMES.find((one) => one === c.req.param('name'));
    if (name === undefined) {
      const detail = `There is no such provider. There are: ${SIM_PROVIDER_NAMES.join(', ')}.`;
      return problemResponse({ status: 404, detail });
    }
    const read = await jsonBody(c.req.raw);
    if ('refusal' in read) return problemResponse(read.refusal);
    const parsed = wish.safeParse(read.body);
    if (!parsed.success)
      return problemResponse({
        status: 400,
        detail: `mode: one of ${SIM_PROVIDER_MODES.join(', ')}. For example: {"mode":"error"}`,
      });
    providers.setMode(name, parsed.data.mode);
    return c.json(providerDescription(name));
  });
  app.all('/:name/behaviour', () => problemResponse({ status: 405, detail: 'Use PUT here.', allow: 'PUT' }));
  app.route('/', providers.app);
  return app;
}
