import { type MqttBroker, type MqttBrokerOptions, startMqttBroker } from '../../brokers/mqtt/broker.ts';
import { realLog } from '../../world/real-log.ts';

export const BOX = '00000000000000b1';
export const OTHER = '00000000000000b2';
export const secrets: Readonly<Record<string, string>> = { [BOX]: 'secret-1', [OTHER]: 'secret-2' };
export const BACKEND = { username: 'backend', password: 'backend-secret' };

export interface EmbeddedBroker extends MqttBroker {
  /** What it logged, as JSON lines. */
  readonly lines: string[];
}

/** The embedded broker with two boxes, on a free port. */
export async function startEmbedded(more: Partial<MqttBrokerOptions> = {}): Promise<EmbeddedBroker> {
  const lines: string[] = [];
  const broker = await startMqttBroker({
    host: '127.0.0.1',
    port: 0,
    backend: BACKEND,
    authenticate: async (boxId, secret) => secrets[boxId] === secret,
    log: realLog('debug', { write: (line: string) => lines.push(line) }),
    ...more,
  });
  return { ...broker, lines };
}
