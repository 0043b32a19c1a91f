import { type Command, CommanderError } from 'commander';
import { CommandError } from '../deployment/shared/command-error.ts';
import { withActionHelp } from './commands/running/running-commands.ts';
import { makeProgram } from './program.ts';
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

// Exit codes: 0 done; 1 it failed while it ran; 2 the request cannot be fulfilled.
const program = await makeProgram(process.argv[2]);
ignoreClosedOutput();
try {
  refuseSynonym(program, process.argv[2]);
  await program.parseAsync(asRead(process.argv));
} catch (error) {
  process.exitCode = report(error);
}

/** As commander reads it: `boxtwin -V` was how the version was asked for, and an action of `do` has a help of its own. */
function asRead([node = '', program = '', ...words]: readonly string[]): readonly string[] {
  const [first, ...rest] = withActionHelp(words);
  return first === undefined ? [node, program] : [node, program, first === '-V' ? '-v' : first, ...rest];
}

/** Throws commander's error for a word that is no command here, with the command that does what is probably meant. */
function refuseSynonym(program: Command, word: string | undefined): void {
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
