import type { SimProviderName } from '../../../simulator/box-plan.ts';
import type { SimState } from '../../../simulator/firmware/core/box-hardware.ts';
import type { Fleet } from '../../../simulator/fleet/fleet.ts';
import { type SimProviders, simProviders } from '../../../simulator/sim-provider/providers.ts';
import { type Http, HttpUnreachable } from '../../../world/http/http.ts';
import { sleep, type Time } from '../../../world/time/time.ts';
import { type FakeBox, fakeFleet } from './fake-fleet.ts';

/**
 * The simulated providers as an external HTTP service at `http://sims.test`, with a fleet whose boxes are fakes.
 */
export function startSimProviders(time: Time): {
  readonly providers: SimProviders;
  readonly call: Http['call'];
  cardOf(provider: string): { readonly provider: string; readonly iccid: string };
  stateOf(provider: string): SimState;
} {
  const fleet = fakeFleet(6);
  const apiKeys: Record<SimProviderName, string> = {
    meridian: 'key-meridian',
    harbour: 'key-harbour',
    tundra: 'key-tundra',
  };
  const known: Pick<Fleet, 'boxes'> = fleet;
  const providers = simProviders({ time, fleet: () => known, apiKeys });
  const boxOf = (provider: string): FakeBox => {
    const box = [...fleet.boxes.values()].find((one) => one.plan.sim.provider === provider);
    if (box === undefined) throw new Error(`nobody has a card of ${provider}`);
    return box;
  };
  return {
    providers,
    cardOf: (provider) => boxOf(provider).plan.sim,
    stateOf: (provider) => boxOf(provider).sim(),
    async call({ method, url, headers, body, timeoutMs, maxBodyBytes }) {
      const asked = providers.app.request(url.replace('http://sims.test', ''), {
        method,
        headers,
        ...(body === undefined ? {} : { body }),
      });
      const response = await Promise.race([asked, sleep(time, timeoutMs)]);
      if (!(response instanceof Response)) throw new HttpUnreachable(`${method} ${url}: no answer in time`);
      const text = await response.text();
      if (text.length > maxBodyBytes) throw new HttpUnreachable(`${method} ${url}: the body is too long`);
      return { status: response.status, headers: Object.fromEntries(response.headers), body: text };
    },
  };
}
