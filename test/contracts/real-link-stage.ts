import type { Link, Session } from '../../world/link.ts';
import { realLink } from '../../world/real-link.ts';
import { freePort, until } from '../services.ts';
import type { LinkAccount, LinkStage } from './link-bench.ts';

/** The accounts that a broker must know for the contract. */
export const accounts = {
  box: account('00000000000000b1', 'secret of the box'),
  otherBox: account('00000000000000b2', 'secret of the other'),
  settler: account('00000000000000b3', 'secret of the settler'),
  backend: { clientId: 'backend-1', username: 'backend', password: 'secret of the backend' },
  witness: { clientId: 'backend-2', username: 'backend', password: 'secret of the backend' },
} as const;

function account(boxId: string, password: string): LinkAccount {
  return { clientId: boxId, username: boxId, password };
}

/** A stage over a broker that listens at `url`. */
export async function realLinkStage(
  url: string,
  forbiddenFilter: LinkStage['forbiddenFilter'],
  close: () => Promise<void>,
): Promise<LinkStage> {
  const link = realLink({ url });
  return {
    link,
    ...accounts,
    deadLink: realLink({ url: `mqtt://127.0.0.1:${await freePort()}` }),
    forbiddenFilter,
    until,
    settle: () => settle(link),
    close,
  };
}

/**
 * Lets messages of our own take the way there and back, several times: whatever the broker had before them is out by
 * then.
 */
async function settle(link: Link): Promise<void> {
  const heard: number[] = [];
  const options = { clean: true, keepAliveS: 60, connectTimeoutMs: 5_000 };
  const silent = { message: () => undefined, closed: () => undefined };
  const listener = await link.open(
    { ...accounts.settler, ...options },
    {
      message(_topic, payload, _retained, acknowledge) {
        heard.push(payload[0] ?? -1);
        acknowledge();
      },
      closed: () => undefined,
    },
  );
  await listener.subscribe(`boxes/${accounts.settler.clientId}/down`);
  const speaker: Session = await link.open(
    { ...accounts.backend, clientId: 'backend-settler', ...options },
    silent,
  );
  for (let round = 1; round <= 10; round++) {
    await speaker.publish({
      topic: `boxes/${accounts.settler.clientId}/down`,
      payload: Uint8Array.of(round),
      retain: false,
    });
    await until(() => heard.length === round);
  }
  await speaker.end();
  await listener.end();
}
