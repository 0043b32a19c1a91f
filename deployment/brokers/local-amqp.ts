import { sharedAccounts } from '../../backend/events/accounts.ts';
import { rabbitAccounts } from '../../backend/events/rabbit-accounts.ts';
import type { Store } from '../../backend/store/port/store.ts';
import type { Http } from '../../world/http/http.ts';
import type { Log } from '../../world/log/log.ts';
import type { World } from '../../world/world.ts';
import type { DataDirectory } from '../directory/data-directory.ts';
import { CommandError } from '../shared/command-error.ts';
import type { LocalDeploymentOptions } from '../shared/deployment-options.ts';
import type { AmqpEndpoint } from './amqp-addresses.ts';
import { startEmbeddedAmqp } from './embedded-amqp.ts';
import { givenAmqp, refuseWithoutBroker, tryAccounts, tryAmqp } from './given-amqp.ts';

/**
 * The message broker that `--amqp` names; undefined where it is `none`. An unreachable external broker is reported
 * once, and the publisher waits for it. Rejects with a `CommandError` where a given value cannot be used.
 */
export async function openAmqp(parts: {
  readonly options: Pick<
    LocalDeploymentOptions,
    'amqp' | 'givenAmqp' | 'amqpOwner' | 'amqpPort' | 'amqpsPort' | 'host' | 'amqpTap'
  >;
  readonly directory: DataDirectory;
  readonly store: Pick<Store, 'subscriptions'>;
  readonly crypto: Pick<World['crypto'], 'verifySecret' | 'deriveSecret' | 'digest'>;
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
