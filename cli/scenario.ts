import type { Command } from 'commander';
import { limits } from './limits.ts';
import { whole } from './option-values.ts';
import { pace, reportPlace } from './scenario-values.ts';

/**
 * The commands below `boxtwin scenario`, one row each: a row adds its own command, and loads what carries it out only
 * when it is asked for.
 */
const SCENARIO_COMMANDS: readonly ((scenario: Command) => void)[] = [run, schema];

/** Adds `boxtwin scenario` with everything below it. */
export function addScenarioCommands(program: Command): void {
  const scenario = program
    .command('scenario')
    .description('Play what happens to a fleet from a file, in hours that pass in seconds, with a verdict.');
  for (const add of SCENARIO_COMMANDS) add(scenario);
}

function run(scenario: Command): void {
  scenario
    .command('run')
    .description('Run scenarios and say what came of each.')
    .argument('<place...>', 'files, or directories, of which every *.yaml is run')
    .option('--world <name>', 'virtual, or real: over sockets and by the clock', 'virtual')
    .option('--seed <n>', 'another seed than that of the file', whole(0, 0xffff_ffff))
    .option('--pace <n>', 'virtual seconds in a second on the wall, or max', pace, Number.POSITIVE_INFINITY)
    .option(
      '--report <kind=file>',
      'write a report: junit=FILE, json=FILE or html=FILE; may be given several times',
      reportPlace,
      [],
    )
    .option('--trace <file>', 'write the trace of a single scenario')
    .option('--json', 'the JSON report on stdout in place of text', false)
    .addHelpText(
      'after',
      `
Exit codes; of several scenarios the highest counts:
  0  everything came as expected
  1  an expectation or a checker failed
  2  a file or an option cannot be used; nothing was run
  3  the world got stuck: nothing was left to happen while something was waited for
  4  something crashed
  ${limits.interruptedExitCode}  ended by Ctrl-C; what had run is reported`,
    )
    .action(async (places: readonly string[], options) =>
      (await import('./scenario-run.ts')).scenarioRun(places, options),
    );
}

function schema(scenario: Command): void {
  scenario
    .command('schema')
    .description('Print the JSON Schema of scenarios, by which editors complete and check them.')
    .option('--out <file>', 'write it there instead')
    .action(async (options) => (await import('./scenario-schema.ts')).scenarioSchema(options));
}
