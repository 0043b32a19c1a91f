import { Hono } from 'hono';
import type { Time } from '../../world/time/time.ts';
import type { FleetBox } from '../box/fleet-box.ts';
import { SIM_PROVIDER_NAMES, type SimProviderName } from '../box-plan.ts';
import type { Fleet } from '../fleet/fleet.ts';
import { ChangedCards } from './cards.ts';
import { harbour } from './harbour.ts';
import { meridian } from './meridian.ts';
import { misbehave, type SimCards, type SimProvider, type SimProviderMode } from './provider.ts';
import { tundra } from './tundra.ts';

export interface SimProvidersParts {
  readonly time: Time;
  /** The fleet with these cards, once it has started; before that there are no cards. */
  readonly fleet: () => Pick<Fleet, 'boxes'> | undefined;
  /** The key that a caller signs in with. */
  readonly apiKeys: Readonly<Record<SimProviderName, string>>;
}

/** The three providers, each served below its name, `/meridian/v2/sims/...`. */
export interface SimProviders {
  readonly app: Hono;
  /** Changes of the planned cards. */
  readonly cards: ChangedCards;
  /** The present mode of each provider. */
  modes(): Readonly<Record<SimProviderName, SimProviderMode>>;
  setMode(name: SimProviderName, mode: SimProviderMode): void;
  /** How many requests a provider's fault mode has affected. */
  failedRequests(name: SimProviderName): number;
}

const PROVIDERS: Readonly<Record<SimProviderName, SimProvider>> = { meridian, harbour, tundra };

/** Simulates the providers of the fleet's SIM cards: third-party interfaces that sometimes fail. */
export function simProviders(parts: SimProvidersParts): SimProviders {
  const modes: Record<SimProviderName, SimProviderMode> = {
    meridian: 'works',
    harbour: 'works',
    tundra: 'works',
  };
  const failed: Record<SimProviderName, number> = { meridian: 0, harbour: 0, tundra: 0 };
  const app = new Hono();
  const cards = new ChangedCards();
  for (const name of SIM_PROVIDER_NAMES)
    app.route(
      `/${name}`,
      interfaceOf(PROVIDERS[name], parts, cards, () => {
        if (modes[name] !== 'works') failed[name] += 1;
        return modes[name];
      }),
    );
  return {
    app,
    cards,
    modes: () => ({ ...modes }),
    setMode: (name, mode) => {
      modes[name] = mode;
    },
    failedRequests: (name) => failed[name],
  };
}

function interfaceOf(
  provider: SimProvider,
  parts: SimProvidersParts,
  cards: ChangedCards,
  modeOfRequest: () => SimProviderMode,
): Hono {
  const app = new Hono();
  app.use(async (c, next) => {
    const fault = await misbehave(modeOfRequest(), parts.time);
    if (fault !== undefined) return provider.refuse(c, fault);
    if (!provider.isSignedIn(c.req.raw, parts.apiKeys[provider.name]))
      return provider.refuse(c, 'unauthorized');
    return next();
  });
  provider.routes(app, cardsOf(provider.name, parts.fleet, cards));
  app.all('*', (c) => provider.refuse(c, 'not-offered'));
  return app;
}

/** The provider's cards. One table is built for the lifetime of the fleet. */
function cardsOf(name: SimProviderName, fleet: SimProvidersParts['fleet'], changed: ChangedCards): SimCards {
  let known: Pick<Fleet, 'boxes'> | undefined;
  let table: ReadonlyMap<string, FleetBox> = new Map();
  return {
    find(iccid) {
      const present = fleet();
      if (present !== known) {
        known = present;
        const own = [...(present?.boxes.values() ?? [])].filter((box) => box.plan.sim.provider === name);
        table = new Map(own.map((box) => [box.plan.sim.iccid, box]));
      }
      return changed.find(name, iccid) ?? table.get(iccid);
    },
  };
}
