import { basename } from 'node:path';
import pc from 'picocolors';
import { replayApp } from '../../console/server/replay-app.ts';
import { consolePageFiles } from '../../deployment/console/page-files.ts';
import { LOOPBACK, serveHttp } from '../../deployment/http/http-server.ts';
import { listenOn, PORTS } from '../../deployment/http/port.ts';
import {
  closeInput,
  inputSize,
  openFile,
  readSome,
  streamOfFile,
} from '../../deployment/input/input-file.ts';
import { INPUT_FILES } from '../../deployment/input/input-kinds.ts';
import { CommandError } from '../../deployment/shared/command-error.ts';
import type { StartedPart } from '../../deployment/shared/started-part.ts';
import { realIds } from '../../world/ids/real-ids.ts';
import { realTime } from '../../world/time/real-time.ts';
import { liveHere } from '../live/live-output.ts';
import { runPart } from '../live/run-part.ts';

/** As commander hands them over, with the name of the command. */
export interface ConsoleOptions {
  /** `replay`, or `console`. */
  readonly name: string;
  readonly port?: number;
  readonly json: boolean;
}

interface ConsoleFacts {
  readonly consoleUrl: string;
  readonly trace: string;
}

/** The header at the start of a trace. A program that has rewritten its JSON may have inserted spaces. */
const BEGIN = /^\s*\{\s*"kind"\s*:\s*"header"/;
const BEGIN_BYTES = 256;

/** Serves the replay of a trace until a signal. Throws a `CommandError` where the file is none. */
export function showConsole(trace: string, options: ConsoleOptions): Promise<void> {
  refuseOther(trace);
  return runPart(() => start(trace, options), {
    json: options.json,
    live: liveHere({ live: 'off', quiet: true, json: options.json }),
    line: ({ consoleUrl }) => JSON.stringify({ ready: true, console_url: consoleUrl, trace }),
    banner: ({ consoleUrl }) =>
      `\n${pc.bold(`boxtwin ${options.name}`)} shows ${trace}\n\n  ${consoleUrl}\n\n${pc.dim('Ctrl-C ends it.')}\n`,
    notices: () => [],
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
        size: inputSize('trace', trace),
        open: () => streamOfFile(trace),
      },
    });
    const wanted = {
      port: options.port ?? PORTS.console.usual,
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

/** Throws a `CommandError` where a file cannot be read or does not begin with the header of a trace. */
function refuseOther(trace: string): void {
  const begin = Buffer.alloc(BEGIN_BYTES);
  const opened = openFile(trace);
  if ('fault' in opened)
    throw new CommandError(`${INPUT_FILES.trace.what} ${trace} ${opened.fault}. ${howToWrite(trace)}`);
  try {
    readSome(opened.handle, begin);
  } finally {
    closeInput(opened.handle);
  }
  if (BEGIN.test(begin.toString())) return;
  throw new CommandError(
    `${trace} is not a trace: the first line of one is its header. ${howToWrite(trace)}`,
  );
}

function howToWrite(trace: string): string {
  return `"boxtwin scenario run FILE --trace ${basename(trace)}" writes one.`;
}
