import type { LinkEvents, LinkOptions } from '../../../world/link.ts';
import type { VirtualWorld } from '../../../world/virtual-world.ts';

/** Options that let a client in. */
export const options = (clientId: string, more: Partial<LinkOptions> = {}): LinkOptions => ({
  clientId,
  username: clientId,
  password: 'x',
  clean: true,
  keepAliveS: 60,
  connectTimeoutMs: 5_000,
  ...more,
});

/** A client that keeps what it is handed and acknowledges at once. */
export async function client(world: VirtualWorld, clientId: string, more: Partial<LinkOptions> = {}) {
  const texts: string[] = [];
  const closings: { readonly atMs: number; readonly reason: string }[] = [];
  const events: LinkEvents = {
    message(_topic, payload, _retained, acknowledge) {
      texts.push(Buffer.from(payload).toString());
      acknowledge();
    },
    closed: (reason) => closings.push({ atMs: world.loop.nowMs, reason }),
  };
  const session = await world.link.open(options(clientId, more), events);
  return { session, texts, closings };
}

/** A publication of a text. */
export const say = (text: string, topic = 'up') => ({ topic, payload: Buffer.from(text), retain: false });
