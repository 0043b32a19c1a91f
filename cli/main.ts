import { readFileSync } from 'node:fs';
import { Command, CommanderError, Help, InvalidArgumentError, Option } from 'commander';
import { RADIO_SETTINGS } from '../simulator/radio/setting.ts';
import { Failure } from './failure.ts';
import { type LedgerOptions, ledger } from './ledger.ts';
import { limits } from './limits.ts';
import {
  account,
  adminUrl,
  amqpUrls,
  brokerUrl,
  corsOrigins,
  httpUrl,
  redirectUri,
  whole,
} from './option-values.ts';
import { printable } from './printable.ts';
import { type ProvokeOptions, provoke } from './provoke.ts';
import { letReaderLeave } from './reader.ts';
import { foundBy } from './running-place.ts';
import { addScenarioCommands, addSwarmCommand } from './scenario.ts';
import { type TailOptions, tail } from './tail.ts';
import { type UpOptions, up } from './up.ts';
import { type WireOptions, wire } from './wire.ts';

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
  .configureHelp({ showGlobalOptions: true, optionDescription })
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
  .addOption(
    new Option(
      '--amqp-port <port>',
      'port of the embedded AMQP broker (default: 5672, or the next free one)',
    ).argParser(whole(1, 65_535)),
  )
  .addOption(
    new Option('--amqps-port <port>', 'the same with TLS (default: 5671, or the next free one)').argParser(
      whole(1, 65_535),
    ),
  )
  .option('--route <file>', 'a GPX or GeoJSON file along which the vehicles drive (default: built-in routes)')
  .addOption(
    new Option('--radio <how>', 'link, motors and receivers of the boxes: as on a road, or without any delay')
      .choices(RADIO_SETTINGS)
      .default('road'),
  )
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
    '"embedded", "none", or the amqp:// or amqps:// URL of a broker; of a cluster with commas between',
    amqpUrls,
    'embedded',
  )
  .option('--amqp-ca <file>', 'the certificate authority of an amqps:// broker, in PEM form')
  .option(
    '--amqp-admin <url>',
    "RabbitMQ's management interface, which makes a user for each subscription: http://user:password@host:15672",
    adminUrl,
  )
  .option('--amqp-consumer <user:password>', 'the account that all subscriptions are handed', account)
  .option(
    '--amqp-owner <user:password>',
    'an account of yours that may do everything at the embedded broker, such as declaring queues',
    account,
  )
  .addOption(
    new Option('--amqp-queue-type <type>', 'of the queues that are declared').choices(['classic', 'quorum']),
  )
  .option('--alert-url <url>', 'where each answer with 500 is posted as JSON', httpUrl)
  .option('--rate-limit <n>', 'requests of one client in a minute (default: 600)', whole(1, 1_000_000))
  .option(
    '--answer-timeout <s>',
    'for so many seconds a silent vehicle is waited for (default: 20)',
    whole(1, 600),
  )
  .option('--redirect-uri <uri>', 'where else the code flow of the client may lead back to', redirectUri)
  .option(
    '--cors-origin <origin>',
    'an origin whose web pages may call the API, such as http://localhost:3000; may be given several times',
    corsOrigins,
  )
  .addOption(
    new Option('--drivers <on|off>', 'whether the vehicles have drivers, who rent them for trips')
      .choices(['on', 'off'])
      .default('on'),
  )
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
  .option('--data <dir>', 'data directory of the running "up"', '.boxtwin')
  .option('--simulator <url>', `address of the simulator ${foundBy('simulator')}`, httpUrl)
  .option('--json', 'one JSON object a line, as it comes', false)
  .option('--count <n>', 'end after so many frames', whole(1, 1_000_000))
  .action((box: string, options: WireOptions) => wire(box, options));

program
  .command('tail')
  .description('Print messages as they arrive: a table on a terminal, a line of JSON each in a pipe.')
  .option('--data <dir>', 'data directory of the running "up", at which it subscribes', '.boxtwin')
  .option('--amqp <url>', 'read at this amqp:// or amqps:// broker instead; with --queue', amqpUrl)
  .option('--queue <name>', 'the queue there; what is shown is taken out of it')
  .option('--ca <file>', 'certificate authority of an amqps:// broker, in PEM form')
  .option('--vehicle <id>', 'only of this vehicle; may be given several times', collect, [])
  .option(
    '--type <name>',
    'only this message, such as DamageDetected; may be given several times',
    collect,
    [],
  )
  .option('--json', 'lines of JSON on a terminal too', false)
  .option('--count <n>', 'end after so many messages', whole(1, 1_000_000_000))
  .action((options: TailOptions) => tail(options));

program
  .command('provoke')
  .description('Bring a problem of the service about from a real cause, and show it.')
  .argument('[problem]', 'its type or the last part of it, such as no-connection')
  .option('--vehicle <id>', 'with this vehicle (default: one that fits)')
  .option('--endpoint <name>', 'at this endpoint, by the end of its path, such as lock-central-lock')
  .option('--cause <name>', 'from this cause, as --list names it')
  .option('--undo', 'undo it again at once', false)
  .option('--list', 'list all problems and their causes', false)
  .option('--data <dir>', 'data directory of the running "up"', '.boxtwin')
  .option('--url <url>', `address of the API ${foundBy('api')}`, httpUrl)
  .option('--simulator <url>', `address of the simulator ${foundBy('simulator')}`, httpUrl)
  .option('--client-id <id>', 'who asks (default: a client that is made for it)')
  .option('--client-secret <secret>', 'the secret of that client')
  .option('--json', 'one JSON object', false)
  .action((problem: string | undefined, options: ProvokeOptions) => provoke(problem, options));

program
  .command('ledger')
  .description(
    'Follow every record from box to queue, and say what was lost, doubled, reordered or late, and where.',
  )
  .option('--data <dir>', 'the data directory of an "up" that runs or has ended', '.boxtwin')
  .option('--messages <file>', 'what "boxtwin tail" wrote, a JSON object a line; - for standard input')
  .option('--since <time>', 'leave out what was received before, such as 2026-01-31T12:00:00Z', instant)
  .option(
    '--late-after <s>',
    'what takes longer is late; what is younger may be pending',
    whole(1, 604_800),
    60,
  )
  .option('--json', 'one JSON object', false)
  .addHelpText(
    'after',
    '\nExit codes:\n  0  nothing is wrong\n  1  something is lost, doubled, reordered or unknown\n  2  wrong option, or no data directory',
  )
  .action((options: LedgerOptions) => ledger(options));

addScenarioCommands(program);
addSwarmCommand(program);

letReaderLeave();
try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = report(error);
}

function report(error: unknown): number {
  // Commander has printed its own text by now; asking for help or version is no failure.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (error instanceof Failure) {
    process.stderr.write(`boxtwin: ${printable(error.message)}\n`);
    return error.exitCode;
  }
  process.stderr.write(
    `boxtwin: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
  );
  return 1;
}

/** As commander tells of an option, but for defaults that say nothing: a switch is off, a list is empty. */
function optionDescription(option: Option): string {
  const { defaultValue } = option;
  const isTelling = defaultValue !== false && !(Array.isArray(defaultValue) && defaultValue.length === 0);
  return isTelling ? new Help().optionDescription(option) : option.description;
}

function instant(text: string): number {
  const ms = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(ms)) return ms;
  throw new InvalidArgumentError('It takes a date, or a date and time, such as 2026-01-31T12:00:00Z.');
}

function collect(text: string, before: readonly string[]): readonly string[] {
  return [...before, text];
}

function amqpUrl(text: string): string {
  if (URL.canParse(text) && ['amqp:', 'amqps:'].includes(new URL(text).protocol)) return text;
  throw new InvalidArgumentError('It takes a URL that begins with amqp:// or amqps://.');
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
