import type { MqttClient, MqttConnectOptions, MqttSession } from '../../../world/mqtt/mqtt-client.ts';
import { BACKEND_ACCOUNT } from './embedded-mqtt-broker.ts';

export interface Subscriber {
  readonly session: MqttSession;
  readonly topics: string[];
  readonly texts: string[];
  readonly closings: string[];
  /** From now on it acknowledges what comes, beginning with what it has. */
  release(): void;
}

/** A session with the account of the backend (unless `more` says otherwise) that keeps what it hears. */
export async function openSubscriber(
  mqtt: MqttClient,
  more: Partial<MqttConnectOptions> & { readonly isHolding?: boolean } = {},
): Promise<Subscriber> {
  const { isHolding = false, ...options } = more;
  let isReleased = !isHolding;
  const held: (() => void)[] = [];
  const heard = { topics: [] as string[], texts: [] as string[], closings: [] as string[] };
  const session = await mqtt.open(
    {
      clientId: 'backend-1',
      ...BACKEND_ACCOUNT,
      clean: true,
      keepAliveS: 60,
      connectTimeoutMs: 5_000,
      ...options,
    },
    {
      message(topic, payload, _retained, acknowledge) {
        heard.topics.push(topic);
        heard.texts.push(new TextDecoder().decode(payload));
        if (isReleased) acknowledge();
        else held.push(acknowledge);
      },
      closed: (reason) => heard.closings.push(reason),
    },
  );
  return {
    session,
    ...heard,
    release() {
      isReleased = true;
      for (const acknowledge of held.splice(0)) acknowledge();
    },
  };
}
