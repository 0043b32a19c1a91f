import type { MqttClient } from '../../world/mqtt/mqtt-client.ts';

/**
 * The same client, whose connections wait for `taking`: a payload that a box sends before the service accepts it would
 * wait for the box's next attempt.
 */
export function heldMqtt(mqtt: MqttClient, taking: Promise<void>): MqttClient {
  return {
    async open(options, events) {
      await taking;
      return mqtt.open(options, events);
    },
  };
}
