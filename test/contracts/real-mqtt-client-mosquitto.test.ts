import { startMosquitto } from '../support/mqtt/mosquitto-process.ts';
import { accounts, realMqttTestBroker } from '../support/mqtt/real-mqtt-broker.ts';
import { mosquitto, withService } from '../support/run/external-services.ts';
import { mqttClientContract } from './mqtt-client-contract.ts';

await withService(mosquitto, (programs) => {
  mqttClientContract('mqtt.js and Mosquitto', async () => {
    const broker = await startMosquitto(programs, Object.values(accounts));
    return realMqttTestBroker(broker.url, 'forbidden/topic', () => broker.stop());
  });
});
