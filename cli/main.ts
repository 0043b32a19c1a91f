import { readFileSync } from 'node:fs';
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { redirectUriFault } from '../backend/access/redirect-uri.ts';
import { Failure } from './failure.ts';
import { limits } from './limits.ts';
import { type ProvokeOptions, provoke } from './provoke.ts';
import { type UpOptions, up } from './up.ts';
import { wire } from './wire.ts';

/** The command `boxtwin`. Exit codes: 0 it did what was asked; 1 it failed while it ran; 2 it was asked for what cannot be. */
const EXIT_CODES = `
Exit codes:
  0  done, or ended by a signal with nothing lost
  1  failed while it ran
  2  wrong option, or something it was given cannot be used`;

const program = new Command('boxtwin')
  .description(
    'A digital twin of a vehicle telematics fleet: simulated boxes, and the service that serves them.',
  )
  .version(version(), '-V, --version')
  .configureHelp({ showGlobalOptions: true })
  .showSuggestionAfterError(true)
  .showHelpAfterError('(boxtwin --help lists the commands, boxtwin <command> --help their options)')
  .addHelpText('after', EXIT_CODES)
  .exitOverride();

program
  .command('up')
  .description('Start everything in one process: broker, service, and a driving fleet.')
  .option('--vehicles <n>', 'how many vehicles', whole(0, limits.vehicles), 25)
  .option(
    '--seed <n>',
    'the seed of the fleet (default: that of the data directory, or 1)',
    whole(0, 0xffff_ffff),
  )
  .addOption(
    new Option('--port <port>', 'port of the API (default: 8080, or the next free one)').argParser(
      whole(1, 65_535),
    ),
  )
  .addOption(
    new Option(
      '--simulator-port <port>',
      'port of the simulator (default: 8090, or the next free one)',
    ).argParser(whole(1, 65_535)),
  )
  .addOption(
    new Option(
      '--mqtt-port <port>',
      'port of the embedded MQTT broker (default: 1883, or the next free one)',
    ).argParser(whole(1, 65_535)),
  )
  .option('--route <file>', 'a GPX or GeoJSON file along which the vehicles drive (default: built-in routes)')
  .option('--data <dir>', 'where the fleet and the service keep what they know', '.boxtwin')
  .option('--fresh', 'forget what the data directory holds and start anew', false)
  .option(
    '--mqtt <url>',
    '"embedded", or the mqtt:// or mqtts:// URL of a broker',
    brokerUrl(['mqtt:', 'mqtts:'], 'embedded'),
    'embedded',
  )
  .option(
    '--amqp <url>',
    '"none", or the amqp:// or amqps:// URL of a broker',
    brokerUrl(['amqp:', 'amqps:'], 'none'),
    'none',
  )
  .option('--alert-url <url>', 'where each answer with 500 is posted as JSON', httpUrl)
  .option('--rate-limit <n>', 'requests of one client in a minute (default: 600)', whole(1, 1_000_000))
  .option(
    '--answer-timeout <s>',
    'for so many seconds a silent vehicle is waited for (default: 20)',
    whole(1, 600),
  )
  .option('--redirect-uri <uri>', 'where else the code flow of the client may lead back to', redirectUri)
  .option('--json', 'the ready banner as one JSON line on stdout', false)
  .addOption(
    new Option('--log-level <level>', 'what is logged to stderr')
      .choices(['debug', 'info', 'warn', 'error'])
      .default('warn'),
  )
  .action((options: UpOptions) => up(options));

program
  .command('wire')
  .description("Show a box's frames in both directions as they pass, hex beside the decoded fields.")
  .argument('<box>', 'box id (16 hex digits) or vehicle id')
  .option(
    '--simulator <url>',
    'address of the simulator, as the ready banner shows it',
    'http://127.0.0.1:8090',
  )
  .option('--json', 'one JSON object a line, as it comes', false)
  .option('--count <n>', 'end after so many frames', whole(1, 1_000_000))
  .action((box: string, options: { simulator: string; json: boolean; count?: number }) => wire(box, options));

program
  .command('provoke')
  .description('Bring a problem of the service about from a real cause, and show it.')
  .argument('[problem]', 'its type or the last part of it, such as no-connection')
  .option('--vehicle <id>', 'with this vehicle (default: one that fits)')
  .option('--endpoint <name>', 'at this endpoint, by the end of its path, such as lock-central-lock')
  .option('--cause <name>', 'from this cause, as --list names it')
  .option('--undo', 'undo it again at once', false)
  .option('--list', 'list all problems and their causes', false)
  .option('--url <url>', 'address of the API, as the ready banner shows it', 'http://127.0.0.1:8080')
  .option(
    '--simulator <url>',
    'address of the simulator, as the ready banner shows it',
    'http://127.0.0.1:8090',
  )
  .option('--client-id <id>', 'who asks (default: a client that is made for it)')
  .option('--client-secret <secret>', 'the secret of that client')
  .option('--json', 'one JSON object', false)
  .action((problem: string | undefined, options: ProvokeOptions) => provoke(problem, options));

try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = report(error);
}

function report(error: unknown): number {
  // Commander has printed its own text by now; asking for help or version is no failure.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (error instanceof Failure) {
    process.stderr.write(`boxtwin: ${error.message}\n`);
    return error.exitCode;
  }
  process.stderr.write(
    `boxtwin: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
  );
  return 1;
}

function whole(minimum: number, maximum: number): (text: string) => number {
  return (text) => {
    const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
    if (value >= minimum && value <= maximum) return value;
    throw new InvalidArgumentError(`It takes a whole number from ${minimum} to ${maximum}.`);
  };
}

function httpUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url !== undefined && ['http:', 'https:'].includes(url.protocol) && url.username + url.password === '')
    return text;
  throw new InvalidArgumentError('It takes a URL that begins with http:// or https://, without a password.');
}

function redirectUri(text: string): string {
  const fault = redirectUriFault(text);
  if (fault === undefined) return text;
  throw new InvalidArgumentError(`It ${fault}.`);
}

function brokerUrl(protocols: readonly string[], word: string): (text: string) => string {
  return (text) => {
    if (text === word) return text;
    if (URL.canParse(text) && protocols.includes(new URL(text).protocol)) return text;
    throw new InvalidArgumentError(
      `It takes "${word}" or a URL that begins with ${protocols.map((p) => `${p}//`).join(' or ')}.`,
    );
  };
}

function version(): string {
  // From cli/ in a checkout and from dist/cli/ in the package.
  for (const place of ['../package.json', '../../package.json']) {
    try {
      const content: unknown = JSON.parse(readFileSync(new URL(place, import.meta.url), 'utf8'));
      if (typeof content === 'object' && content !== null && 'version' in content)
        return String(content.version);
    } catch {
      // The other place has it.
    }
  }
  return 'unknown';
}
