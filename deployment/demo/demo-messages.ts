import type { Service } from '../../backend/service.ts';
import { queueName, TOPICS } from '../../contract/messages.ts';
import { type Time, valueWithin } from '../../world/time/time.ts';
import type { AmqpEndpoint } from '../brokers/amqp-addresses.ts';
import type { Identity } from '../directory/data-directory.ts';
import { limits } from '../shared/limits.ts';
import type { MessageFacts } from '../shared/ready-facts.ts';
import { withAccount } from '../shared/user-errors.ts';

const DISCRIMINATOR = 'demo';

/**
 * Creates the demo fleet's subscription to all topics, and returns how its states are read. Resolves once a consumer
 * may sign in, or after a moment where the broker or its management interface does not answer: then there is no account
 * yet, and `come` is called with it later.
 */
export async function subscribeDemo(parts: {
  readonly service: Pick<Service, 'ensureSubscription'>;
  readonly endpoint: AmqpEndpoint;
  readonly identity: Identity;
  /** For its own user: derived from a secret of the data directory. */
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
  // An external broker or its management interface may be unreachable; the embedded one is only slow at times.
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

/** Without a management interface for consumers' accounts, the service's own is the only account. */
function accountIn(url: AmqpEndpoint['url']): Account {
  const address = typeof url === 'string' ? url : url[0];
  const { username, password } = new URL(address ?? 'amqp://guest:guest@localhost');
  return username === ''
    ? { username: 'guest', password: 'guest' }
    : { username: decodeURIComponent(username), password: decodeURIComponent(password) };
}
