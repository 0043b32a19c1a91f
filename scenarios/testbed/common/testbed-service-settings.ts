import type { ServiceSettings } from '../../../backend/settings.ts';
import { queueName, TOPICS } from '../../../contract/messages.ts';
import { testbedLimits } from '../../limits.ts';
import { serviceSettings } from '../../service-settings.ts';
import { BACKEND, FLEETS, fleetIdOf, MAKER, SIM_KEYS } from './names.ts';

/** The client id of the service at the MQTT broker. */
export const CLIENT_ID = 'backend-theatre';

/** The initial queues: one for each topic and fleet. */
export const QUEUES: ServiceSettings['queues'] = FLEETS.flatMap((fleet) =>
  TOPICS.map(({ topic, message }) => ({
    name: queueName(topic, fleet),
    fleetId: fleetIdOf(fleet),
    messages: message,
  })),
);

/** The addresses of what a testbed's service needs. */
export interface TestbedAddresses {
  readonly serviceUrl: string;
  readonly simsUrl: string;
  readonly makerUrl: string;
  readonly accounts: ServiceSettings['accounts'];
  /** Whether some vehicle has its maker's telematics. */
  readonly hasMaker: boolean;
  /** The limit of calls a minute of each client; absent: none. */
  readonly rateLimit?: number | undefined;
}

/** The settings of a testbed's service, in both worlds. */
export function testbedServiceSettings(addresses: TestbedAddresses): ServiceSettings {
  const { serviceUrl, simsUrl, makerUrl, accounts, hasMaker, rateLimit } = addresses;
  const { name, apiKey } = MAKER;
  return serviceSettings({
    baseUrl: serviceUrl,
    mqtt: { clientId: CLIENT_ID, ...BACKEND },
    requestsPerMinute: rateLimit ?? testbedLimits.requestsPerMinute,
    simProviders: { url: simsUrl, apiKeys: SIM_KEYS },
    maker: hasMaker ? { name, baseUrl: makerUrl, apiKey } : undefined,
    accounts,
    queues: QUEUES,
  });
}
