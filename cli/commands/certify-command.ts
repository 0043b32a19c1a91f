import { type Command, InvalidArgumentError, Option } from 'commander';
import { limits as clientLimits } from '../../certify/client/limits.ts';
import { limits } from '../../certify/limits.ts';
import {
  argument,
  dataDirectory,
  FORCE_HELP,
  formerly,
  quietOption,
  whole,
} from '../settings/option-values.ts';
import { formerReportOption, reportOption } from '../settings/report-option.ts';
import { httpUrl, path, word } from '../settings/values.ts';
import { limits as cliLimits } from '../shared/limits.ts';
import type { CertifyCommandOptions } from './certify.ts';
import type { CertifyClientOptions } from './certify-client.ts';

const EXIT_CODES = `
Exit codes:
  0  every promise that could be tried is kept
  1  a promise is broken, no box gets ready, or nothing could be tried
  2  wrong option, or an address or account that cannot be used`;

const ONLY_HELP =
  'only the point with this name, or the points with this text in theirs; may be given several times';

/** Adds `boxtwin certify`. */
export function addCertifyCommand(program: Command): void {
  program
    .command('certify')
    .description('Test another service against the contract with the simulated boxes, or test other boxes.')
    .addOption(
      new Option(
        '--boxes <whose>',
        'whose boxes: "ours" at a service that is certified, or "theirs", which are certified',
      )
        .choices(['ours', 'theirs'])
        .default('ours'),
    )
    .option('--url <url>', 'the API of the service', argument(httpUrl))
    .addOption(formerly('--api <url>', 'url', argument(httpUrl)))
    .option('--client-id <id>', 'one of its clients, with every permission', argument(word))
    .addOption(formerly('--client <id>', 'clientId', argument(word)))
    .option('--client-secret <secret>', 'the secret of that client', argument(word))
    .addOption(formerly('--secret <secret>', 'clientSecret', argument(word)))
    .option(
      '--mqtt <url>',
      'the MQTT broker of the boxes; with --boxes theirs with an account that may read and write below boxes/',
      brokerUrl('mqtt:', 'mqtts:'),
    )
    .option('--mqtt-ca <file>', 'certificate authority of an mqtts:// broker, in PEM form', argument(path))
    .option(
      '--amqp <url>',
      'the AMQP broker of its messages (default: messages are not looked at)',
      brokerUrl('amqp:', 'amqps:'),
    )
    .option('--amqp-ca <file>', 'certificate authority of an amqps:// broker, in PEM form', argument(path))
    .option(
      '--admin <url>',
      'an interface of the service that makes clients and faults: docs/certify.md (default: what needs it is not tried)',
      argument(httpUrl),
    )
    .option('--vehicles <n>', 'how many vehicles are onboarded', whole(1, limits.vehicles), 6)
    .option(
      '--seed <n>',
      'the seed of the fleet (default: that of the data directory, or 1)',
      whole(0, 0xffff_ffff),
    )
    .addOption(dataDirectory('where the boxes keep their secrets and their flash'))
    .option(
      '--credentials <file>',
      'the passwords of the boxes, as CSV (default: those of the data directory)',
      argument(path),
    )
    .option(
      '--simulator-port <port>',
      'port at which the service finds the SIM providers and the vehicle maker (default: none, and what needs them is not tried)',
      whole(1, 65_535),
    )
    .option(
      '--answer-timeout <s>',
      'seconds that the service waits for the reply of a box',
      whole(1, 600),
      20,
    )
    .option(
      '--box <id>',
      'with --boxes theirs: a box to certify; may be given several times (default: all that are heard of)',
      boxIds,
      [],
    )
    .option('--listen <s>', 'with --boxes theirs: how long to wait for boxes', whole(1, 3_600), 60)
    .option('--only <name>', ONLY_HELP, collect, [])
    .option('--list', 'list the points, and end', false)
    .addOption(formerly('--points', 'list'))
    .option(
      '--write-credentials <file>',
      'write the boxes that the service has to know, with their passwords, as CSV, and end; - is stdout',
      argument(path),
    )
    .option('--force', FORCE_HELP, false)
    .option('--all', 'show each point that passed, too', false)
    .addOption(reportOption(['junit', 'json']))
    .addOption(formerReportOption('junit'))
    .addOption(
      new Option('--log-level <level>', 'what is logged to stderr')
        .choices(['debug', 'info', 'warn', 'error'])
        .default('error'),
    )
    .addOption(quietOption())
    .option('--json', 'one JSON object', false)
    .addHelpText('after', EXIT_CODES)
    .action(async (options: CertifyCommandOptions) => (await import('./certify.ts')).certify(options));
}

/** Adds `boxtwin certify-client`. */
export function addCertifyClientCommand(program: Command): void {
  program
    .command('certify-client')
    .description(
      'Have each failure of the service happen to a client, watch what it does, and report point by point.',
    )
    .argument('[command...]', 'starts the client, after "--"; without it the command waits for a client')
    .option('--only <name>', ONLY_HELP, collect, [])
    .option(
      '--minutes <n>',
      'begin further rounds until then (default: one round, some 90 s)',
      whole(1, clientLimits.minutes),
    )
    .option(
      '--seed <n>',
      'of the fleet and of the order of what happens (default: a random one, which is printed)',
      whole(0, 0xffff_ffff),
    )
    .option('--vehicles <n>', 'how many there are', whole(1, clientLimits.vehicles), 5)
    .option('--ready-file <file>', 'write what the client needs there, as JSON, once it can begin')
    .addOption(reportOption(['junit', 'json']))
    .addOption(formerReportOption('junit'))
    .option('--list', 'list the points, and end', false)
    .addOption(formerly('--points', 'list'))
    .addOption(quietOption())
    .option('--json', 'one JSON object', false)
    .addHelpText(
      'after',
      `
The command gets BOXTWIN_API_URL, BOXTWIN_CLIENT_ID, BOXTWIN_CLIENT_SECRET, BOXTWIN_AMQP_URL, BOXTWIN_AMQP_QUEUE,
BOXTWIN_AMQP_CA and BOXTWIN_WITNESS_URL as environment variables; what it prints goes to stderr.

Exit codes:
  0  no point failed
  1  a point failed, or no client came
  2  wrong option, or a command that cannot be started
  ${cliLimits.interruptedExitCode}  ended by Ctrl-C; what was seen by then is reported`,
    )
    .action(async (command: readonly string[], options: CertifyClientOptions) =>
      (await import('./certify-client.ts')).certifyClientCommand(command, options),
    );
}

/** Reads the URL of a broker. */
function brokerUrl(...protocols: readonly string[]): (text: string) => string {
  return (text) => {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    if (url !== undefined && protocols.includes(url.protocol) && url.hostname !== '') return text;
    throw new InvalidArgumentError(
      `It takes a URL that begins with ${protocols.map((one) => `${one}//`).join(' or ')}.`,
    );
  };
}

function collect(text: string, before: readonly string[]): readonly string[] {
  return [...before, text];
}

function boxIds(text: string, before: readonly string[]): readonly string[] {
  if (/^[0-9a-f]{16}$/.test(text)) return [...before, text];
  throw new InvalidArgumentError('A box id has 16 digits of 0-9 and a-f.');
}
