import { rabbitAccounts } from '../backend/events/rabbit-accounts.ts';
import { sharedAccounts } from '../backend/events/shared-accounts.ts';
import type { Store } from '../backend/store/store.ts';
import type { Http } from '../world/http.ts';
import type { Log } from '../world/log.ts';
import type { World } from '../world/world.ts';
import type { AmqpPlace } from './amqp-place.ts';
import type { DataDirectory } from './data-directory.ts';
import { startEmbeddedAmqp } from './embedded-amqp.ts';
import { Failure } from './failure.ts';
import { givenAmqp, refuseWithoutBroker, tryAccounts, tryAmqp } from './given-amqp.ts';
import type { StationOptions } from './station-options.ts';

/**
 * The broker for messages that `--amqp` names; undefined where it is `none`. A broker of the user's that is not there is
 * said once and waited for by the courier. Rejects with a `Failure` where something given cannot be used.
 */
export async function openAmqp(parts: {
  readonly options: StationOptions;
  readonly directory: DataDirectory;
  readonly store: Pick<Store, 'subscriptions'>;
  readonly seal: Pick<World['seal'], 'verifySecret' | 'digest'>;
  readonly http: Http;
  readonly nowMs: number;
  readonly log: Log;
  readonly notices: string[];
}): Promise<AmqpPlace | undefined> {
  const { options, store, http } = parts;
  const { amqp, givenAmqp: given } = options;
  if (options.amqpOwner !== undefined && amqp !== 'embedded') {
    throw new Failure(
      `--amqp-owner is for the embedded broker, and --amqp is "${amqp}". A broker of yours has accounts of its own: leave it away.`,
    );
  }
  if (amqp === 'none' || amqp === 'embedded') {
    refuseWithoutBroker(amqp, given);
    return amqp === 'none' ? undefined : startEmbeddedAmqp({ ...parts, users: store.subscriptions });
  }
  const place = givenAmqp(amqp, given, ({ address, adminUrl, consumer }) => {
    if (adminUrl !== undefined) return rabbitAccounts({ http }, { address, adminUrl });
    return consumer === undefined ? undefined : sharedAccounts(address, consumer);
  });
  const notice = await tryAmqp(place);
  if (notice !== undefined) process.stderr.write(`boxtwin: ${notice} Messages are kept until it is there.\n`);
  const unreachable = await tryAccounts(place);
  if (unreachable !== undefined) parts.notices.push(unreachable);
  return place;
}
