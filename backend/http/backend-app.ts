import type { World } from '../../world/world.ts';
import { rememberClients } from '../access/client-memory.ts';
import { accessRoutes, TOKEN_PATH } from '../access/routes.ts';
import type { Desk } from '../commands/desk.ts';
import { commandRoutes } from '../commands/routes.ts';
import type { ServiceSettings } from '../service.ts';
import type { Store } from '../store/store.ts';
import { vehicleRoutes } from '../vehicles/routes.ts';
import type { ModelKnowledge } from '../vehicles/view.ts';
import { type App, buildApp } from './app.ts';
import { makeAuthorize } from './authorize.ts';
import { problemPages } from './problem-pages.ts';

/** What the HTTP side of the backend needs from the assembly. */
export interface BackendAppParts {
  readonly world: Pick<World, 'time' | 'mint' | 'seal' | 'log'>;
  readonly store: Pick<Store, 'access' | 'vehicles'>;
  readonly settings: Pick<ServiceSettings, 'baseUrl'>;
  readonly desk: Desk;
  readonly models: ModelKnowledge;
}

/** The whole HTTP interface. `app.fetch(request)` answers a request, `app.request(path)` one of a test. */
export function buildBackendApp(parts: BackendAppParts): App {
  const { world, store, desk, models } = parts;
  const { baseUrl } = parts.settings;
  const app = buildApp({
    world,
    baseUrl,
    alsoTaken: { [TOKEN_PATH]: ['application/x-www-form-urlencoded'] },
  });
  const findClient = rememberClients(store.access, world.time);
  const authorize = makeAuthorize({ world, issuer: baseUrl, findClient });
  accessRoutes(app, { world, store: store.access, baseUrl });
  vehicleRoutes(app, { world, store: store.vehicles, models, authorize });
  commandRoutes(app, { world, store: store.vehicles, models, desk, authorize });
  problemPages(app);
  return app;
}
