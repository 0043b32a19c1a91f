import { type Command, Option } from 'commander';
import { z } from 'zod';
import { CommandError } from '../shared/command-error.ts';
import { argument } from '../shared/option-values.ts';
import { CONFIG_VARIABLE, resolveSettings } from './resolve.ts';
import { fallbackOf, optionOf, type Part, readText, type Setting, settingsOf } from './settings.ts';
import { readSettingsFile } from './settings-file.ts';

const HELP = `
Each option can also be given as an environment variable (--mqtt-port as BOXTWIN_MQTT_PORT) or in a settings file
(mqtt_port: 1884). An option goes before its variable, that before the file. "boxtwin config" shows what is in force.`;

/** The words that a setting takes, where it takes only some. Its help names them; they are not listed there once more. */
const words = new WeakMap<Option, readonly string[]>();

/** Lets whoever completes a command line see which words its settings take. */
export function offerWords(command: Command): void {
  for (const option of command.options) {
    const offered = words.get(option);
    if (offered !== undefined) option.argChoices = [...offered];
  }
}

/** Adds the settings of a part to its command; from then on its options hold what variables and file say, too. */
export function addSettings(command: Command, part: Part): Command {
  for (const [name, setting] of settingsOf(part)) {
    command.addOption(optionFor(name, setting, part));
    const { formerly } = setting;
    if (formerly !== undefined) command.addOption(optionFor(formerly, setting, part).hideHelp());
  }
  return command
    .addOption(configOption())
    .addHelpText('after', HELP)
    .hook('preAction', () => applySettings(command, part));
}

/** `--config` */
export function configOption(): Option {
  return new Option(
    '--config <file>',
    `a settings file in YAML (default: that of ${CONFIG_VARIABLE}, or none)`,
  );
}

function optionFor(name: string, setting: Setting, part: Part): Option {
  const option = new Option(`${optionOf(name)} <${setting.placeholder}>`, setting.help);
  const fallback = fallbackOf(setting, part);
  if (setting.schema instanceof z.ZodEnum) words.set(option, setting.schema.options.map(String));
  return option.argParser(argument(setting.schema, (text) => readText(setting, text))).default(fallback);
}

/**
 * Puts what variables and the settings file say into the options that are not given. Throws a `CommandError` with all
 * faults.
 */
function applySettings(command: Command, part: Part): void {
  const isGiven = (name: string) => command.getOptionValueSource(name) === 'cli';
  for (const [name, { formerly }] of settingsOf(part))
    if (formerly !== undefined && isGiven(formerly) && !isGiven(name))
      command.setOptionValueWithSource(name, command.opts()[formerly], 'cli');
  const options = Object.fromEntries(Object.entries(command.opts()).filter(([name]) => isGiven(name)));
  const { settings, faults } = resolveSettings(part, {
    options,
    variables: process.env,
    file: settingsFileOf(command.opts()['config']),
  });
  if (faults.length > 0) throw new CommandError(faults.join('\n  '));
  for (const { name, value, source } of settings) {
    if (source === 'variable' || source === 'file') command.setOptionValueWithSource(name, value, source);
  }
}

/** The settings file that `--config` or its variable names; undefined: none. Throws a `CommandError`. */
export function settingsFileOf(given: unknown) {
  if (typeof given === 'string') return readSettingsFile(given, '--config');
  const path = process.env[CONFIG_VARIABLE] ?? '';
  return path === '' ? undefined : readSettingsFile(path, CONFIG_VARIABLE);
}
