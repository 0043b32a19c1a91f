import { LIMITS } from '../contract/limits.ts';
import { BULK_PATH } from '../contract/operation.ts';
import type { World } from '../world/world.ts';
import { rememberClients, rememberGrants, rememberTokens } from './access/client-memory.ts';
import { AUTHORIZE_PATH, DISCOVERY_PATH, REVOKE_PATH, TOKEN_PATH } from './access/oauth/paths.ts';
import { FORM } from './access/oauth/token-request.ts';
import type { CommandDispatcher, MakerCommands } from './commands/command-dispatcher.ts';
import type { BulkWorker } from './configuration/bulk-worker.ts';
import type { Configurator } from './configuration/configurator.ts';
import type { Connectivity } from './connectivity/connectivity.ts';
import { type App, type AppParts, buildApp } from './http/app.ts';
import { makeAuthorize } from './http/authorize.ts';
import {
  asyncApiRoutes,
  DOCUMENT_PATH,
  MESSAGES_DOCUMENT_PATH,
  openApiRoutes,
  PROBLEMS_PATH,
  problemPages,
} from './http/openapi/document-routes.ts';
import { INFO } from './http/openapi/openapi-parts.ts';
import { REFERENCE_PATH, referenceRoutes } from './http/openapi/reference.ts';
import { makeQuota } from './http/quota.ts';
import { bulkRoutes } from './http/routes/bulk-routes.ts';
import { commandRoutes } from './http/routes/command-routes.ts';
import { connectivityRoutes } from './http/routes/connectivity-routes.ts';
import { featureRoutes } from './http/routes/feature-routes.ts';
import { healthRoutes, metricsRoutes } from './http/routes/monitoring-routes.ts';
import { notificationRoutes } from './http/routes/notification-routes.ts';
import { oauthRoutes } from './http/routes/oauth-routes.ts';
import { subscriptionRoutes } from './http/routes/subscription-routes.ts';
import { vehicleRoutes } from './http/routes/vehicle-routes.ts';
import { makeSharedQuota } from './http/shared-quota.ts';
import { signingKeyId } from './installation.ts';
import type { Monitor } from './monitoring/monitor.ts';
import type { Operator } from './monitoring/operator.ts';
import type { ServiceSettings } from './settings.ts';
import type { Store } from './store/port/store.ts';
import type { Subscriptions } from './subscriptions/subscriptions.ts';
import type { ThirdParty } from './third-party/third-party.ts';
import type { ModelKnowledge } from './vehicles/capabilities.ts';

/** What the HTTP side of the backend needs from the assembly. */
export interface BackendAppParts {
  readonly world: Pick<World, 'time' | 'ids' | 'crypto' | 'log'>;
  readonly store: Pick<Store, 'access' | 'grants' | 'vehicles' | 'bulk' | 'configuration' | 'quotas'>;
  readonly settings: Pick<
    ServiceSettings,
    'baseUrl' | 'shared' | 'requestsPerMinute' | 'accessTokenS' | 'makers' | 'reference' | 'corsOrigins'
  >;
  readonly dispatcher: CommandDispatcher;
  readonly operator: Pick<Operator, 'failed'>;
  readonly makerCommands: MakerCommands;
  /** Absent: no maker's cloud is called, and none may send notifications. */
  readonly thirdParty?: Pick<ThirdParty, 'knows' | 'notifications'>;
  readonly connectivity: Connectivity;
  readonly bulk: Pick<BulkWorker, 'wake'>;
  readonly configurator: Configurator;
  readonly models: ModelKnowledge;
  readonly subscriptions: Subscriptions;
  /** Absent without a message broker. `written`: messages are in the outbox. */
  readonly messages?: { written(): void } | undefined;
  /** A vehicle was onboarded that is to be set up with this box. */
  onboarded(boxId: string): void;
  /** Absent: no health and metrics. */
  readonly monitor?: Monitor;
  /** Wraps every request. */
  readonly around?: AppParts['around'];
}

/** The whole HTTP interface. `app.fetch(request)` answers a request, `app.request(path)` one of a test. */
export function buildBackendApp(parts: BackendAppParts): App {
  const { world, store, dispatcher, makerCommands, models } = parts;
  const { baseUrl, shared, requestsPerMinute, accessTokenS } = parts.settings;
  const app = buildApp({
    world,
    operator: parts.operator,
    around: parts.around,
    baseUrl,
    corsOrigins: parts.settings.corsOrigins,
    alsoTaken: { [TOKEN_PATH]: [FORM], [REVOKE_PATH]: [FORM], [AUTHORIZE_PATH]: [FORM] },
    bodyBytes: { [BULK_PATH]: LIMITS.bulk.bodyBytes },
  });
  const findClient = rememberClients(store.access, world.time);
  const findGranted = rememberGrants(store.grants, world.time);
  const quota =
    shared === undefined
      ? makeQuota(world.time, requestsPerMinute)
      : makeSharedQuota(world.time, store.quotas, requestsPerMinute);
  const verifyToken = rememberTokens(world.crypto);
  const authorize = makeAuthorize({ world, issuer: baseUrl, verifyToken, findClient, findGranted }, quota);
  oauthRoutes(app, {
    world,
    store,
    baseUrl,
    accessTokenS: accessTokenS ?? (() => LIMITS.access.tokenLifeS),
  });
  vehicleRoutes(app, {
    world,
    store,
    models,
    authorize,
    makers: Object.keys(parts.settings.makers ?? {}),
    knowsAtMaker: parts.thirdParty?.knows,
    messages: parts.messages,
    onboarded: parts.onboarded,
  });
  commandRoutes(app, { world, store: store.vehicles, models, dispatcher, makerCommands, authorize });
  connectivityRoutes(app, { world, store: store.vehicles, connectivity: parts.connectivity, authorize });
  featureRoutes(app, {
    vehicles: store.vehicles,
    store: store.configuration,
    configurator: parts.configurator,
    authorize,
  });
  bulkRoutes(app, { world, store: store.bulk, created: () => parts.bulk.wake(), authorize });
  subscriptionRoutes(app, { subscriptions: parts.subscriptions, authorize });
  if (parts.thirdParty !== undefined) notificationRoutes(app, parts.thirdParty.notifications);
  if (parts.monitor !== undefined) {
    healthRoutes(app, parts.monitor.ready);
    metricsRoutes(app, parts.monitor.metrics);
  }
  problemPages(app);
  const digest = (text: string) => world.crypto.digest(text);
  openApiRoutes(app, baseUrl, digest);
  asyncApiRoutes(app, { baseUrl, broker: parts.subscriptions.accounts?.address }, digest);
  screenRequests(app, {
    baseUrl,
    hasReference: parts.settings.reference !== undefined,
    installation: signingKeyId(world.crypto),
  });
  if (parts.settings.reference !== undefined) referenceRoutes(app, parts.settings.reference, baseUrl);
  return app;
}

/**
 * GET /, for callers that know only the host: what this is, and links. It is a page like the reference, not
 * an operation of the API, so the document does not have it.
 */
function screenRequests(app: App, { baseUrl, hasReference, installation }: ScreeningOptions): void {
  const links = {
    ...(hasReference ? { reference: `${baseUrl}${REFERENCE_PATH}` } : {}),
    openapi: `${baseUrl}${DOCUMENT_PATH}`,
    asyncapi: `${baseUrl}${MESSAGES_DOCUMENT_PATH}`,
    problems: `${baseUrl}${PROBLEMS_PATH}`,
    authentication: `${baseUrl}${DISCOVERY_PATH}`,
    vehicles: `${baseUrl}/vehicles`,
  };
  app.get('/', (c) => c.json({ name: INFO.title, version: INFO.version, installation, links }));
}

interface ScreeningOptions {
  readonly baseUrl: string;
  /** Whether there is a reference page. */
  readonly hasReference: boolean;
  /** Whose service this is (`signingKeyId`). */
  readonly installation: string;
}
