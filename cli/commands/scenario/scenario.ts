import { type Command, Option } from 'commander';
import { variableOf } from '../../../deployment/shared/setting-names.ts';
import { OPERATION_NAMES } from '../../../scenarios/explore/workload/operation-names.ts';
import { exploreLimits } from '../../../scenarios/limits.ts';
import { jobsOption } from '../../settings/jobs-option.ts';
import {
  argument,
  dataDirectory,
  FORCE_HELP,
  quietOption,
  WRITTEN_ADDRESS,
  whole,
} from '../../settings/option-values.ts';
import { formerReportOption, reportOption } from '../../settings/report-option.ts';
import { accountUrl, httpUrl } from '../../settings/values.ts';
import { limits } from '../../shared/limits.ts';
import { ANNOTATION_KINDS, pace } from './scenario-values.ts';

/**
 * The commands below `boxtwin scenario`, one row each: a row adds its own command, and loads the implementation only
 * when it is called.
 */
const SCENARIO_COMMANDS: readonly ((scenario: Command) => void)[] = [
  run,
  explore,
  coverage,
  list,
  create,
  check,
  fromTrace,
  schema,
];

/** Adds `boxtwin scenario` with everything below it. */
export function addScenarioCommands(program: Command): void {
  const scenario = program
    .command('scenario')
    .description('Play what happens to a fleet from a file, in hours that pass in seconds, with a verdict.');
  for (const add of SCENARIO_COMMANDS) add(scenario);
}

function run(scenario: Command): void {
  withModels(scenario.command('run'))
    .description('Run scenarios and report the result of each.')
    .argument(
      '<place...>',
      'files (- is standard input), names of stories ("scenario list"), or directories, of which every *.yaml and *.yml is run but *.found.yaml',
    )
    .option('--world <name>', 'virtual, or real: over sockets and by the clock', 'virtual')
    .option('--seed <n>', 'another seed than that of the file', whole(0, 0xffff_ffff))
    .addOption(
      new Option('--pace <n>', 'virtual seconds in a second on the wall, or max')
        .argParser(pace)
        .default(Number.POSITIVE_INFINITY, 'max'),
    )
    .addOption(jobsOption())
    .addOption(reportOption(['junit', 'json', 'html']))
    .addOption(
      new Option(
        '--annotations <where>',
        'also print failures as lines that "github" (Actions) shows at the lines of the files',
      ).choices(ANNOTATION_KINDS),
    )
    .option('--trace <file>', 'write the trace of a single scenario, as NDJSON')
    .option(
      '--strict',
      'a step without its effect (a refused act, a fault that changes nothing) fails the run; otherwise it is a warning',
      false,
    )
    .option('--json', 'the JSON report on stdout in place of text', false)
    .addOption(quietOption())
    .addHelpText(
      'after',
      `
A *.found.yaml is what explore or swarm found: it fails, and is run only where it is named itself.

Exit codes; of several scenarios the highest counts:
  0  everything came as expected
  1  an expectation or a checker failed
  2  a file or an option cannot be used; nothing was run
  3  the world got stuck: nothing was left to happen while the run waited for something
  4  something crashed
  ${limits.interruptedExitCode}  ended by Ctrl-C or by a reader of stdout who left; what had run is reported`,
    )
    .action(async (places: readonly string[], options) =>
      (await import('./scenario-run.ts')).scenarioRun(places, options),
    );
}

function explore(scenario: Command): void {
  withModels(scenario.command('explore'))
    .description(
      'Draw what the `vary` of a scenario allows until a run fails, and make that one as small as it gets.',
    )
    .argument('<file>', 'the scenario; - is standard input')
    .option('--runs <n>', 'how many draws at most', whole(1, exploreLimits.mostRuns), exploreLimits.usualRuns)
    .option(
      '--seed <n>',
      'of the draws; the same seed draws the same (default: a random one, which is printed)',
      whole(0, 0xffff_ffff),
    )
    .option(
      '-o, --out <file>',
      'file for the smallest failing scenario (default: <file>.found.yaml, in the same folder)',
    )
    .addOption(jobsOption())
    .addOption(quietOption())
    .option('--json', 'one JSON object on stdout, with all draws', false)
    .addHelpText('after', EXPLORE_CODES)
    .action(async (file: string, options) =>
      (await import('./scenario-explore.ts')).scenarioExplore(file, options),
    );
}

function coverage(scenario: Command): void {
  withModels(scenario.command('coverage'))
    .description(
      'Run scenarios and print tables of what they covered: commands by model, firmware, session, SIM, power, workshop mode and answer; problems by active fault; faults by operation in progress. The text is limited to the terminal; --json and the reports have all cells, html as heat maps.',
    )
    .argument('[files...]', 'scenarios, or directories of them')
    .option('--runs <n>', 'number of drawn scenarios of the swarm', whole(0, exploreLimits.mostRuns), 0)
    .option('--seed <n>', 'of the drawn ones', whole(0, 0xffff_ffff), 1)
    .addOption(reportOption(['html', 'json']))
    .addOption(formerReportOption('html'))
    .addOption(quietOption())
    .option('--json', 'one JSON object on stdout, with every cell', false)
    .action(async (files: readonly string[], options) =>
      (await import('./scenario-coverage.ts')).scenarioCoverage(files, options),
    );
}

/** Adds `boxtwin swarm`. */
export function addSwarmCommand(program: Command): void {
  withModels(program.command('swarm'))
    .description(
      'Draw whole scenarios, fleet, weather, breaks and calls, until one fails, and make it as small as it gets.',
    )
    .option(
      '--runs <n>',
      `how many scenarios at most (default: ${exploreLimits.usualSwarmRuns}, or what --minutes allows)`,
      whole(1, exploreLimits.mostRuns),
    )
    .option('--minutes <n>', 'begin no run after this number of minutes', whole(1, exploreLimits.mostMinutes))
    .option(
      '--seed <n>',
      'of the draws; the same seed draws the same (default: a random one, which is printed)',
      whole(0, 0xffff_ffff),
    )
    .addOption(
      new Option('--focus <work>', 'have most of this kind of work in each run').choices(OPERATION_NAMES),
    )
    .option('--keep-going', 'look on after a failure; each reason is made smaller once', false)
    .option(
      '-o, --out <file>',
      'where the smallest failing scenario goes (default: swarm-<seed>-<run>.found.yaml)',
    )
    .addOption(jobsOption())
    .option(
      '--running',
      'disturb the fleet of a running "up" instead: what networks, people and parts do to it, by the wall clock; --out gets a scenario of it',
      false,
    )
    .addOption(dataDirectory('data directory of that "up"'))
    .option('--url <url>', `address of its API ${WRITTEN_ADDRESS}`, argument(httpUrl))
    .option('--simulator <url>', `address of its simulator ${WRITTEN_ADDRESS}`, argument(accountUrl))
    .option('--force', FORCE_HELP, false)
    .addOption(quietOption())
    .option('--json', 'one JSON object on stdout, with all draws', false)
    .addHelpText('after', `${EXPLORE_CODES}${RUNNING_CODES}`)
    .action(async (options) =>
      options.running
        ? (await import('../swarm/swarm-running.ts')).swarmRunning(options)
        : (await import('../swarm/swarm.ts')).swarmCommand(options),
    );
}

const RUNNING_CODES = `

With --running:
  0  the service is ready, and each box has its session again or sleeps
  1  something has not recovered, or the simulator stopped answering
  ${limits.interruptedExitCode}  ended by Ctrl-C; all faults are removed`;

const EXPLORE_CODES = `
Exit codes:
  0  every run passed
  1  a run failed, got stuck or crashed: the smallest one that was found is in the file
  2  a file or an option cannot be used; nothing was run
  ${limits.interruptedExitCode}  ended by Ctrl-C or by a reader of stdout who left: the smallest one so far is in the file`;

function list(scenario: Command): void {
  scenario
    .command('list')
    .description('List the stories of this package, which `scenario run NAME` plays.')
    .option('--json', 'one JSON object a line', false)
    .action(async (options) => (await import('./scenario-list.ts')).scenarioList(options));
}

function create(scenario: Command): void {
  scenario
    .command('new')
    .description('Write a new scenario that passes, with comments, to change it.')
    .argument('<file>', 'where to; an existing file is left as it is')
    .option('--from <story>', 'a copy of that story instead')
    .action(async (file: string, options) => (await import('./scenario-new.ts')).scenarioNew(file, options));
}

function check(scenario: Command): void {
  scenario
    .command('check')
    .description('Read scenarios without running them, and show every mistake with its place.')
    .argument('<place...>', 'files (- is standard input), directories, or names of stories')
    .option('--json', 'one JSON object', false)
    .addHelpText('after', '\nExit codes:\n  0  all can be run\n  2  a mistake in a file, or a wrong option')
    .action(async (places: readonly string[], options) =>
      (await import('./scenario-check.ts')).scenarioCheck(places, options),
    );
}

function fromTrace(scenario: Command): void {
  scenario
    .command('from-trace')
    .description('Make a scenario of a trace that does again all that was done in its run.')
    .argument('<file>', 'what `scenario run --trace` has written; - is standard input')
    .option('--connectivity', 'only who was cut off, when and for how long, and what was down', false)
    .option('-o, --out <file>', 'write it there instead of on stdout')
    .action(async (file: string, options) =>
      (await import('./scenario-from-trace.ts')).scenarioFromTrace(file, options),
    );
}

function schema(scenario: Command): void {
  withModels(scenario.command('schema'))
    .description('Print the JSON Schema of scenarios, by which editors complete and check them.')
    .option('-o, --out <file>', 'write it there instead')
    .action(async (options) => (await import('./scenario-schema.ts')).scenarioSchema(options));
}

/** Adds `--models` to a command; the models are loaded before the command runs. */
function withModels(command: Command): Command {
  return command
    .addOption(
      new Option('--models <dir>', 'a folder with vehicle models of your own').env(variableOf('models')),
    )
    .hook('preAction', async () => {
      const place: unknown = command.opts()['models'];
      if (typeof place === 'string')
        (await import('../../../deployment/models/model-directory.ts')).loadModels(place);
    });
}
