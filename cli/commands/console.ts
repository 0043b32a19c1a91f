import { closeSync, createReadStream, openSync, readSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { Readable } from 'node:stream';
import pc from 'picocolors';
import { replayApp } from '../../console/server/replay-app.ts';
import { realIds } from '../../world/ids/real-ids.ts';
import { realTime } from '../../world/time/real-time.ts';
import { consolePageFiles } from '../console/page-files.ts';
import { liveHere } from '../live/live-output.ts';
import { runPart, type StartedPart } from '../parts/run-part.ts';
import { DEFAULT_PORTS } from '../server/deployment-options.ts';
import { LOOPBACK, serveHttp } from '../server/http-server.ts';
import { listenOn } from '../server/port.ts';
import { CommandError } from '../shared/command-error.ts';

/** As commander hands them over. */
export interface ConsoleOptions {
  readonly port?: number;
  readonly json: boolean;
}

interface ConsoleFacts {
  readonly consoleUrl: string;
  readonly trace: string;
}

/** What a trace begins with: its header. */
const BEGIN = '{"kind":"header"';

/** Serves the replay of a trace until a signal. Throws a `CommandError` where the file is none. */
export function showConsole(trace: string, options: ConsoleOptions): Promise<void> {
  refuseOther(trace);
  return runPart(() => start(trace, options), {
    ...{ json: options.json, live: liveHere({ live: 'off', json: options.json }) },
    line: ({ consoleUrl }) => JSON.stringify({ ready: true, console_url: consoleUrl, trace }),
    banner: ({ consoleUrl }) =>
      `\n${pc.bold('boxtwin console')} shows ${trace}\n\n  ${consoleUrl}\n\n${pc.dim('Ctrl-C ends it.')}\n`,
  });
}

function start(trace: string, options: ConsoleOptions): StartedPart<ConsoleFacts> {
  let close = async (): Promise<void> => undefined;
  const begin = async (): Promise<ConsoleFacts> => {
    const app = replayApp({
      ids: realIds(realTime()),
      page: consolePageFiles(),
      trace: {
        name: basename(trace),
        size: statSync(trace).size,
        open: () => Readable.toWeb(createReadStream(trace)) as ReadableStream<Uint8Array>,
      },
    });
    const wanted = {
      port: options.port ?? DEFAULT_PORTS.console,
      isGiven: options.port !== undefined,
      option: '--port',
    };
    const { server } = await listenOn(wanted, (at) => serveHttp({ port: at }, app.fetch));
    close = () => server.close();
    return { consoleUrl: `http://${LOOPBACK}:${server.port}`, trace };
  };
  const ready = begin();
  ready.catch(() => undefined);
  return { reachable: ready, ready, figures: () => ({}), close: () => close() };
}

/** Throws a `CommandError` where a file cannot be read or does not begin as a trace does. */
function refuseOther(trace: string): void {
  const begin = Buffer.alloc(BEGIN.length);
  try {
    const file = openSync(trace, 'r');
    readSync(file, begin);
    closeSync(file);
  } catch (error) {
    throw new CommandError(
      `${trace} cannot be read: ${error instanceof Error ? error.message : String(error)}`,
    );
  }
  if (begin.toString() === BEGIN) return;
  throw new CommandError(
    `${trace} is no trace: the first line of one is its header. "boxtwin scenario run FILE --trace ${basename(trace)}" writes one.`,
  );
}
