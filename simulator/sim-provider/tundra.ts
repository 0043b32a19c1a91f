import { areSecretsEqual } from '../../world/crypto/equal-secrets.ts';
import { providerLimits } from '../limits.ts';
import { SIM_PROVIDER_FAULTS, type SimProvider } from './provider.ts';

/** Signs in with the key as the user name, and answers success without a body. It can only detach. */
export const tundra: SimProvider = {
  name: 'tundra',
  isSignedIn: (request, apiKey) =>
    areSecretsEqual(request.headers.get('authorization') ?? '', `Basic ${btoa(`${apiKey}:`)}`),
  refuse(c, fault) {
    const { status, text } = SIM_PROVIDER_FAULTS[fault];
    if (fault === 'rate-limited') c.header('Retry-After', String(providerLimits.retryAfterS));
    return c.json({ errors: [{ status: String(status), title: fault, detail: text }] }, status);
  },
  routes(app, cards) {
    app.get('/subscribers/:iccid', (c) => {
      const card = cards.find(c.req.param('iccid'));
      if (card === undefined) return tundra.refuse(c, 'unknown-card');
      return c.json({ data: { id: c.req.param('iccid'), attributes: { state: card.sim() } } });
    });
    app.delete('/subscribers/:iccid/location', (c) => {
      const card = cards.find(c.req.param('iccid'));
      if (card === undefined) return tundra.refuse(c, 'unknown-card');
      card.setSim('detached');
      return c.body(null, 204);
    });
  },
};
