import { afterEach, beforeEach, describe } from 'vitest';
import type { MqttSession } from '../../world/mqtt/mqtt-client.ts';
import { type MqttTestBroker, mqttContractParts } from '../support/mqtt/mqtt-contract-parts.ts';
import { mqttClientMessages } from './mqtt-client-messages.ts';
import { mqttClientSessions } from './mqtt-client-sessions.ts';

/** The common behaviour of all implementations of `MqttClient`. `setUp` is called for each test. */
export function mqttClientContract(name: string, setUp: () => Promise<MqttTestBroker>): void {
  describe(`mqtt client: ${name}`, () => {
    let fixture: MqttTestBroker;
    let sessions: MqttSession[];

    beforeEach(async () => {
      fixture = await setUp();
      sessions = [];
    });
    afterEach(async () => {
      for (const session of sessions) session.drop();
      await fixture.close();
    });

    const bench = mqttContractParts(
      () => fixture,
      (session) => sessions.push(session),
    );
    mqttClientSessions(bench);
    mqttClientMessages(bench);
  });
}
