import type { Store } from '../../backend/store/port/store.ts';
import type { ConsoleSources } from '../../console/server/sources.ts';
import type { World } from '../../world/world.ts';
import type { Identity } from '../directory/data-directory.ts';
import { secretsOf } from '../directory/identity-secrets.ts';
import type { SimulatorAccount } from '../http/simulator-guard.ts';
import type { ConsoleOptions, LocalDeploymentOptions } from '../shared/deployment-options.ts';
import type { Disposables } from '../shared/disposables.ts';
import type { MessageFacts } from '../shared/ready-facts.ts';
import { consoleClientOf, registerConsole } from './console-client.ts';
import { consoleMessageFeed } from './message-feed.ts';
import { startConsole } from './start-console.ts';

/** What the console needs of a service in this process. */
export interface ConsoleOfServiceParts extends ConsoleOptions {
  readonly options: Pick<LocalDeploymentOptions, 'host'>;
  readonly identity: Identity;
  readonly store: Pick<Store, 'access'>;
  readonly world: Pick<World, 'time' | 'ids' | 'crypto'>;
  readonly notices: string[];
  readonly disposables: Disposables;
  readonly account: SimulatorAccount | undefined;
  readonly baseUrl: string;
  readonly dataPath: string;
  /** Answers a request to the API, as its port does. */
  readonly answerApi: (request: Request) => Promise<Response>;
  readonly control: ConsoleSources['control'];
  /** How the messages of the demo fleet are read; null: no messages are published. */
  readonly messages: MessageFacts | null;
}

/** Starts the console of a service in this process. */
export async function startConsoleOf(parts: ConsoleOfServiceParts): Promise<string> {
  const { identity, store, world, baseUrl, messages } = parts;
  const client = consoleClientOf(identity, secretsOf(world.crypto, identity));
  await registerConsole(store, world, identity, client);
  return startConsole({
    world,
    notices: parts.notices,
    disposables: parts.disposables,
    account: parts.account,
    port: parts.port,
    map: parts.map,
    host: parts.options.host,
    seed: identity.seed,
    data: parts.dataPath,
    sources: {
      control: parts.control,
      service: { baseUrl, fetch: parts.answerApi, ...client },
    },
    messages:
      messages === null
        ? undefined
        : consoleMessageFeed({
            base_url: baseUrl,
            amqp_url: messages.url,
            data: parts.dataPath,
            client_id: client.clientId,
            client_secret: client.clientSecret,
          }),
  });
}
