import type { Command } from 'commander';
import { wordsText } from '../settings/values.ts';

/** The commands that are named where another command has an option. */
const NAMED_OWNERS = 3;

/**
 * Commander's error of a command, with what is missing, which word was meant, or where the option belongs. `program` is the command above all
 * others. A text that says so itself stays as it is.
 */
export function explainedError(given: string, command: Command, program: Command): string {
  const text = given.replace(
    /('([^']*)' is invalid.*\.) Allowed choices are (.+)\.$/m,
    (_, refusal: string, value: string, words: string) => `${refusal} ${wordsText(words.split(', '), value)}`,
  );
  const [, argument] = /^error: missing required argument '(.+)'$/m.exec(text) ?? [];
  const [, flags] = /^error: option '(.+)' argument missing$/m.exec(text) ?? [];
  const [, unknown] = /^error: unknown option '(--[\w-]+)'$/m.exec(text) ?? [];
  const about =
    command.registeredArguments.find((one) => one.name() === argument)?.description ??
    command.options.find((one) => one.flags === flags)?.description;
  if (about !== undefined && about !== '') return text.replace(/\n*$/, `: ${about}\n`);
  if (unknown === undefined || text.includes('Did you mean')) return text;
  const owners = commandsWith(unknown, program);
  return owners.length === 0 ? text : `${text}(${ownersText(unknown, owners)})\n`;
}

/** The names of the commands with that option, such as `scenario run`, as the help shows them. */
function commandsWith(option: string, parent: Command, above = ''): readonly string[] {
  return parent.commands.flatMap((command) => {
    const name = `${above}${command.name()}`;
    const isOwn = command.options.some(({ long, hidden }) => long === option && !hidden);
    return [...(isOwn ? [name] : []), ...commandsWith(option, command, `${name} `)];
  });
}

function ownersText(option: string, owners: readonly string[]): string {
  const named = owners.slice(0, NAMED_OWNERS).map((name) => `"boxtwin ${name} ${option}"`);
  const rest = owners.length - named.length;
  return `It is an option of other commands: ${named.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}
