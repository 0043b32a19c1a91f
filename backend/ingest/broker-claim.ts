import { topics } from '../../protocol/topics.ts';
import type { MqttSession, MqttSessionEvents } from '../../world/mqtt/mqtt-client.ts';
import type { Time } from '../../world/time/time.ts';
import { quote } from '../http/quoted-text.ts';
import { limits } from '../limits.ts';
import { within } from '../within.ts';

export interface BrokerClaimParts {
  readonly time: Time;
  /** Of this backend. */
  readonly installationId: string;
}

/** `others`: the id that the broker holds, or what else stands there. */
export type BrokerClaimResult =
  | { readonly kind: 'ours' }
  | { readonly kind: 'others'; readonly holder: string };

/**
 * Makes sure that no other installation uses an MQTT broker: the id of the one that does stands in a retained message on
 * `topics.installation`. For one session: `message` is given all that arrives over it.
 */
export interface BrokerClaim {
  /** True: it was about the installation, and is acknowledged. */
  readonly message: (...parameters: Parameters<MqttSessionEvents['message']>) => boolean;
  /**
   * Looks who has the broker, and takes it for this installation where nobody has. Rejects with `MqttRefused` where the
   * broker does not allow the topic, and with `MqttConnectionLost`.
   */
  claim(session: Pick<MqttSession, 'subscribe' | 'publish'>): Promise<BrokerClaimResult>;
}

export function makeBrokerClaim({ time, installationId }: BrokerClaimParts): BrokerClaim {
  let first: string | undefined;
  let heard = Promise.withResolvers<void>();

  /** The first id that is heard since the last call, and within some time from now; undefined: none. */
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
      // Empty: somebody has cleared it.
      if (payload.byteLength === 0) return true;
      first ??= new TextDecoder().decode(payload);
      heard.resolve();
      return true;
    },
    async claim(session) {
      await session.subscribe(topics.installation);
      // What a broker retains follows the answer at once; that there is nothing, no broker says.
      const held = await hear();
      if (held === installationId) return { kind: 'ours' };
      if (held !== undefined) return { kind: 'others', holder: held };
      await publish(session, installationId);
      // It comes back, behind all that others have published before.
      const then = await hear();
      if (then === undefined || then === installationId) return { kind: 'ours' };
      // Two began at the same time, and the broker had the other one's before.
      await publish(session, then);
      return { kind: 'others', holder: then };
    },
  };
}

/** A backend must not use the broker. The message is for its operator: whose it is, which installation this is, what to do. */
export class OtherInstallation extends Error {
  constructor(ownId: string, holder: string) {
    super(
      `Another installation uses this MQTT broker: ${topics.installation} holds ${quote(holder)}, and this one is ${ownId}. Give each installation a broker of its own; if the other one is gone, clear that retained message.`,
    );
  }
}

/** Why a backend must not use the broker, of what its attempt has failed with; undefined: it failed with something else. */
export function refusalOf(error: unknown): string | undefined {
  return error instanceof OtherInstallation ? error.message : undefined;
}

function publish(session: Pick<MqttSession, 'publish'>, id: string): Promise<void> {
  return session.publish({ topic: topics.installation, payload: new TextEncoder().encode(id), retain: true });
}
