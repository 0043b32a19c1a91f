import type { MqttClient } from '../../world/mqtt/mqtt-client.ts';

/**
 * The same client, whose connections wait for `taking`: what a box sends before the service takes it would wait for
 * its next attempt.
 */
export function heldMqtt(mqtt: MqttClient, taking: Promise<void>): MqttClient {
  return {
    async open(options, events) {
      await taking;
      return mqtt.open(options, events);
    },
  };
}
