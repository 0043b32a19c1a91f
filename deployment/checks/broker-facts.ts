import { rabbitAccounts } from '../../backend/events/rabbit-accounts.ts';
import { errorText } from '../../world/error-text.ts';
import { realHttp } from '../../world/http/real-http.ts';
import { realMqttClient } from '../../world/mqtt/real-mqtt-client.ts';
import type { AmqpEndpoint } from '../brokers/amqp-addresses.ts';
import {
  type BrokerFault,
  findAccountsFault,
  findAmqpFault,
  givenAmqp,
  refuseWithoutBroker,
} from '../brokers/given-amqp.ts';
import { serviceAccount } from '../directory/identity-secrets.ts';
import type { GivenAmqp } from '../shared/deployment-options.ts';
import { withoutPassword } from '../shared/user-errors.ts';
import type { MqttFacts } from './broker-judges.ts';
import { limits } from './limits.ts';

/** A client id that no service and no box has: an existing client with it would lose its connection. */
const CLIENT_ID = 'boxtwin-doctor';

/**
 * Signs in once at an MQTT broker as the service would. `password`: of the data directory; undefined: there is none
 * yet, so without an account in the URL the account of the service is unknown.
 */
export async function mqttFacts(url: string, password: string | undefined, ca?: string): Promise<MqttFacts> {
  const [node = ''] = url.split(',');
  const hasAccount = new URL(node).username !== '';
  const account = serviceAccount(url, password ?? '');
  const shared = {
    address: withoutPassword(url),
    username: account.username,
    isAccountKnown: hasAccount || password !== undefined,
  };
  try {
    const session = await realMqttClient({ url, ...(ca === undefined ? {} : { ca }) }).open(
      {
        ...account,
        clientId: CLIENT_ID,
        clean: true,
        keepAliveS: 60,
        connectTimeoutMs: limits.brokerMs,
      },
      { message: () => undefined, closed: () => undefined },
    );
    await session.end();
    return { ...shared, fault: undefined };
  } catch (error) {
    const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
    const code: unknown = cause instanceof Error && 'code' in cause ? cause.code : undefined;
    return {
      ...shared,
      fault: {
        code: typeof code === 'number' || typeof code === 'string' ? code : undefined,
        words: errorText(error).replaceAll(/\s+/g, ' '),
      },
    };
  }
}

/**
 * The broker that the options name; undefined where it is `embedded` or `none`. Throws a `CommandError` where an option
 * cannot be used.
 */
export function amqpEndpointOf(amqp: string, given: GivenAmqp): AmqpEndpoint | undefined {
  if (amqp === 'embedded' || amqp === 'none') {
    refuseWithoutBroker(amqp, given);
    return undefined;
  }
  return givenAmqp(amqp, given, ({ address, adminUrl }) =>
    adminUrl === undefined ? undefined : rabbitAccounts({ http: realHttp() }, { address, adminUrl }),
  );
}

/** Signs in once at the AMQP broker as the service would. */
export async function amqpFacts(endpoint: AmqpEndpoint): Promise<{
  readonly address: string;
  readonly fault: BrokerFault | undefined;
}> {
  const urls = typeof endpoint.url === 'string' ? [endpoint.url] : endpoint.url;
  return { address: urls.map(withoutPassword).join(', '), fault: await findAmqpFault(endpoint) };
}

/** Calls the management interface of the AMQP broker once. */
export async function adminFacts(
  endpoint: AmqpEndpoint,
  adminUrl: string,
): Promise<{ readonly address: string; readonly fault: BrokerFault | undefined }> {
  return { address: withoutPassword(adminUrl), fault: await findAccountsFault(endpoint) };
}
