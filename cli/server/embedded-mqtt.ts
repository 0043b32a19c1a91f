import { type MqttBroker, startMqttBroker } from '../../brokers/mqtt/broker.ts';
import { areSecretsEqual } from '../../brokers/mqtt/sign-in.ts';
import type { Log } from '../../world/log/log.ts';
import { DEFAULT_PORTS, type LocalDeploymentOptions, noteOtherPort } from './deployment-options.ts';
import { LOOPBACK } from './http-server.ts';
import { BACKEND_USER } from './identity-secrets.ts';
import { listenOn } from './port.ts';

/**
 * Starts the embedded MQTT broker for the service and boxes. Rejects with a `CommandError` where it has no
 * port.
 */
export async function startEmbeddedMqtt(parts: {
  readonly options: Pick<LocalDeploymentOptions, 'mqttPort' | 'host'>;
  /** Of the service. */
  readonly password: string;
  /** The password of a box; undefined: there is no such box. */
  secretOf(boxId: string): string | undefined;
  readonly log: Log;
  readonly notices: string[];
}): Promise<MqttBroker> {
  const { mqttPort } = parts.options;
  const { server } = await listenOn(
    { port: mqttPort ?? DEFAULT_PORTS.mqtt, isGiven: mqttPort !== undefined, option: '--mqtt-port' },
    (port) =>
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
  noteOtherPort(parts.notices, 'MQTT', DEFAULT_PORTS.mqtt, server.port, mqttPort);
  return server;
}
