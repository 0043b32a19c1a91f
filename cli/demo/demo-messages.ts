import { queueName, TOPICS } from '../../backend/events/topics.ts';
import type { Service } from '../../backend/service.ts';
import { type Time, valueWithin } from '../../world/time/time.ts';
import { limits } from '../limits.ts';
import type { AmqpEndpoint } from '../server/amqp-addresses.ts';
import type { MessageFacts } from '../server/banner.ts';
import type { Identity } from '../server/data-directory.ts';
import { withAccount } from '../shared/user-errors.ts';

const DISCRIMINATOR = 'demo';

/**
 * Sees to the subscription of the demo fleet to all topics, and tells how its states are read. Resolves once a consumer
 * may sign in, or after a moment where the broker or whoever makes its users is not there: then there is no account
 * yet, and `come` is told of it later.
 */
export async function subscribeDemo(parts: {
  readonly service: Pick<Service, 'ensureSubscription'>;
  readonly endpoint: AmqpEndpoint;
  readonly identity: Identity;
  /** For a user of its own: follows from what only the data directory knows. */
  readonly password: string;
  readonly time: Time;
  come(account: Account): void;
}): Promise<MessageFacts> {
  const { service, endpoint, identity, password, time } = parts;
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
    endpoint.accounts?.kind === 'own' && endpoint.accounts.check === undefined
      ? limits.ownSubscriptionWaitMs
      : limits.subscriptionWaitMs;
  const isThere =
    (await valueWithin(
      time,
      waitMs,
      ensured.then(() => true),
    )) ?? false;
  if (endpoint.accounts?.kind !== 'own')
    return messageFacts(endpoint, endpoint.accounts?.shared() ?? accountIn(endpoint.url));
  const own = { username, password };
  if (!isThere)
    ensured.then(
      () => parts.come(own),
      () => undefined,
    );
  return messageFacts(endpoint, isThere ? own : null);
}

interface Account {
  readonly username: string;
  readonly password: string;
}

function messageFacts({ addresses }: AmqpEndpoint, account: Account | null): MessageFacts {
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
function accountIn(url: AmqpEndpoint['url']): Account {
  const address = typeof url === 'string' ? url : url[0];
  const { username, password } = new URL(address ?? 'amqp://guest:guest@localhost');
  return username === ''
    ? { username: 'guest', password: 'guest' }
    : { username: decodeURIComponent(username), password: decodeURIComponent(password) };
}
