import { queueName, TOPICS } from '../backend/events/topics.ts';
import type { Service } from '../backend/service.ts';
import { sleep, type Time } from '../world/time.ts';
import type { AmqpPlace } from './amqp-place.ts';
import type { MessageFacts } from './banner.ts';
import type { Identity } from './data-directory.ts';
import { limits } from './limits.ts';
import { withAccount } from './users-terms.ts';

const DISCRIMINATOR = 'demo';

/**
 * Sees to the subscription of the demo fleet to all topics, and tells how its states are read. Resolves once a consumer
 * may sign in, or after a moment where the broker or whoever makes its users is not there: then there is no account yet,
 * and `come` is told of it later.
 */
export async function subscribeDemo(parts: {
  readonly service: Pick<Service, 'ensureSubscription'>;
  readonly place: AmqpPlace;
  readonly identity: Identity;
  /** For a user of its own: follows from what only the data directory knows. */
  readonly password: string;
  readonly time: Time;
  come(account: Account): void;
}): Promise<MessageFacts> {
  const { service, place, identity, password, time } = parts;
  const username = `demo-${identity.fleet_id.toLowerCase()}`;
  const ensured = service.ensureSubscription({
    fleetId: identity.fleet_id,
    discriminator: DISCRIMINATOR,
    topics: TOPICS.map(({ topic }) => topic),
    username,
    password,
  });
  // Somebody else's broker, or whoever makes its users, may be away; the embedded one is only slow at times.
  const waitMs =
    place.accounts?.kind === 'own' && place.accounts.check === undefined
      ? limits.ownSubscriptionWaitMs
      : limits.subscriptionWaitMs;
  const isThere = await Promise.race([ensured.then(() => true), sleep(time, waitMs).then(() => false)]);
  if (place.accounts?.kind !== 'own')
    return messageFacts(place, place.accounts?.shared() ?? accountIn(place.url));
  const own = { username, password };
  if (!isThere)
    ensured.then(
      () => parts.come(own),
      () => undefined,
    );
  return messageFacts(place, isThere ? own : null);
}

interface Account {
  readonly username: string;
  readonly password: string;
}

function messageFacts({ addresses }: AmqpPlace, account: Account | null): MessageFacts {
  const { plain, tls, caPath } = addresses;
  const entered = (address: string | null) =>
    address === null || account === null ? address : withAccount(address, account);
  return {
    url: entered(plain),
    tlsUrl: entered(tls),
    caPath,
    account,
    queue: queueName('VehicleState_v1', DISCRIMINATOR),
  };
}

/** Where nobody makes accounts for consumers, the service's own is all that there is. */
function accountIn(url: AmqpPlace['url']): Account {
  const address = typeof url === 'string' ? url : url[0];
  const { username, password } = new URL(address ?? 'amqp://guest:guest@localhost');
  return username === ''
    ? { username: 'guest', password: 'guest' }
    : { username: decodeURIComponent(username), password: decodeURIComponent(password) };
}
