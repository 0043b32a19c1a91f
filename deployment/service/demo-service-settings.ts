import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { ReferenceAssets } from '../../backend/http/openapi/reference.ts';
import { processMetrics } from '../../backend/monitoring/process-metrics.ts';
import type { ServiceSettings } from '../../backend/settings.ts';
import { serviceSettings } from '../../scenarios/service-settings.ts';
import { realFiles } from '../../world/files/real-files.ts';
import type { AmqpEndpoint } from '../brokers/amqp-addresses.ts';
import { DEMO_MAKER } from '../demo/demo-fleet.ts';
import type { DataDirectory } from '../directory/data-directory.ts';
import {
  type IdentitySecrets,
  serviceAccount,
  serviceClientId,
  simApiKeys,
} from '../directory/identity-secrets.ts';
import { MAKERS_PATH, SIM_PROVIDERS_PATH } from '../http/simulator-guard.ts';
import type { LocalDeploymentOptions } from '../shared/deployment-options.ts';

/** What the service of a data directory is started with. */
export interface DemoServiceParts {
  readonly options: Pick<
    LocalDeploymentOptions,
    'rateLimit' | 'answerTimeoutS' | 'alertUrl' | 'corsOrigins' | 'amqp' | 'store'
  >;
  readonly directory: Pick<DataDirectory, 'identity' | 'watchedPaths'>;
  /** Of the store (`openStore`). */
  readonly shared: ServiceSettings['shared'];
  readonly secrets: IdentitySecrets;
  readonly installationId: string;
  readonly baseUrl: string;
  /** Of the reference page (`registerReferencePage`). */
  readonly referenceClientId: string | undefined;
  /** Of the simulator, below which SIM providers and makers are. */
  readonly simulatorUrl: string;
  /** Some vehicles have their maker's telematics. */
  readonly hasMaker: boolean;
  /** May contain the account of the service at that broker. */
  readonly mqttUrl: string;
  /** The embedded broker loses its sessions with the process, including wills. */
  readonly brokerIsNew: boolean;
  readonly amqp: Pick<AmqpEndpoint, 'accounts' | 'queueType'> | undefined;
  accessTokenS?(): number;
}

/** The settings of the service of a demo fleet, in a process with its boxes or without. */
export function demoServiceSettings(parts: DemoServiceParts): ServiceSettings {
  const { options, directory, secrets, simulatorUrl, amqp } = parts;
  const reference = referenceAssets();
  const { referenceClientId: clientId } = parts;
  return serviceSettings({
    baseUrl: parts.baseUrl,
    // An embedded broker belongs to this deployment, and is empty at first: asking it would only take time.
    ...(parts.brokerIsNew ? {} : { installationId: parts.installationId }),
    accessTokenS: parts.accessTokenS,
    requestsPerMinute: options.rateLimit,
    mqtt: {
      clientId: serviceClientId(directory.identity),
      ...serviceAccount(parts.mqttUrl, secrets.mqttPassword),
    },
    shared: parts.shared,
    brokerIsNew: parts.brokerIsNew,
    answerTimeoutMs: options.answerTimeoutS === undefined ? undefined : options.answerTimeoutS * 1_000,
    alertUrl: options.alertUrl,
    reference: reference && { ...reference, ...(clientId === undefined ? {} : { clientId }) },
    corsOrigins: options.corsOrigins,
    simProviders: { url: `${simulatorUrl}${SIM_PROVIDERS_PATH}`, apiKeys: simApiKeys(secrets) },
    maker: parts.hasMaker
      ? {
          name: DEMO_MAKER,
          baseUrl: `${simulatorUrl}${MAKERS_PATH}/${DEMO_MAKER}`,
          apiKey: secrets.makerKey(DEMO_MAKER),
        }
      : undefined,
    processMetrics,
    dataFiles: {
      files: realFiles(),
      paths: directory.watchedPaths({
        hasBroker: options.amqp === 'embedded',
        hasStore: options.store === undefined,
      }),
    },
    accounts: amqp?.accounts,
    queueType: amqp?.queueType,
  });
}

const SCRIPT = 'swagger-ui-bundle.js';
const STYLE = 'swagger-ui.css';
const REDIRECT_SCRIPT = 'oauth2-redirect.js';

/**
 * The files of the reference page: in the published package next to the program, in a checkout from their library.
 * Undefined where neither exists (a checkout without its development dependencies).
 */
export function referenceAssets(): ReferenceAssets | undefined {
  const folder = [packaged, installed].map((find) => find()).find((path) => path !== undefined);
  return folder === undefined
    ? undefined
    : {
        script: new Uint8Array(readFileSync(folder + SCRIPT)),
        style: new Uint8Array(readFileSync(folder + STYLE)),
        redirectScript: new Uint8Array(readFileSync(folder + REDIRECT_SCRIPT)),
      };
}

/** `dist/reference/`, which the build fills. */
function packaged(): string | undefined {
  const folder = fileURLToPath(new URL('../../reference/', import.meta.url));
  return existsSync(folder + SCRIPT) ? folder : undefined;
}

function installed(): string | undefined {
  try {
    const script = createRequire(import.meta.url).resolve(`swagger-ui-dist/${SCRIPT}`);
    return script.slice(0, -SCRIPT.length);
  } catch {
    return undefined;
  }
}
