import type { World } from '../../world/world.ts';
import type { Counters } from '../base/counters.ts';
import { makerLimits } from '../base/limits.ts';
import type { RemoteInterface } from '../base/remote-interface.ts';
import type { MakerCommands } from '../commands/command-dispatcher.ts';
import type { Store } from '../store/port/store.ts';
import { type MakerClient, makeMakerClient } from './client.ts';
import { makeMakerCommands } from './maker-commands.ts';
import { makeReceiveReport, type ReceiveReport } from './maker-reports.ts';
import { MAKERS } from './makers.ts';
import { startPoller } from './poller.ts';
import { notificationSecret } from './signature.ts';
import { keepSubscribed } from './subscriptions.ts';

export interface ThirdPartyParts {
  readonly world: Pick<World, 'time' | 'random' | 'ids' | 'crypto' | 'http' | 'trace' | 'log'>;
  readonly store: Pick<Store, 'thirdParty' | 'commands'>;
  /** By the makers' names; unknown ones are ignored. */
  readonly remotes: Readonly<Record<string, RemoteInterface>>;
  readonly baseUrl: string;
  readonly answerTimeoutMs: number;
  readonly hasMessageBroker: boolean;
  readonly counters: Counters;
  /** Messages are in the outbox. */
  messagesWritten(): void;
}

/** What the notifications of makers need. */
export interface NotificationParts {
  readonly world: Pick<World, 'time' | 'crypto'>;
  readonly clients: ReadonlyMap<string, MakerClient>;
  readonly secretOf: (maker: string) => string;
  readonly receiveReport: ReceiveReport;
  readonly counters: Counters;
}

/** Everything of the backend that deals with makers' clouds. */
export interface ThirdParty {
  readonly makerCommands: MakerCommands;
  /** For notificationRoutes. */
  readonly notifications: NotificationParts;
  /** Whether the maker has a vehicle of that identifier; `unclear` if it cannot be asked now. */
  knows(maker: string, makerVehicleId: string): Promise<'known' | 'unknown' | 'unclear'>;
  /** Answers all callers that wait for a maker, and sends no further command. */
  release(): void;
  stop(): Promise<void>;
  sever(): void;
}

/** Starts polling and registers for notifications; without remotes it calls no maker. */
export function startThirdParty(parts: ThirdPartyParts): ThirdParty {
  const { world, store, counters, remotes } = parts;
  const clients = new Map<string, MakerClient>();
  for (const maker of MAKERS) {
    const remote = remotes[maker.name];
    if (remote !== undefined) clients.set(maker.name, makeMakerClient(world, maker, remote));
  }
  const secretOf = (maker: string) => notificationSecret(world.crypto, maker, remotes[maker]?.apiKey ?? '');
  const receiveReport = makeReceiveReport({ ...parts, store: store.thirdParty });
  const makerCommands = makeMakerCommands({
    world,
    commands: store.commands,
    store: store.thirdParty,
    clients,
    receiveReport,
    answerTimeoutMs: parts.answerTimeoutMs,
  });
  const work = { world, clients, counters };
  const poller =
    clients.size === 0 ? undefined : startPoller({ ...work, store: store.thirdParty, receiveReport });
  const unsubscribe = keepSubscribed({ ...work, baseUrl: parts.baseUrl, secretOf });

  return {
    makerCommands,
    notifications: { ...work, secretOf, receiveReport },
    async knows(maker, makerVehicleId) {
      const reply = await clients.get(maker)?.ask(makerVehicleId, makerLimits.pollTimeoutMs);
      if (reply?.kind === 'report') return 'known';
      return reply?.kind === 'refused' && reply.meaning === 'unknown-vehicle' ? 'unknown' : 'unclear';
    },
    release: () => makerCommands.stop(),
    async stop() {
      makerCommands.stop();
      unsubscribe();
      await poller?.stop();
    },
    sever() {
      unsubscribe();
      poller?.sever();
    },
  };
}
