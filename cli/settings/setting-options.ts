import { type Command, Help, Option } from 'commander';
import { z } from 'zod';
import { CommandError } from '../../deployment/shared/command-error.ts';
import { optionOf } from '../../deployment/shared/setting-names.ts';
import { byGroup, groupOf, isUsual } from './option-groups.ts';
import { argument, formerly } from './option-values.ts';
import { CONFIG_VARIABLE, resolveSettings } from './resolve.ts';
import { fallbackOf, type Part, readText, type Setting } from './setting.ts';
import { settingsOf } from './settings.ts';
import { readSettingsFile } from './settings-file.ts';

const HELP = `
Each option can also be given as an environment variable (--mqtt-port as BOXTWIN_MQTT_PORT) or in a settings file
(mqtt_port: 1884). An option overrides its variable, and the variable overrides the file. "boxtwin config" shows the resulting values.`;

/** The allowed words of a setting, if it has a fixed set. Its help names them; they are not listed there again. */
const words = new WeakMap<Option, readonly string[]>();

/** The settings that the short help of their command leaves out. They are not hidden: a misspelt one is recognized. */
const unusual = new WeakSet<Option>();

/** The help of a command without the settings that only --help-all shows. */
export function briefHelp(command: Command, helper: Help): string {
  const brief = Object.assign(new Help(), helper);
  brief.visibleOptions = (one) => helper.visibleOptions(one).filter((option) => !unusual.has(option));
  return Help.prototype.formatHelp.call(brief, command, brief);
}

/** Passes the allowed words of settings to the completion of command lines. */
export function offerWords(command: Command): void {
  for (const option of command.options) {
    const offered = words.get(option);
    if (offered !== undefined) option.argChoices = [...offered];
  }
}

/**
 * Adds the settings of a part to its command; its options then include the values of variables and file, too. The help
 * shows the usual ones; --help-all shows all, in groups.
 */
export function addSettings(command: Command, part: Part): Command {
  const rest: (readonly [Option, string])[] = [];
  for (const [name, setting] of byGroup(settingsOf(part))) {
    const option = optionFor(name, setting, part);
    if (!isUsual(name)) rest.push([option, groupOf(name)]);
    command.addOption(option);
    if (isSwitch(setting)) command.addOption(new Option(`--no-${optionOf(name).slice(2)}`).hideHelp());
    const { formerly: former } = setting;
    if (former !== undefined) {
      const read = argument(setting.schema, (text) => readText(setting, text));
      command.addOption(formerly(`${optionOf(former)} <${setting.placeholder}>`, name, read));
    }
  }
  for (const [option] of rest) unusual.add(option);
  return command
    .addOption(configOption())
    .addOption(new Option('--help-all', `show all ${settingsOf(part).length} settings, in groups`))
    .on('option:help-all', () => {
      for (const [option, group] of rest) {
        unusual.delete(option);
        option.helpGroup(group);
      }
      command.addHelpText('after', HELP).help();
    })
    .hook('preAction', () => applySettings(command, part));
}

/** The short names of usual settings. */
const SHORT: Readonly<Record<string, string>> = { vehicles: '-n', port: '-p' };

/** A setting that is on or off: `--no-console` is `--console off`. */
function isSwitch({ placeholder }: Setting): boolean {
  return placeholder.startsWith('on|off');
}

/** `--config` */
export function configOption(): Option {
  return new Option(
    '--config <file>',
    `a settings file in YAML (default: that of ${CONFIG_VARIABLE}, or none)`,
  );
}

function optionFor(name: string, setting: Setting, part: Part): Option {
  const short = SHORT[name];
  const flags = `${optionOf(name)} <${setting.placeholder}>`;
  const option = new Option(short === undefined ? flags : `${short}, ${flags}`, setting.help);
  const fallback = fallbackOf(setting, part);
  if (setting.schema instanceof z.ZodEnum) words.set(option, setting.schema.options.map(String));
  return option.argParser(argument(setting.schema, (text) => readText(setting, text))).default(fallback);
}

/**
 * Sets the options that are not given to the values of variables and the settings file. Throws a `CommandError` with
 * all faults.
 */
function applySettings(command: Command, part: Part): void {
  const isGiven = (name: string) => command.getOptionValueSource(name) === 'cli';
  for (const [name, setting] of settingsOf(part))
    if (isSwitch(setting) && command.getOptionValue(name) === false)
      command.setOptionValueWithSource(name, 'off', 'cli');
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
