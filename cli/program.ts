import { Command, Help, Option } from 'commander';
import { readPackageFile } from '../deployment/shared/package-file.ts';
import { nearestName } from '../scenarios/language/document/nearest.ts';
import { addCertifyClientCommand, addCertifyCommand } from './commands/certify-command.ts';
import { addCompletion } from './commands/completion.ts';
import type { ExamplesOptions } from './commands/examples.ts';
import { addModelCommands } from './commands/model/model.ts';
import { addPartCommands } from './commands/part-commands.ts';
import type { ProvokeOptions } from './commands/provoke.ts';
import { addRunningCommands } from './commands/running/running-commands.ts';
import { addScenarioCommands, addSwarmCommand } from './commands/scenario/scenario.ts';
import { addStoreCommands } from './commands/store/store.ts';
import { addWatchCommands } from './commands/watch-commands.ts';
import { addExamples } from './help/command-examples.ts';
import { groupCommands, UNLISTED } from './help/command-groups.ts';
import { explainedError } from './help/explained-error.ts';
import {
  argument,
  dataDirectory,
  FORCE_HELP,
  quietOption,
  WRITTEN_ADDRESS,
} from './settings/option-values.ts';
import { briefHelp } from './settings/setting-options.ts';
import { accountUrl, httpUrl } from './settings/values.ts';
import { limits } from './shared/limits.ts';

/**
 * The command `boxtwin` with everything below it; each command loads its implementation only when it is called. `asked`:
 * the first argument.
 */
export async function makeProgram(asked: string | undefined): Promise<Command> {
  const program = new Command('boxtwin')
    .description('A digital twin of a vehicle telematics fleet.')
    .version(readPackageFile().version, '-v, --version')
    .helpCommand(false)
    .configureHelp({
      optionDescription,
      subcommandTerm: (command) => command.name(),
      formatHelp: briefHelp,
    })
    .showSuggestionAfterError(true)
    .showHelpAfterError('(boxtwin --help lists the commands)')
    .addHelpText('after', '\n"boxtwin COMMAND --help" shows the options of a command.')
    .exitOverride();
  addPartCommands(program);
  addWatchCommands(program);
  addExamplesCommand(program);
  addProvoke(program);
  addRunningCommands(program);
  addCertifyCommand(program);
  addCertifyClientCommand(program);
  addStoreCommands(program);
  addModelCommands(program);
  addScenarioCommands(program);
  addSwarmCommand(program);
  program
    .command('help [command...]', { hidden: true })
    .action((words: readonly string[]) => commandNamed(program, words).outputHelp());
  await addCompletion(program, asked);
  groupCommands(program);
  addColourOption(program);
  addExamples(program, UNLISTED);
  explainErrors(program, program);
  pointToOwnHelp(program, 'boxtwin');
  return program;
}

function addExamplesCommand(program: Command): void {
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
}

function addProvoke(program: Command): void {
  program
    .command('provoke')
    .description('Bring a problem of the service about from a real cause, and show it.')
    .argument('[problem]', 'its type or the last part of it, such as no-connection')
    .option('--vehicle <id>', 'with this vehicle (default: one that fits)')
    .option('--endpoint <name>', 'at this endpoint, by the end of its path, such as lock-central-lock')
    .option('--cause <name>', 'from this cause, as --list names it')
    .option('--undo', 'undo it again at once', false)
    .option('--list', 'list all problems and their causes', false)
    .addOption(dataDirectory())
    .option('--url <url>', `address of the API ${WRITTEN_ADDRESS}`, argument(httpUrl))
    .option('--simulator <url>', `address of the simulator ${WRITTEN_ADDRESS}`, argument(accountUrl))
    .option('--force', FORCE_HELP, false)
    .option('--client-id <id>', 'who asks (default: a client that is made for it)')
    .option('--client-secret <secret>', 'the secret of that client')
    .addOption(quietOption())
    .option('--json', 'one JSON object', false)
    .action(async (problem: string | undefined, options: ProvokeOptions) =>
      (await import('./commands/provoke.ts')).provoke(problem, options),
    );
}

/** `--no-color` of every command. The library of colours looks for it itself. */
function addColourOption(command: Command): void {
  if (UNLISTED.includes(command.name())) return;
  command.addOption(new Option('--no-color', 'no colours (as the variable NO_COLOR)'));
  for (const one of command.commands) addColourOption(one);
}

/** The command of these words, such as `scenario run`. Throws commander's error for an unknown one. */
function commandNamed(program: Command, words: readonly string[]): Command {
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

/** What each command, down from this one, writes where it refuses a command line. */
function explainErrors(command: Command, program: Command): void {
  command.configureOutput({
    getOutHelpWidth: helpColumns,
    getErrHelpWidth: helpColumns,
    // A refused value is quoted, and may be a URL with a password in it.
    outputError: (text, write) => write(withoutSecrets(explainedError(text, command, program))),
  });
  for (const one of command.commands) explainErrors(one, program);
}

/** Wider lines are hard to read. */
function helpColumns(): number {
  return Math.min(process.stdout.columns || limits.helpColumns, limits.widestHelpColumns);
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

/** Commander's description of an option, without uninformative defaults: a switch is off, a list is empty. */
function optionDescription(option: Option): string {
  const { defaultValue } = option;
  const isTelling = defaultValue !== false && !(Array.isArray(defaultValue) && defaultValue.length === 0);
  return isTelling ? new Help().optionDescription(option) : option.description;
}

/** Without the value of an option that takes a secret, and without passwords in URLs. */
function withoutSecrets(text: string): string {
  return withoutPasswords(
    text.replace(
      /(option '[^']*<[^>]*(?:secret|password)>' argument )'.*' is invalid/s,
      "$1'***' is invalid",
    ),
  );
}

/** A value between quotes, up to "is invalid", which may itself have quotes and spaces in its password. */
function withoutPasswords(text: string): string {
  return text.replaceAll(/(\/\/[^\s:/@']*):(?:[^\n]*@(?=[^\n@]*' is invalid)|[^\s']*@)/g, '$1:***@');
}
