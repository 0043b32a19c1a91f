import { Argument, Command, CommanderError, Help, InvalidArgumentError, type Option } from 'commander';
import { limits as certifyLimits } from '../certify/client/limits.ts';
import { CommandError } from '../deployment/shared/command-error.ts';
import { readPackageFile } from '../deployment/shared/package-file.ts';
import { nearestName } from '../scenarios/language/document/nearest.ts';
import type { BackendOptions } from './commands/backend.ts';
import type { BrokersOptions } from './commands/brokers.ts';
import type { CertifyClientOptions } from './commands/certify-client.ts';
import { addCertifyCommand } from './commands/certify-command.ts';
import { groupCommands } from './commands/command-groups.ts';
import { addCompletion } from './commands/completion.ts';
import type { ConfigOptions } from './commands/config.ts';
import type { ConsoleOptions } from './commands/console.ts';
import type { DoctorOptions } from './commands/doctor.ts';
import type { ExamplesOptions } from './commands/examples.ts';
import type { FleetOptions } from './commands/fleet.ts';
import type { LedgerOptions } from './commands/ledger.ts';
import { addModelCommands } from './commands/model/model.ts';
import type { ProvokeOptions } from './commands/provoke.ts';
import { addRunningCommands } from './commands/running/running-commands.ts';
import { addScenarioCommands, addSwarmCommand } from './commands/scenario/scenario.ts';
import { addStoreCommands } from './commands/store/store.ts';
import type { TailOptions } from './commands/tail.ts';
import type { UpOptions } from './commands/up.ts';
import type { WireOptions } from './commands/wire.ts';
import { argument, FORCE_HELP, WRITTEN_ADDRESS, whole } from './settings/option-values.ts';
import { addSettings, configOption } from './settings/setting-options.ts';
import { PARTS, type Part } from './settings/settings.ts';
import { accountUrl, httpUrl } from './settings/values.ts';
import { limits } from './shared/limits.ts';
import { ignoreClosedOutput, printable } from './shared/output.ts';

/** Words of other programs, and the commands here. */
const SYNONYMS: Readonly<Record<string, readonly string[]>> = {
  start: ['up'],
  serve: ['up'],
  run: ['scenario run FILE', 'up'],
  test: ['scenario run FILE'],
  scenarios: ['scenario list'],
  logs: ['tail'],
  messages: ['tail'],
  listen: ['tail'],
  ps: ['status'],
  health: ['status'],
  list: ['vehicles'],
  ls: ['vehicles'],
  trigger: ['do'],
  act: ['do'],
  get: ['api get PATH'],
  post: ['api post PATH'],
  login: ['token'],
  browse: ['open'],
  init: ['examples'],
};

/** The command `boxtwin`. Exit codes: 0 done; 1 it failed while it ran; 2 the request cannot be fulfilled. */
const program = new Command('boxtwin')
  .description('A digital twin of a vehicle telematics fleet.')
  .version(readPackageFile().version, '-v, --version')
  .helpCommand(false)
  // A refused value is quoted, and may be a URL with a password in it.
  .configureOutput({ outputError: (text, write) => write(withoutPasswords(text)) })
  .configureHelp({ optionDescription, subcommandTerm: (command) => command.name() })
  .showSuggestionAfterError(true)
  .showHelpAfterError('(boxtwin --help lists the commands)')
  .addHelpText(
    'after',
    '\nExamples:\n  boxtwin up\n  boxtwin scenario run tunnel --report html=tunnel.html\n\n"boxtwin COMMAND --help" shows the options of a command.',
  )
  .exitOverride();

addSettings(
  program
    .command('up')
    .description('Start everything in one process: broker, service, and a driving fleet.')
    .option('--fresh', 'delete the contents of the data directory and start over', false)
    .option('-v, --verbose', 'a banner with all addresses and credentials, and lines to paste', false)
    .option('--json', 'the ready banner as one JSON line on stdout', false),
  'up',
).action(async (options: UpOptions) => (await import('./commands/up.ts')).up(options));

addSettings(
  program
    .command('fleet')
    .description('Start boxes alone, against the brokers and the service of your choice.')
    .option('--list', 'print the boxes with their passwords as CSV, and end', false)
    .option('--force', FORCE_HELP, false)
    .option('--json', 'the ready banner as one JSON line on stdout', false),
  'fleet',
).action(async (options: FleetOptions) => (await import('./commands/fleet.ts')).fleet(options));

addSettings(
  program
    .command('backend')
    .description('Start the service alone, against the brokers of your choice.')
    .option('--force', FORCE_HELP, false)
    .option('-v, --verbose', 'a banner with all addresses and credentials, and lines to paste', false)
    .option('--json', 'the ready banner as one JSON line on stdout', false),
  'backend',
).action(async (options: BackendOptions) => (await import('./commands/backend.ts')).backend(options));

addSettings(
  program
    .command('brokers')
    .description('Start the embedded MQTT and AMQP brokers alone.')
    .option('--json', 'the ready banner as one JSON line on stdout', false),
  'brokers',
).action(async (options: BrokersOptions) => (await import('./commands/brokers.ts')).brokers(options));

program
  .command('config')
  .description('Show the settings that a command would start with, and where each of them comes from.')
  .addArgument(new Argument('[command]', 'the command').choices(PARTS).default('up'))
  .addOption(configOption())
  .option('--json', 'one JSON object', false)
  .option('--schema', 'the JSON schema of settings files instead, for editors', false)
  .action(async (part: Part, options: ConfigOptions) =>
    (await import('./commands/config.ts')).config(part, options),
  );

addSettings(
  program
    .command('doctor')
    .description('Look at all that "up" needs with the same settings, and say what to do.')
    .option('--json', 'one JSON object', false)
    .addHelpText(
      'after',
      '\nExit codes:\n  0  it can be started, with or without warnings\n  1  something cannot work\n  2  wrong option',
    ),
  'doctor',
).action(async (options: DoctorOptions) => (await import('./commands/doctor.ts')).doctor(options));

program
  .command('wire')
  .description("Show a box's frames in both directions as they pass, hex beside the decoded fields.")
  .argument('<box>', 'box id (16 hex digits) or vehicle id')
  .option('--data <dir>', 'data directory of the running "up", or of its parts', '.boxtwin')
  .option('--simulator <url>', `address of the simulator ${WRITTEN_ADDRESS}`, argument(accountUrl))
  .option('--force', FORCE_HELP, false)
  .option('--json', 'one JSON object a line, as it comes', false)
  .option('--count <n>', 'end after this number of frames', whole(1, 1_000_000))
  .action(async (box: string, options: WireOptions) =>
    (await import('./commands/wire.ts')).wire(box, options),
  );

program
  .command('tail')
  .description('Print messages as they arrive: a table on a terminal, a line of JSON each in a pipe.')
  .option(
    '--data <dir>',
    'data directory of the running "up" or "backend", at which it subscribes',
    '.boxtwin',
  )
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
  .option('--count <n>', 'end after this number of messages', whole(1, 1_000_000_000))
  .action(async (options: TailOptions) => (await import('./commands/tail.ts')).tail(options));

program
  .command('replay')
  .alias('console')
  .description('Show a run from its trace, as a page that moves through its time.')
  .argument('<trace>', 'what "boxtwin scenario run FILE --trace TRACE" wrote')
  .option('--port <port>', 'port of the page (default: 8100, or the next free one)', whole(0, 65_535))
  .option('--json', 'the address as one JSON line on stdout', false)
  .action(async (trace: string, options: ConsoleOptions) =>
    (await import('./commands/console.ts')).showConsole(trace, options),
  );

program
  .command('examples')
  .description(
    'Write the stories, failures that fleets really have, a recorded drive and the examples of clients into a folder, as README and docs name them.',
  )
  .argument('[folder]', 'where to', '.')
  .option('--json', 'one JSON object', false)
  .action(async (folder: string, options: ExamplesOptions) =>
    (await import('./commands/examples.ts')).examples(folder, options),
  );

program
  .command('provoke')
  .description('Bring a problem of the service about from a real cause, and show it.')
  .argument('[problem]', 'its type or the last part of it, such as no-connection')
  .option('--vehicle <id>', 'with this vehicle (default: one that fits)')
  .option('--endpoint <name>', 'at this endpoint, by the end of its path, such as lock-central-lock')
  .option('--cause <name>', 'from this cause, as --list names it')
  .option('--undo', 'undo it again at once', false)
  .option('--list', 'list all problems and their causes', false)
  .option('--data <dir>', 'data directory of the running "up", or of its parts', '.boxtwin')
  .option('--url <url>', `address of the API ${WRITTEN_ADDRESS}`, argument(httpUrl))
  .option('--simulator <url>', `address of the simulator ${WRITTEN_ADDRESS}`, argument(accountUrl))
  .option('--force', FORCE_HELP, false)
  .option('--client-id <id>', 'who asks (default: a client that is made for it)')
  .option('--client-secret <secret>', 'the secret of that client')
  .option('--json', 'one JSON object', false)
  .action(async (problem: string | undefined, options: ProvokeOptions) =>
    (await import('./commands/provoke.ts')).provoke(problem, options),
  );

program
  .command('certify-client')
  .description(
    'Have each failure of the service happen to a client, watch what it does, and report point by point.',
  )
  .argument('[command...]', 'starts the client, behind "--"; without it a client is waited for')
  .option('--only <point>', 'look at this point alone; may be given several times', collect, [])
  .option(
    '--minutes <n>',
    'begin further rounds until then (default: one round, some 90 s)',
    whole(1, certifyLimits.minutes),
  )
  .option(
    '--seed <n>',
    'of the fleet and of the order of what happens (default: a random one, which is printed)',
    whole(0, 0xffff_ffff),
  )
  .option('--vehicles <n>', 'how many there are', whole(1, certifyLimits.vehicles), 5)
  .option('--ready-file <file>', 'write what the client needs there, as JSON, once it can begin')
  .option('--junit <file>', 'write the report there too, as JUnit XML')
  .option('--list', 'list the points', false)
  .option('--json', 'one JSON object', false)
  .addHelpText(
    'after',
    `
The command gets BOXTWIN_API_URL, BOXTWIN_CLIENT_ID, BOXTWIN_CLIENT_SECRET, BOXTWIN_AMQP_URL, BOXTWIN_AMQP_QUEUE,
BOXTWIN_AMQP_CA and BOXTWIN_WITNESS_URL as environment variables; what it prints goes to stderr.

Example:
  boxtwin certify-client -- node my-client.js

Exit codes:
  0  no point failed
  1  a point failed, or no client came
  2  wrong option, or a command that cannot be started
  ${limits.interruptedExitCode}  ended by Ctrl-C; what was seen by then is reported`,
  )
  .action(async (command: readonly string[], options: CertifyClientOptions) =>
    (await import('./commands/certify-client.ts')).certifyClientCommand(command, options),
  );

addSettings(
  program
    .command('ledger')
    .description(
      'Follow every record from box to queue, and say what was lost, doubled, reordered or late, and where.',
    )
    .option('--force', 'compare with a database of another installation than the data directory, too', false)
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
    ),
  'ledger',
).action(async (options: LedgerOptions) => (await import('./commands/ledger.ts')).ledger(options));

addRunningCommands(program);
addCertifyCommand(program);
addStoreCommands(program);
addModelCommands(program);
addScenarioCommands(program);
addSwarmCommand(program);
program
  .command('help [command...]', { hidden: true })
  .action((words: readonly string[]) => commandNamed(words).outputHelp());
await addCompletion(program, process.argv[2]);
groupCommands(program);
pointToOwnHelp(program, 'boxtwin');

ignoreClosedOutput();
try {
  refuseSynonym(process.argv[2]);
  await program.parseAsync(withFormerSpelling(process.argv));
} catch (error) {
  process.exitCode = report(error);
}

/** The command of these words, such as `scenario run`. Throws commander's error for an unknown one. */
function commandNamed(words: readonly string[]): Command {
  let command: Command = program;
  for (const word of words) {
    const names = command.commands.map((one) => one.name());
    const found = command.commands.find((one) => one.name() === word || one.aliases().includes(word));
    if (found === undefined) {
      const near = nearestName(word, names);
      return command.error(
        `error: unknown command '${word}'${near === undefined ? '' : `\n(Did you mean ${near}?)`}`,
      );
    }
    command = found;
  }
  return command;
}

/** After an error each command points to its own help. */
function pointToOwnHelp(parent: Command, words: string): void {
  for (const command of parent.commands) {
    const name = `${words} ${command.name()}`;
    command.showHelpAfterError(
      `(${name} --help lists its ${command.commands.length > 0 ? 'commands' : 'options'})`,
    );
    pointToOwnHelp(command, name);
  }
}

/** `boxtwin -V` was how the version was asked for. */
function withFormerSpelling([node = '', program = '', first, ...rest]: readonly string[]): readonly string[] {
  return first === undefined ? [node, program] : [node, program, first === '-V' ? '-v' : first, ...rest];
}

/** Throws commander's error for a word that is no command here, with the command that does what is probably meant. */
function refuseSynonym(word: string | undefined): void {
  const meant = word !== undefined && Object.hasOwn(SYNONYMS, word) ? SYNONYMS[word] : undefined;
  if (meant === undefined) return;
  const commands = meant.map((command) => `"boxtwin ${command}"`).join(' or ');
  program.error(`error: there is no command '${word}'. Use ${commands}.`);
}

function report(error: unknown): number {
  // Commander has printed its own text by now; asking for help or version is no failure.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (error instanceof CommandError) {
    process.stderr.write(`boxtwin: ${printable(error.message)}\n`);
    return error.exitCode;
  }
  process.stderr.write(
    `boxtwin: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`,
  );
  return 1;
}

/** Commander's description of an option, without uninformative defaults: a switch is off, a list is empty. */
function optionDescription(option: Option): string {
  const { defaultValue } = option;
  const isTelling = defaultValue !== false && !(Array.isArray(defaultValue) && defaultValue.length === 0);
  return isTelling ? new Help().optionDescription(option) : option.description;
}

/** A value between quotes, up to "is invalid", which may itself have quotes and spaces in its password. */
function withoutPasswords(text: string): string {
  return text.replaceAll(/(\/\/[^\s:/@']*):(?:[^\n]*@(?=[^\n@]*' is invalid)|[^\s']*@)/g, '$1:***@');
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
