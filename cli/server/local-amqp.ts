import { rabbitAccounts } from '../../backend/events/rabbit-accounts.ts';
import { sharedAccounts } from '../../backend/events/shared-accounts.ts';
import type { Store } from '../../backend/store/port/store.ts';
import type { Http } from '../../world/http/http.ts';
import type { Log } from '../../world/log/log.ts';
import type { World } from '../../world/world.ts';
import { CommandError } from '../shared/command-error.ts';
import type { AmqpEndpoint } from './amqp-addresses.ts';
import type { DataDirectory } from './data-directory.ts';
import type { LocalDeploymentOptions } from './deployment-options.ts';
import { startEmbeddedAmqp } from './embedded-amqp.ts';
import { givenAmqp, refuseWithoutBroker, tryAccounts, tryAmqp } from './given-amqp.ts';

/**
 * The broker for messages that `--amqp` names; undefined where it is `none`. A broker of the user's that is not there
 * is said once and waited for by the courier. Rejects with a `CommandError` where something given cannot be used.
 */
export async function openAmqp(parts: {
  readonly options: Pick<
    LocalDeploymentOptions,
    'amqp' | 'givenAmqp' | 'amqpOwner' | 'amqpPort' | 'amqpsPort' | 'host' | 'amqpTap'
  >;
  readonly directory: DataDirectory;
  readonly store: Pick<Store, 'subscriptions'>;
  readonly crypto: Pick<World['crypto'], 'verifySecret' | 'digest'>;
  readonly http: Http;
  readonly nowMs: number;
  readonly log: Log;
  readonly notices: string[];
}): Promise<AmqpEndpoint | undefined> {
  const { options, store, http } = parts;
  const { amqp, givenAmqp: given } = options;
  if (options.amqpOwner !== undefined && amqp !== 'embedded') {
    throw new CommandError(
      `--amqp-owner is for the embedded broker, and --amqp is "${amqp}". Your own broker has its own accounts: leave it out.`,
    );
  }
  if (amqp === 'none' || amqp === 'embedded') {
    refuseWithoutBroker(amqp, given);
    return amqp === 'none' ? undefined : startEmbeddedAmqp({ ...parts, users: store.subscriptions });
  }
  const endpoint = givenAmqp(amqp, given, ({ address, adminUrl, consumer }) => {
    if (adminUrl !== undefined) return rabbitAccounts({ http }, { address, adminUrl });
    return consumer === undefined ? undefined : sharedAccounts(address, consumer);
  });
  const notice = await tryAmqp(endpoint);
  if (notice !== undefined) process.stderr.write(`boxtwin: ${notice} Messages are kept until it is there.\n`);
  const unreachable = await tryAccounts(endpoint);
  if (unreachable !== undefined) parts.notices.push(unreachable);
  return endpoint;
}
