import { consoleApp } from '../../console/server/console-app.ts';
import type { MessageFeed } from '../../console/server/message-watch.ts';
import type { ConsoleSources } from '../../console/server/sources.ts';
import type { World } from '../../world/world.ts';
import { DEFAULT_PORTS, noteOtherPort } from '../server/deployment-options.ts';
import { reachableHost, serveHttp } from '../server/http-server.ts';
import { listenOn } from '../server/port.ts';
import { accountRefusal, type SimulatorAccount } from '../server/simulator-guard.ts';
import type { Disposables } from '../shared/disposables.ts';
import type { MapGround } from './map-ground.ts';
import { consolePageFiles } from './page-files.ts';
import { scenarioBench } from './scenario-bench.ts';

/** What the user says of the console. */
export interface ConsoleOptions {
  /** Undefined: the usual one, or the next that is free. */
  readonly port: number | undefined;
  /** Undefined: the streets of the routes alone. */
  readonly map: MapGround | undefined;
}

/** What the console stands on. */
export interface ConsoleStartParts extends ConsoleOptions {
  readonly world: Pick<World, 'time' | 'ids'>;
  readonly sources: ConsoleSources;
  readonly messages: MessageFeed | undefined;
  readonly seed: number;
  /** Scenarios are saved below it. */
  readonly data: string;
  readonly host: string | undefined;
  /** The account of the simulator: who may use that may use this. */
  readonly account: SimulatorAccount | undefined;
  readonly notices: string[];
  readonly disposables: Disposables;
}

/** Serves the console; resolves with its address. Rejects with a `CommandError` where a given port is taken. */
export async function startConsole(parts: ConsoleStartParts): Promise<string> {
  const { world, sources, messages, seed, host, account, notices } = parts;
  const { app, end } = consoleApp({
    ...{ world, sources, messages, seed, map: parts.map, page: consolePageFiles() },
    scenarios: await scenarioBench(parts.data, parts.disposables),
    hosts: account === undefined ? 'loopback' : 'any',
  });
  const { server } = await listenOn(
    {
      port: parts.port ?? DEFAULT_PORTS.console,
      isGiven: parts.port !== undefined,
      option: '--console-port',
    },
    (port) => serveHttp({ port, host }, (request) => accountRefusal(request, account) ?? app.fetch(request)),
  );
  // Before the service beside it ends: a subscription is taken away there.
  await parts.disposables.add(async () => {
    await end();
    await server.close();
  });
  noteOtherPort(notices, 'the console', DEFAULT_PORTS.console, server.port, parts.port);
  return `http://${reachableHost(host)}:${server.port}`;
}
