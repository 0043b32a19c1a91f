import { spawn } from 'node:child_process';
import { consolesOf } from '../../../deployment/directory/address-files.ts';
import { addressOf } from '../../../deployment/directory/running-addresses.ts';
import { CommandError } from '../../../deployment/shared/command-error.ts';

export interface OpenOptions {
  readonly data: string;
  /** The page to open. */
  readonly docs: boolean;
  readonly print: boolean;
}

/** Programs that open an address in the browser of the user, by platform. */
const OPENERS: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
};

/**
 * Opens the console, or the reference of the API, in the browser, and prints the address. Where no browser can be
 * opened the address is enough. Throws a `CommandError` where nothing runs or there is no console.
 */
export async function open(options: OpenOptions): Promise<void> {
  const page = options.docs
    ? `${(await addressOf('api', { data: options.data, takesAddress: false })).address}/docs`
    : await consoleOf(options.data);
  process.stdout.write(`${page}\n`);
  if (options.print) return;
  const reason = await opened(page);
  if (reason !== undefined)
    process.stderr.write(`boxtwin: no browser could be opened (${reason}): open the address yourself.\n`);
}

/** The console goes with the simulator: that of `up`, or of `fleet`. */
async function consoleOf(data: string): Promise<string> {
  await addressOf('simulator', { data, takesAddress: false });
  const [found] = await consolesOf(data);
  if (found !== undefined) return found;
  throw new CommandError('There is no console: "boxtwin up" or "boxtwin fleet" was started without it.');
}

/** Undefined: a program took the address. */
function opened(page: string): Promise<string | undefined> {
  const [program, ...rest] = OPENERS[process.platform] ?? ['xdg-open'];
  return new Promise((resolve) => {
    const child = spawn(program, [...rest, page], { stdio: 'ignore', detached: true });
    child.on('error', (error) => resolve(error.message));
    child.on('spawn', () => {
      child.unref();
      resolve(undefined);
    });
  });
}
