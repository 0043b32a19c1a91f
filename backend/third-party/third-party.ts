import type { World } from '../../world/world.ts';
import type { MakerDesk } from '../commands/desk.ts';
import type { Counters } from '../counters.ts';
import type { RemoteInterface } from '../service.ts';
import type { Store } from '../store/store.ts';
import { makeTakeReport } from './arrivals.ts';
import { type MakerClient, makeMakerClient } from './client.ts';
import { makerLimits } from './limits.ts';
import { makeMakerDesk } from './maker-desk.ts';
import { MAKERS } from './makers.ts';
import { startPoller } from './poller.ts';
import type { NotificationParts } from './routes.ts';
import { notificationSecret } from './signature.ts';
import { keepSubscribed } from './subscriptions.ts';

export interface ThirdPartyParts {
  readonly world: Pick<World, 'time' | 'random' | 'mint' | 'seal' | 'http' | 'trace' | 'log'>;
  readonly store: Pick<Store, 'thirdParty' | 'commands'>;
  /** By the makers' names; those that are not known here are passed over. */
  readonly remotes: Readonly<Record<string, RemoteInterface>>;
  readonly baseUrl: string;
  readonly answerTimeoutMs: number;
  readonly hasExchange: boolean;
  readonly counters: Counters;
  /** Messages are in the outbox. */
  written(): void;
}

/** All of the backend that deals with makers' clouds. */
export interface ThirdParty {
  readonly desk: MakerDesk;
  /** For notificationRoutes. */
  readonly notifications: NotificationParts;
  /** Whether the maker has a vehicle of that identifier; `unclear` where it cannot be asked now. */
  knows(maker: string, makerVehicleId: string): Promise<'known' | 'unknown' | 'unclear'>;
  /** Answers everybody who waits for a maker, and sends no further command. */
  release(): void;
  stop(): Promise<void>;
  sever(): void;
}

/** Starts polling and registers for notifications; without remotes it asks nobody. */
export function startThirdParty(parts: ThirdPartyParts): ThirdParty {
  const { world, store, counters, remotes } = parts;
  const clients = new Map<string, MakerClient>();
  for (const maker of MAKERS) {
    const remote = remotes[maker.name];
    if (remote !== undefined) clients.set(maker.name, makeMakerClient(world, maker, remote));
  }
  const secretOf = (maker: string) => notificationSecret(world.seal, maker, remotes[maker]?.apiKey ?? '');
  const take = makeTakeReport({ ...parts, store: store.thirdParty });
  const desk = makeMakerDesk({
    world,
    commands: store.commands,
    store: store.thirdParty,
    clients,
    take,
    answerTimeoutMs: parts.answerTimeoutMs,
  });
  const work = { world, clients, counters };
  const poller = clients.size === 0 ? undefined : startPoller({ ...work, store: store.thirdParty, take });
  const unsubscribe = keepSubscribed({ ...work, baseUrl: parts.baseUrl, secretOf });

  return {
    desk,
    notifications: { ...work, secretOf, take },
    async knows(maker, makerVehicleId) {
      const reply = await clients.get(maker)?.ask(makerVehicleId, makerLimits.pollTimeoutMs);
      if (reply?.kind === 'report') return 'known';
      return reply?.kind === 'refused' && reply.meaning === 'unknown-vehicle' ? 'unknown' : 'unclear';
    },
    release: () => desk.stop(),
    async stop() {
      desk.stop();
      unsubscribe();
      await poller?.stop();
    },
    sever() {
      unsubscribe();
      poller?.sever();
    },
  };
}
