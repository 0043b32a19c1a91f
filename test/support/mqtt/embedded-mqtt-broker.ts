import { type MqttBroker, type MqttBrokerOptions, startMqttBroker } from '../../../brokers/mqtt/broker.ts';
import { realLog } from '../../../world/log/real-log.ts';

export const BOX_ID = '00000000000000b1';
export const OTHER_BOX_ID = '00000000000000b2';
export const secrets: Readonly<Record<string, string>> = { [BOX_ID]: 'secret-1', [OTHER_BOX_ID]: 'secret-2' };
export const BACKEND_ACCOUNT = { username: 'backend', password: 'backend-secret' };

export interface EmbeddedMqttBroker extends MqttBroker {
  /** What it logged, as JSON lines. */
  readonly lines: string[];
}

/** The embedded broker with two boxes, on a free port. */
export async function startEmbeddedMqtt(more: Partial<MqttBrokerOptions> = {}): Promise<EmbeddedMqttBroker> {
  const lines: string[] = [];
  const broker = await startMqttBroker({
    host: '127.0.0.1',
    port: 0,
    backend: BACKEND_ACCOUNT,
    authenticate: async (boxId, secret) => secrets[boxId] === secret,
    log: realLog('debug', { output: { write: (line: string) => lines.push(line) } }),
    ...more,
  });
  return { ...broker, lines };
}
