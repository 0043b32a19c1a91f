import { consoleApp } from '../../console/server/console-app.ts';
import type { MessageFeed } from '../../console/server/message-watch.ts';
import type { ConsoleSources } from '../../console/server/sources.ts';
import type { World } from '../../world/world.ts';
import { reachableHost, serveHttp } from '../http/http-server.ts';
import { listenAt } from '../http/port.ts';
import { hostsOf, makeSimulatorGuard, type SimulatorAccount } from '../http/simulator-guard.ts';
import type { ConsoleOptions } from '../shared/deployment-options.ts';
import type { Disposables } from '../shared/disposables.ts';
import { consolePageFiles } from './page-files.ts';
import { scenarioRunner } from './scenario-runner.ts';

/** What the console needs. */
export interface ConsoleStartParts extends ConsoleOptions {
  readonly world: Pick<World, 'time' | 'ids'>;
  readonly sources: ConsoleSources;
  readonly messages: MessageFeed | undefined;
  readonly seed: number;
  /** Scenarios are saved below it. */
  readonly data: string;
  readonly host: string | undefined;
  /** The account of the simulator: it grants access to the console too. */
  readonly account: SimulatorAccount | undefined;
  readonly notices: string[];
  readonly disposables: Disposables;
}

/** Serves the console; resolves with its address. Rejects with a `CommandError` where a given port is taken. */
export async function startConsole(parts: ConsoleStartParts): Promise<string> {
  const { world, sources, messages, seed, host, account, notices } = parts;
  const { app, end } = consoleApp({
    world,
    sources,
    messages,
    seed,
    map: parts.map,
    page: consolePageFiles(),
    scenarios: await scenarioRunner(parts.data, parts.disposables),
    hosts: hostsOf(account),
  });
  const guard = makeSimulatorGuard(account, world.time);
  const server = await listenAt('console', parts.port, notices, (port) =>
    serveHttp({ port, host }, async (request, peer) => (await guard(request, peer)) ?? app.fetch(request)),
  );
  // Before the service in this process ends: a subscription is deleted there.
  await parts.disposables.add(async () => {
    await end();
    await server.close();
  });
  return `http://${reachableHost(host)}:${server.port}`;
}
