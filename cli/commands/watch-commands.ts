import { type Command, InvalidArgumentError } from 'commander';
import {
  argument,
  dataDirectory,
  FORCE_HELP,
  formerly,
  WRITTEN_ADDRESS,
  whole,
} from '../settings/option-values.ts';
import { addSettings } from '../settings/setting-options.ts';
import { accountUrl } from '../settings/values.ts';
import type { ConsoleOptions } from './console.ts';
import type { LedgerOptions } from './ledger.ts';
import type { TailOptions } from './tail.ts';
import type { WireOptions } from './wire.ts';

/** Adds the commands that show what runs, or has run. */
export function addWatchCommands(program: Command): void {
  program
    .command('wire')
    .description("Show a box's frames in both directions as they pass, hex beside the decoded fields.")
    .argument('<box>', 'box id (16 hex digits) or vehicle id; "boxtwin vehicles" lists them')
    .addOption(dataDirectory())
    .option('--simulator <url>', `address of the simulator ${WRITTEN_ADDRESS}`, argument(accountUrl))
    .option('--force', FORCE_HELP, false)
    .option('--json', 'one JSON object a line, as it comes', false)
    .option('--count <n>', 'end after this number of frames', whole(1, 1_000_000))
    .action(async (box: string, options: WireOptions) => (await import('./wire.ts')).wire(box, options));

  program
    .command('tail')
    .description('Print messages as they arrive: a table on a terminal, a line of JSON each in a pipe.')
    .addOption(dataDirectory('data directory of the running "up" or "backend", at which it subscribes'))
    .option('--amqp <url>', 'read at this amqp:// or amqps:// broker instead; with --queue', amqpUrl)
    .option('--queue <name>', 'the queue there; what is shown is taken out of it')
    .option('--ca <file>', 'certificate authority of an amqps:// broker, in PEM form')
    .addOption(formerly('--amqp-ca <file>', 'ca'))
    .option('--vehicle <id>', 'only of this vehicle; may be given several times', collect, [])
    .option(
      '--type <name>',
      'only this message, such as DamageDetected; may be given several times',
      collect,
      [],
    )
    .option('--json', 'lines of JSON on a terminal too', false)
    .option('--count <n>', 'end after this number of messages', whole(1, 1_000_000_000))
    .action(async (options: TailOptions) => (await import('./tail.ts')).tail(options));

  // `console` is the former name: each names itself as it was typed.
  for (const name of ['replay', 'console'])
    program
      .command(name, { hidden: name === 'console' })
      .description('Show a run from its trace, as a page that moves through its time.')
      .argument('<trace>', 'what "boxtwin scenario run FILE --trace TRACE" wrote')
      .option('--port <port>', 'port of the page (default: 8100, or the next free one)', whole(0, 65_535))
      .option('--json', 'the address as one JSON line on stdout', false)
      .action(async (trace: string, options: Omit<ConsoleOptions, 'name'>) =>
        (await import('./console.ts')).showConsole(trace, { ...options, name }),
      );

  addSettings(
    program
      .command('ledger')
      .description(
        'Follow every record from box to queue, and say what was lost, doubled, reordered or late, and where.',
      )
      .option(
        '--force',
        'compare with a database of another installation than the data directory, too',
        false,
      )
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
  ).action(async (options: LedgerOptions) => (await import('./ledger.ts')).ledger(options));
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
