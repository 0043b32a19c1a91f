import { mosquitto, withService } from '../services.ts';
import { startMosquitto } from '../sockets/mosquitto-process.ts';
import { linkContract } from './link-contract.ts';
import { accounts, realLinkStage } from './real-link-stage.ts';

await withService(mosquitto, (programs) => {
  linkContract('mqtt.js and Mosquitto', async () => {
    const broker = await startMosquitto(programs, Object.values(accounts));
    return realLinkStage(broker.url, 'forbidden/topic', () => broker.stop());
  });
});
