import type { OpenAPIHono } from '@hono/zod-openapi';
import type { VehicleModel } from '../../protocol/models/model.ts';
import type { World } from '../../world/world.ts';
import type { Desk } from '../commands/desk.ts';
import type { ServiceSettings } from '../service.ts';
import type { Store } from '../store/store.ts';

/** What the HTTP side of the backend needs from the assembly. */
export interface BackendAppParts {
  readonly world: Pick<World, 'time' | 'mint' | 'seal' | 'log'>;
  readonly store: Pick<Store, 'access' | 'vehicles'>;
  readonly settings: Pick<ServiceSettings, 'baseUrl'>;
  readonly desk: Desk;
  readonly models: ModelKnowledge;
}

/** What the vehicle models tell, by the name of a model. */
export interface ModelKnowledge {
  findModel(model: string): VehicleModel | undefined;
  /** Vehicle state capabilities, UPPER_SNAKE_CASE. */
  capabilitiesOf(model: string): readonly string[];
  /** Command capabilities, UPPER_SNAKE_CASE. */
  commandCapabilitiesOf(model: string): readonly string[];
}

/** The whole HTTP interface. `app.fetch(request)` answers a request, `app.request(path)` one of a test. */
export declare function buildBackendApp(parts: BackendAppParts): OpenAPIHono;
