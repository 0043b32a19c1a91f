import { registerClient } from '../../backend/access/clients.ts';
import { redirectUriFault } from '../../backend/access/oauth/redirect-uri.ts';
import { REFERENCE_PATH, REFERENCE_REDIRECT_PATH } from '../../backend/http/openapi/reference.ts';
import { signingKeyId } from '../../backend/installation.ts';
import { type Service, type ServiceWorld, startService } from '../../backend/service.ts';
import type { Store } from '../../backend/store/port/store.ts';
import { PERMISSIONS } from '../../contract/permissions.ts';
import type { Time } from '../../world/time/time.ts';
import type { World } from '../../world/world.ts';
import type { AmqpEndpoint } from '../brokers/amqp-addresses.ts';
import type { DemoUser } from '../demo/demo-fleet.ts';
import { subscribeDemo } from '../demo/demo-messages.ts';
import type { DataDirectory } from '../directory/data-directory.ts';
import { serveHttp } from '../http/http-server.ts';
import { misdirectedRefusal } from '../http/installation.ts';
import { listenAt } from '../http/port.ts';
import { baseUrlOf, noteProxiedAddress } from '../http/public-address.ts';
import type { LocalDeploymentOptions } from '../shared/deployment-options.ts';
import type { Disposables } from '../shared/disposables.ts';
import { limits } from '../shared/limits.ts';
import type { BackendFacts, MessageFacts } from '../shared/ready-facts.ts';
import { withoutPassword } from '../shared/user-errors.ts';
import { type DemoServiceParts, demoServiceSettings } from './demo-service-settings.ts';

type Peer = { readonly address?: string };

/** What a service behind its API is started with. */
export interface ServedServiceParts
  extends Pick<
    DemoServiceParts,
    'shared' | 'secrets' | 'installationId' | 'hasMaker' | 'mqttUrl' | 'brokerIsNew' | 'accessTokenS'
  > {
  readonly options: DemoServiceParts['options'] &
    Pick<LocalDeploymentOptions, 'port' | 'host' | 'publicUrl' | 'trustedProxies' | 'beforeApi'>;
  readonly directory: DataDirectory;
  readonly world: ServiceWorld;
  readonly store: Store;
  /** The same store as the service sees it: with its faults. */
  readonly storeOfService: Store;
  /** Undefined: messages are not published. */
  readonly amqp: AmqpEndpoint | undefined;
  readonly notices: string[];
  readonly disposables: Disposables;
  /** The address of the simulator, below which SIM providers and makers are; read once the API has its port. */
  simulatorUrl(): string | Promise<string>;
  /** Handles a request to the service; absent: the service answers it directly. */
  answer?(request: Request, toService: () => Promise<Response>): Promise<Response>;
  /** The service runs, and may still wait for its broker. */
  started(service: Service): void;
}

export interface ServedService {
  readonly service: Service;
  readonly baseUrl: string;
  /** Null without a broker for messages. */
  readonly messages: MessageFacts | null;
  /** Answers a request to the API, as its port does. */
  fetch(request: Request, peer?: Peer): Promise<Response>;
}

/**
 * Starts the service and its API. Resolves when it is connected to its broker and the queues of the demonstration are
 * bound. Rejects with a `CommandError` where a port that the user gave is taken.
 */
export async function serveService(parts: ServedServiceParts): Promise<ServedService> {
  const { options, directory, world, store, secrets, amqp, notices, disposables } = parts;
  const { identity } = directory;
  const installation = signingKeyId(world.crypto);
  // The service's address is its issuer, so the port is opened before the service is started; requests meanwhile wait.
  const gate = Promise.withResolvers<Service>();
  const fetch = async (request: Request, peer: Peer = {}): Promise<Response> => {
    const misdirected = misdirectedRefusal(request, installation);
    if (misdirected !== undefined) return misdirected;
    const service = await gate.promise;
    const toService = async () => service.fetch(request, peer);
    return parts.answer === undefined ? toService() : parts.answer(request, toService);
  };
  const { host, trustedProxies, beforeApi } = options;
  const api = await listenAt('api', options.port, notices, (port) =>
    serveHttp({ port, host, trustedProxies }, (request, peer) =>
      beforeApi === undefined
        ? fetch(request, peer)
        : beforeApi(request, (passed) =>
            fetch(passed, passed === request ? peer : { address: peer.address ?? '' }),
          ),
    ),
  );
  // Until the service runs behind it, it is ended on its own: a failure in between must not leave it listening.
  await disposables.add(() => api.close());
  const baseUrl = baseUrlOf(options.publicUrl, host, api.port);
  noteProxiedAddress(notices, options, baseUrl);
  const referenceClientId = await registerReferencePage(store, world, {
    fleetId: identity.fleet_id,
    baseUrl,
    notices,
  });
  const simulatorUrl = await parts.simulatorUrl();
  const settings = demoServiceSettings({ ...parts, baseUrl, referenceClientId, simulatorUrl });
  const service = startService(world, parts.storeOfService, settings);
  gate.resolve(service);
  parts.started(service);
  await disposables.add(() => service.stop());
  await disposables.add(async () => {
    // Requests that wait for a box are answered while their sockets are still open.
    await service.release();
    await api.close();
  });
  await startedWithNotice(service, world.time, withoutPassword(parts.mqttUrl));
  const messages =
    amqp === undefined
      ? null
      : await subscribeDemo({
          service,
          endpoint: amqp,
          identity,
          time: world.time,
          password: secrets.consumerPassword,
          come: ({ username, password }) =>
            process.stderr.write(`boxtwin: the consumer is there now: ${username}  password ${password}\n`),
        });
  for (const { detail } of service.refusedQueues()) notices.push(detail);
  return { service, baseUrl, messages, fetch };
}

/** The banner's facts of a service, whatever other parts run. */
export function serviceFacts(
  {
    directory,
    options,
    mqttUrl,
    notices,
  }: Pick<ServedServiceParts, 'directory' | 'options' | 'mqttUrl' | 'notices'>,
  { baseUrl, messages }: ServedService,
  user: DemoUser,
): Pick<
  BackendFacts,
  | 'baseUrl'
  | 'mqttUrl'
  | 'messages'
  | 'fleetId'
  | 'clientId'
  | 'clientSecret'
  | 'user'
  | 'dataPath'
  | 'storeUrl'
  | 'seed'
  | 'notices'
> {
  const { identity } = directory;
  return {
    baseUrl,
    mqttUrl: withoutPassword(mqttUrl),
    messages,
    fleetId: identity.fleet_id,
    clientId: identity.client_id,
    clientSecret: identity.client_secret,
    user,
    dataPath: directory.path,
    storeUrl: options.store && withoutPassword(options.store),
    seed: identity.seed,
    notices,
  };
}

/** The client of the reference page: public, since a page cannot keep a secret. */
const REFERENCE_CLIENT = 'reference-page';

/**
 * Adds the client of the reference page to the store, with every permission, and resolves with its id. Its only
 * redirect URI is that page, at the current port of the service: the registration is updated. Where that redirect URI
 * is not allowed, since it is plain http and not loopback (RFC 8252, 7.3), the page has no client: resolves with
 * undefined, and a notice says why. Rejects with `StoreFailed`.
 */
export async function registerReferencePage(
  store: Pick<Store, 'access'>,
  world: Pick<World, 'crypto' | 'ids' | 'time'>,
  { fleetId, baseUrl, notices }: { fleetId: string; baseUrl: string; notices: string[] },
): Promise<string | undefined> {
  const redirectUri = `${baseUrl}${REFERENCE_REDIRECT_PATH}`;
  const fault = redirectUriFault(redirectUri);
  if (fault !== undefined) {
    notices.push(
      `sign-in at ${baseUrl}${REFERENCE_PATH} does not work, because its redirect URI ${fault}; everything else works. For sign-ins put a proxy with TLS before the API, and give its https address with --public-url`,
    );
    return undefined;
  }
  const known = await store.access.findClient(REFERENCE_CLIENT);
  if (known?.redirectUris?.join(' ') === redirectUri) return REFERENCE_CLIENT;
  const permissions = PERMISSIONS.map((row) => row.name);
  const client = { id: REFERENCE_CLIENT, isPublic: true, redirectUris: [redirectUri] };
  await registerClient(store.access, world, { ...client, fleetId, permissions });
  return REFERENCE_CLIENT;
}

/**
 * Resolves once the service is started. An external broker may be unreachable, or belong to another installation:
 * `tell` is called with one line about that, and another one where the reason has changed meanwhile.
 */
export async function startedWithNotice(
  service: Pick<Service, 'started' | 'mqttRefusal'>,
  time: Time,
  mqttUrl: string,
  tell: (line: string) => void = (line) => process.stderr.write(`boxtwin: ${line}\n`),
): Promise<void> {
  let told = '';
  let takeBack = (): void => undefined;
  const lookLater = (): void => {
    takeBack = time.alarm(time.nowMs() + limits.brokerNoticeMs, () => {
      const reason = service.mqttRefusal();
      const broker = `the MQTT broker at ${mqttUrl}`;
      const line =
        reason === undefined
          ? `waiting for ${broker}; Ctrl-C ends it.`
          : `${reason} Until then this service waits for ${broker}; Ctrl-C ends it.`;
      if (line !== told) tell(line);
      told = line;
      lookLater();
    });
  };
  lookLater();
  await service.started;
  takeBack();
}
