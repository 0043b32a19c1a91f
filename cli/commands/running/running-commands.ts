import { Argument, type Command, Option } from 'commander';
import { argument, dataDirectory, FORCE_HELP, WRITTEN_ADDRESS } from '../../settings/option-values.ts';
import { accountUrl, httpUrl, oneOf } from '../../settings/values.ts';

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;
/** In capitals too. */
const method = argument(oneOf(METHODS), (text) => text.toLowerCase());

/** Adds the commands by which people use what runs: each loads its implementation only when it is called. */
export function addRunningCommands(program: Command): void {
  withService(program.command('token'))
    .description('Print an access token of the running service, and nothing else.')
    .action(async (options) => (await import('./api.ts')).token(options));

  withService(program.command('api'))
    .description('Call the API, signed in: formatted on a terminal, byte for byte in a pipe.')
    .addArgument(new Argument('<method>', METHODS.join(', ')).argParser(method))
    .argument('<path>', 'such as /vehicles')
    .option('--body <json>', 'JSON, @FILE, or - for standard input')
    .option('--include', 'print the status and the headers first', false)
    .option('--raw', 'byte for byte on a terminal too', false)
    .addHelpText(
      'after',
      `
Exit codes:
  0  answered with a status below 400
  1  answered with 400 or above: the answer is on stdout, its detail on stderr
  2  wrong option, or nothing runs`,
    )
    .action(async (method: string, path: string, options) =>
      (await import('./api.ts')).api(method, path, options),
    );

  program
    .command('env')
    .description('Print how the running service is reached, as environment variables.')
    .addOption(dataDirectory())
    .option('--plain', 'NAME=value without export, as container runtimes read them', false)
    .option('--json', 'one JSON object', false)
    .action(async (options) => (await import('./env.ts')).env(options));

  withSimulator(program.command('vehicles'))
    .description('List the vehicles of the running fleet: what they are, and how each is right now.')
    .argument('[vehicle]', 'vehicle id or box id of one of them')
    .option('--json', 'one JSON object a line', false)
    .action(async (id: string | undefined, options) => (await import('./vehicles.ts')).vehicles(id, options));

  withSimulator(program.command('do'))
    .description('Have a vehicle do something, or apply a fault to it; without an action, list all.')
    .argument(
      '<vehicle>',
      'vehicle id, box id, or "all" for a fault of the whole fleet; "boxtwin vehicles" lists them',
    )
    .argument('[action]', 'such as drive, doors or coverage')
    .argument('[values...]', 'key=value, key alone for true, one value, or JSON')
    .option('--for <duration>', 'how long a fault lasts, such as 90s (default: until it is removed)')
    .option('--undo', 'remove the active faults of the vehicle, of this kind if one is named', false)
    .option('--json', 'one JSON object', false)
    .addOption(new Option(DESCRIBE).default(false).hideHelp())
    .addHelpText(
      'after',
      `
"boxtwin do VEHICLE ACTION --help" shows which values an action takes.

Exit codes:
  0  done
  1  the vehicle cannot do that right now
  2  wrong action, value or option, or nothing runs`,
    )
    .action(async (vehicle: string, action: string | undefined, values: readonly string[], options) =>
      (await import('./do.ts')).doAction(vehicle, action, values, options),
    );

  program
    .command('status')
    .description('Show which parts run on a data directory, and how they are.')
    .addOption(dataDirectory())
    .option('--json', 'one JSON object', false)
    .addHelpText(
      'after',
      '\nExit codes:\n  0  the service is ready\n  1  it is degraded or not ready\n  2  wrong option, or nothing runs',
    )
    .action(async (options) => (await import('./status.ts')).status(options));

  program
    .command('open')
    .description('Open the console of the running service in your browser, and print its address.')
    .addOption(dataDirectory())
    .option('--docs', 'the reference of the API instead', false)
    .option('--print', 'only print the address', false)
    .action(async (options) => (await import('./open.ts')).open(options));
}

const DESCRIBE = '--describe';
const TAKES_VALUE: readonly string[] = ['--data', '--simulator', '--for'];

/**
 * A command line in which the help of an action of `do` is asked for as the option that prints it; other lines stay.
 * `words`: behind `boxtwin`.
 */
export function withActionHelp(words: readonly string[]): readonly string[] {
  if (words[0] !== 'do') return words;
  const places = words.filter(
    (word, index) => index > 0 && !word.startsWith('-') && !TAKES_VALUE.includes(words[index - 1] ?? ''),
  );
  return places.length < 2
    ? words
    : words.map((word) => (word === '--help' || word === '-h' ? DESCRIBE : word));
}

function withService(command: Command): Command {
  return command
    .addOption(dataDirectory())
    .option('--url <url>', `address of the API ${WRITTEN_ADDRESS}`, argument(httpUrl))
    .option('--client-id <id>', 'who asks (default: the client of the running "up")')
    .option('--client-secret <secret>', 'the secret of that client')
    .addOption(new Option('--force', FORCE_HELP).default(false));
}

function withSimulator(command: Command): Command {
  return command
    .addOption(dataDirectory())
    .option('--simulator <url>', `address of the simulator ${WRITTEN_ADDRESS}`, argument(accountUrl))
    .addOption(new Option('--force', FORCE_HELP).default(false));
}
