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
 * may sign in, or after a moment where the broker is not there: the subscription is made when it comes.
 */
export async function subscribeDemo(parts: {
  readonly service: Pick<Service, 'ensureSubscription'>;
  readonly place: AmqpPlace;
  readonly identity: Identity;
  /** For a user of its own: follows from what only the data directory knows. */
  readonly password: string;
  readonly time: Time;
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
  await Promise.race([ensured, sleep(time, limits.subscriptionWaitMs)]);
  return messageFacts(place, place.accounts?.kind === 'own' ? { username, password } : undefined);
}

function messageFacts(
  { url, accounts, addresses }: AmqpPlace,
  own: { readonly username: string; readonly password: string } | undefined,
): MessageFacts {
  const account = own ?? accounts?.shared() ?? accountIn(typeof url === 'string' ? url : url[0]);
  const { plain, tls, caPath } = addresses;
  return {
    url: plain === null ? null : withAccount(plain, account),
    tlsUrl: tls === null ? null : withAccount(tls, account),
    caPath,
    ...account,
    queue: queueName('VehicleState_v1', DISCRIMINATOR),
  };
}

/** Where nobody makes accounts for consumers, the service's own is all that there is. */
function accountIn(address: string | undefined): { readonly username: string; readonly password: string } {
  const { username, password } = new URL(address ?? 'amqp://guest:guest@localhost');
  return username === ''
    ? { username: 'guest', password: 'guest' }
    : { username: decodeURIComponent(username), password: decodeURIComponent(password) };
}
