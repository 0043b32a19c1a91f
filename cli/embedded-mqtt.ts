import { type MqttBroker, startMqttBroker } from '../brokers/mqtt/broker.ts';
import { areEqual } from '../brokers/mqtt/sign-in.ts';
import type { BoxPlan } from '../simulator/fleet.ts';
import type { Log } from '../world/log.ts';
import { listenOn } from './port.ts';
import { DEFAULT_PORTS, noteMoved, type StationOptions } from './station-options.ts';

/** As whom the service signs in at the MQTT broker. */
export const BACKEND_USER = 'backend';

/** Starts the embedded MQTT broker for the service and these boxes. Rejects with a `Failure` where it has no port. */
export async function startEmbeddedMqtt(parts: {
  readonly options: Pick<StationOptions, 'mqttPort'>;
  /** Of the service. */
  readonly password: string;
  readonly boxes: readonly Pick<BoxPlan, 'boxId' | 'secret'>[];
  readonly log: Log;
  readonly notices: string[];
}): Promise<MqttBroker> {
  const { mqttPort } = parts.options;
  const secrets = new Map(parts.boxes.map(({ boxId, secret }) => [boxId, secret]));
  const { server } = await listenOn(
    { port: mqttPort ?? DEFAULT_PORTS.mqtt, isGiven: mqttPort !== undefined, option: '--mqtt-port' },
    (port) =>
      startMqttBroker({
        host: '127.0.0.1',
        port,
        backend: { username: BACKEND_USER, password: parts.password },
        authenticate: async (boxId, secret) => {
          const expected = secrets.get(boxId);
          return expected !== undefined && areEqual(secret, expected);
        },
        log: parts.log,
      }),
  );
  noteMoved(parts.notices, 'MQTT', DEFAULT_PORTS.mqtt, server.port, mqttPort);
  return server;
}
