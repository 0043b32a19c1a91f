import { topics } from '../../protocol/topics.ts';
import type { MqttSession, MqttSessionEvents } from '../../world/mqtt/mqtt-client.ts';
import type { Time } from '../../world/time/time.ts';
import { limits } from '../base/limits.ts';
import { quote } from '../base/quoted-text.ts';
import { within } from '../base/within.ts';

export interface BrokerClaimParts {
  readonly time: Time;
  /** Of this backend. */
  readonly installationId: string;
}

/** `others`: the broker's installation id, or any other text there. */
export type BrokerClaimResult =
  | { readonly kind: 'ours' }
  | { readonly kind: 'others'; readonly holder: string };

/**
 * Ensures that no other installation uses an MQTT broker: the id of its installation is in a retained message on
 * `topics.installation`. For one session: `message` gets all that arrives over it.
 */
export interface BrokerClaim {
  /** True: it concerned the installation, and is acknowledged. */
  readonly message: (...parameters: Parameters<MqttSessionEvents['message']>) => boolean;
  /**
   * Reads whose the broker is, and claims an unclaimed one for this installation. Rejects with `MqttRefused` if the
   * broker does not allow the topic, and with `MqttConnectionLost`.
   */
  claim(session: Pick<MqttSession, 'subscribe' | 'publish'>): Promise<BrokerClaimResult>;
}

export function makeBrokerClaim({ time, installationId }: BrokerClaimParts): BrokerClaim {
  let first: string | undefined;
  let heard = Promise.withResolvers<void>();

  /** The first id that is received after the last call and within the time-out; undefined: none. */
  async function hear(): Promise<string | undefined> {
    await within(time, limits.brokerHolderMs, heard.promise);
    const id = first;
    first = undefined;
    heard = Promise.withResolvers();
    return id;
  }

  return {
    message(topic, payload, _isRetained, acknowledge) {
      if (topic !== topics.installation) return false;
      acknowledge();
      // Empty: it was cleared.
      if (payload.byteLength === 0) return true;
      first ??= new TextDecoder().decode(payload);
      heard.resolve();
      return true;
    },
    async claim(session) {
      await session.subscribe(topics.installation);
      // A retained message follows the broker's answer at once; nothing signals its absence.
      const held = await hear();
      if (held === installationId) return { kind: 'ours' };
      if (held !== undefined) return { kind: 'others', holder: held };
      await publish(session, installationId);
      // It is delivered back, after all earlier publications.
      const then = await hear();
      if (then === undefined || then === installationId) return { kind: 'ours' };
      // Two began at the same time, and the broker received the other claim first.
      await publish(session, then);
      return { kind: 'others', holder: then };
    },
  };
}

/** A backend must not use the broker. The message is for its operator: the two installations and the remedy. */
export class OtherInstallation extends Error {
  constructor(ownId: string, holder: string) {
    super(
      `Another installation uses this MQTT broker: ${topics.installation} holds ${quote(holder)}, and this one is ${ownId}. Give each installation a broker of its own; if the other one is gone, clear that retained message.`,
    );
  }
}

/** Why a backend must not use the broker, from the error of its attempt; undefined: another error. */
export function refusalOf(error: unknown): string | undefined {
  return error instanceof OtherInstallation ? error.message : undefined;
}

function publish(session: Pick<MqttSession, 'publish'>, id: string): Promise<void> {
  return session.publish({ topic: topics.installation, payload: new TextEncoder().encode(id), retain: true });
}
