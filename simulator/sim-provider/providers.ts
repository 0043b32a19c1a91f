import { Hono } from 'hono';
import type { Time } from '../../world/time.ts';
import type { Fleet, FleetBox } from '../fleet.ts';
import { type Mode, misbehave } from './behaviour.ts';
import { harbour } from './harbour.ts';
import { meridian } from './meridian.ts';
import { SIM_PROVIDER_NAMES, type SimProviderName } from './names.ts';
import type { Cards, Provider } from './provider.ts';
import { tundra } from './tundra.ts';

export interface SimProvidersParts {
  readonly time: Time;
  /** The fleet whose cards these are, once it is there; until then nobody has a card. */
  readonly fleet: () => Pick<Fleet, 'boxes'> | undefined;
  /** What a caller signs in with. */
  readonly apiKeys: Readonly<Record<SimProviderName, string>>;
}

/** The three providers, as they are served: each below its name, `/meridian/v2/sims/...`. */
export interface SimProviders {
  readonly app: Hono;
  /** How each behaves at present. */
  modes(): Readonly<Record<SimProviderName, Mode>>;
  setMode(name: SimProviderName, mode: Mode): void;
}

const PROVIDERS: Readonly<Record<SimProviderName, Provider>> = { meridian, harbour, tundra };

/** Simulates the providers of the fleet's SIM cards: other people's interfaces, which sometimes fail. */
export function simProviders(parts: SimProvidersParts): SimProviders {
  const modes: Record<SimProviderName, Mode> = { meridian: 'works', harbour: 'works', tundra: 'works' };
  const app = new Hono();
  for (const name of SIM_PROVIDER_NAMES)
    app.route(
      `/${name}`,
      interfaceOf(PROVIDERS[name], parts, () => modes[name]),
    );
  return {
    app,
    modes: () => ({ ...modes }),
    setMode: (name, mode) => {
      modes[name] = mode;
    },
  };
}

function interfaceOf(provider: Provider, parts: SimProvidersParts, mode: () => Mode): Hono {
  const app = new Hono();
  app.use(async (c, next) => {
    const fault = await misbehave(mode(), parts.time);
    if (fault !== undefined) return provider.refuse(c, fault);
    if (!provider.isSignedIn(c.req.raw, parts.apiKeys[provider.name]))
      return provider.refuse(c, 'unauthorized');
    return next();
  });
  provider.routes(app, cardsOf(provider.name, parts.fleet));
  app.all('*', (c) => provider.refuse(c, 'not-offered'));
  return app;
}

/** The provider's cards; they are looked up in one table, which lasts as long as the fleet. */
function cardsOf(name: SimProviderName, fleet: SimProvidersParts['fleet']): Cards {
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
      return table.get(iccid);
    },
  };
}
