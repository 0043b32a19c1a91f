import { z } from 'zod';
import { areSecretsEqual } from '../../world/crypto/equal-secrets.ts';
import { jsonBody } from '../http/guard.ts';
import { SIM_PROVIDER_FAULTS, type SimProvider } from './provider.ts';

const call = z.strictObject({
  operation: z.enum(['card.read', 'card.activate', 'card.suspend']),
  card: z.string().max(20),
});

/**
 * One address for all operations, and 200 for every answer: the body says whether it worked. No detaching.
 */
export const harbour: SimProvider = {
  name: 'harbour',
  isSignedIn: (request, apiKey) => areSecretsEqual(request.headers.get('x-harbour-key') ?? '', apiKey),
  refuse(c, fault) {
    const { status, text } = SIM_PROVIDER_FAULTS[fault];
    return c.json({ ok: false, fault: { number: 1_000 + status, text } });
  },
  routes(app, cards) {
    app.post('/rpc', async (c) => {
      const read = await jsonBody(c.req.raw);
      const parsed = call.safeParse('body' in read ? read.body : undefined);
      if (!parsed.success) return harbour.refuse(c, 'bad-request');
      const { operation, card: iccid } = parsed.data;
      const card = cards.find(iccid);
      if (card === undefined) return harbour.refuse(c, 'unknown-card');
      if (operation === 'card.read') return c.json({ ok: true, card: iccid, state: card.sim() });
      const state = operation === 'card.activate' ? 'active' : 'suspended';
      card.setSim(state);
      return c.json({ ok: true, card: iccid, state });
    });
  },
};
