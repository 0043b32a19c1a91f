import { type MqttBroker, startMqttBroker } from '../../brokers/mqtt/broker.ts';
import { areSecretsEqual } from '../../world/crypto/equal-secrets.ts';
import type { Log } from '../../world/log/log.ts';
import { BACKEND_USER } from '../directory/identity-secrets.ts';
import { LOOPBACK } from '../http/http-server.ts';
import { listenAt } from '../http/port.ts';
import type { LocalDeploymentOptions } from '../shared/deployment-options.ts';

/**
 * Starts the embedded MQTT broker for the service and boxes. Rejects with a `CommandError` where no port is available.
 */
export async function startEmbeddedMqtt(parts: {
  readonly options: Pick<LocalDeploymentOptions, 'mqttPort' | 'host'>;
  /** Of the service. */
  readonly password: string;
  /** The password of a box; undefined: the box does not exist. */
  secretOf(boxId: string): string | undefined;
  readonly log: Log;
  readonly notices: string[];
}): Promise<MqttBroker> {
  const { mqttPort } = parts.options;
  return listenAt('mqtt', mqttPort, parts.notices, (port) =>
    startMqttBroker({
      host: parts.options.host ?? LOOPBACK,
      port,
      backend: { username: BACKEND_USER, password: parts.password },
      authenticate: async (boxId, secret) => {
        const expected = parts.secretOf(boxId);
        return expected !== undefined && areSecretsEqual(secret, expected);
      },
      log: parts.log,
    }),
  );
}
