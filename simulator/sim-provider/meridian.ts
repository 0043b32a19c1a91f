import { z } from 'zod';
import { areSecretsEqual } from '../../world/crypto/equal-secrets.ts';
import { jsonBody } from '../http/guard.ts';
import { providerLimits } from '../limits.ts';
import { SIM_PROVIDER_FAULTS, type SimProvider } from './provider.ts';

const wish = z.strictObject({ status: z.enum(['ACTIVE', 'SUSPENDED']) });

/** REST style: a card's status is changed in place, a detachment is created. It supports everything. */
export const meridian: SimProvider = {
  name: 'meridian',
  isSignedIn: (request, apiKey) =>
    areSecretsEqual(request.headers.get('authorization') ?? '', `ApiKey ${apiKey}`),
  refuse(c, fault) {
    const { status, text } = SIM_PROVIDER_FAULTS[fault];
    if (fault === 'rate-limited') c.header('Retry-After', String(providerLimits.retryAfterS));
    return c.json({ error: { code: fault.replaceAll('-', '_').toUpperCase(), message: text } }, status);
  },
  routes(app, cards) {
    const cardDescription = (iccid: string, state: string) => ({ iccid, status: state.toUpperCase() });
    app.get('/v2/sims/:iccid', (c) => {
      const card = cards.find(c.req.param('iccid'));
      if (card === undefined) return meridian.refuse(c, 'unknown-card');
      return c.json(cardDescription(c.req.param('iccid'), card.sim()));
    });
    app.patch('/v2/sims/:iccid', async (c) => {
      const card = cards.find(c.req.param('iccid'));
      if (card === undefined) return meridian.refuse(c, 'unknown-card');
      const read = await jsonBody(c.req.raw);
      const parsed = wish.safeParse('body' in read ? read.body : undefined);
      if (!parsed.success) return meridian.refuse(c, 'bad-request');
      const { status } = parsed.data;
      card.setSim(status === 'ACTIVE' ? 'active' : 'suspended');
      return c.json(cardDescription(c.req.param('iccid'), status));
    });
    app.post('/v2/sims/:iccid/detachments', (c) => {
      const card = cards.find(c.req.param('iccid'));
      if (card === undefined) return meridian.refuse(c, 'unknown-card');
      card.setSim('detached');
      return c.json({ iccid: c.req.param('iccid'), detachment: 'REQUESTED' }, 202);
    });
  },
};
