import type { MqttConnectOptions, MqttSessionEvents } from '../../../world/mqtt/mqtt-client.ts';
import type { VirtualWorld } from '../../../world/virtual-world.ts';

/** Options that let a client in. */
export const connectOptions = (
  clientId: string,
  more: Partial<MqttConnectOptions> = {},
): MqttConnectOptions => ({
  clientId,
  username: clientId,
  password: 'x',
  clean: true,
  keepAliveS: 60,
  connectTimeoutMs: 5_000,
  ...more,
});

/** A client that keeps what it is handed and acknowledges at once. */
export async function connectClient(
  world: VirtualWorld,
  clientId: string,
  more: Partial<MqttConnectOptions> = {},
) {
  const texts: string[] = [];
  const closings: { readonly atMs: number; readonly reason: string }[] = [];
  const events: MqttSessionEvents = {
    message(_topic, payload, _retained, acknowledge) {
      texts.push(Buffer.from(payload).toString());
      acknowledge();
    },
    closed: (reason) => closings.push({ atMs: world.loop.nowMs, reason }),
  };
  const session = await world.mqtt.open(connectOptions(clientId, more), events);
  return { session, texts, closings };
}

/** A publication of a text. */
export const publication = (text: string, topic = 'up') => ({
  topic,
  payload: Buffer.from(text),
  retain: false,
});
