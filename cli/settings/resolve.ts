import { CLIENT_VARIABLES, SERVICE_VARIABLES } from '../../deployment/shared/client-variables.ts';
import { keyOf, variableOf } from '../../deployment/shared/setting-names.ts';
import { nearestName } from '../../scenarios/language/document/nearest.ts';
import { fallbackOf, type Part, readText, type Setting } from './setting.ts';
import { SETTINGS, type SettingName, settingsOf } from './settings.ts';

/** The source of the value of a setting. */
export type SettingSource = 'option' | 'variable' | 'file' | 'default';

/** An effective setting; `value` undefined: the command decides. */
export interface ResolvedSetting {
  readonly name: SettingName;
  readonly setting: Setting;
  readonly value: unknown;
  readonly source: SettingSource;
}

/** The contents of a settings file: the values by their keys, and the place of each, such as `boxtwin.yaml:3`. */
export interface SettingsFile {
  readonly path: string;
  readonly values: Readonly<Record<string, unknown>>;
  placeOf(key: string): string;
}

/** The inputs of a command, without its defaults. */
export interface GivenSettings {
  /** Already validated, by their names. */
  readonly options: Readonly<Partial<Record<string, unknown>>>;
  /** The environment; variables that do not begin with `BOXTWIN_` are ignored. */
  readonly variables: Readonly<Record<string, string | undefined>>;
  readonly file?: SettingsFile | undefined;
}

/** Variables with that prefix that are no settings. */
export const CONFIG_VARIABLE = 'BOXTWIN_CONFIG';

/** Of the variables for clients the one that is always there, and is no setting. */
const CLIENT_MARK = 'BOXTWIN_API_URL' satisfies keyof typeof SERVICE_VARIABLES;

/**
 * The settings of a command, in descending precedence: an option, its variable, the settings file, the default. Faults
 * are sentences that name what, where and the remedy; with a fault nothing must be started.
 */
export function resolveSettings(
  part: Part,
  given: GivenSettings,
): { readonly settings: readonly ResolvedSetting[]; readonly faults: readonly string[] } {
  const faults = [...unknownVariables(given.variables), ...unknownKeys(given.file)];
  const isSetting = ofProgram(given.variables);
  const settings = settingsOf(part).map(([name, setting]): ResolvedSetting => {
    const option = given.options[name];
    if (option !== undefined) return { name, setting, value: option, source: 'option' };
    const names = namesOf(name, setting);
    // An empty variable counts as unset, so that a caller can clear one.
    const variable = names
      .map(variableOf)
      .find((one) => isSetting(one) && (given.variables[one] ?? '') !== '');
    if (variable !== undefined) {
      const text = given.variables[variable] ?? '';
      const value = checked(setting, readText(setting, text), variable, faults);
      return { name, setting, value, source: 'variable' };
    }
    const file = given.file;
    const key = names.map(keyOf).find((one) => Object.hasOwn(file?.values ?? {}, one));
    if (file !== undefined && key !== undefined) {
      const value = checked(setting, file.values[key], `${file.placeOf(key)}: ${key}`, faults);
      return { name, setting, value, source: 'file' };
    }
    return { name, setting, value: fallbackOf(setting, part), source: 'default' };
  });
  return { settings, faults };
}

/**
 * Which variables are settings. In a shell with what `env` prints, or in a client that `certify-client` has started, the
 * credentials there are for that client: `up` in the same shell does not take them.
 */
function ofProgram(variables: GivenSettings['variables']): (name: string) => boolean {
  const ofClients: readonly string[] =
    variables[CLIENT_MARK] === undefined ? [] : [...CLIENT_VARIABLES, ...Object.keys(SERVICE_VARIABLES)];
  return (name) => !ofClients.includes(name);
}

function checked(setting: Setting, value: unknown, place: string, faults: string[]): unknown {
  const parsed = setting.schema.safeParse(value);
  if (parsed.success) return parsed.data;
  faults.push(`${place}: ${parsed.error.issues[0]?.message ?? 'It cannot be used.'}`);
  return undefined;
}

const NAMES = Object.entries<Setting>(SETTINGS).flatMap(([name, setting]) => namesOf(name, setting));

/** The name of a setting, and its former one. */
function namesOf(name: string, { formerly }: Setting): readonly string[] {
  return formerly === undefined ? [name] : [name, formerly];
}

/** A variable that no command uses is a typing mistake; one of another command is not. */
function unknownVariables(variables: GivenSettings['variables']): readonly string[] {
  const known = [...NAMES.map(variableOf), CONFIG_VARIABLE];
  const ofPrograms: readonly string[] = [...CLIENT_VARIABLES, ...Object.keys(SERVICE_VARIABLES)];
  return Object.keys(variables)
    .filter((name) => name.startsWith('BOXTWIN_') && !known.includes(name) && !ofPrograms.includes(name))
    .map((name) => `${name}: there is no such setting.${nearest(name, known)}`);
}

/** A file may serve several commands: keys of another one are ignored. */
function unknownKeys(file: SettingsFile | undefined): readonly string[] {
  const known = NAMES.map(keyOf);
  return Object.keys(file?.values ?? {})
    .filter((key) => !known.includes(key))
    .map(
      (key) =>
        `${file?.placeOf(key) ?? ''}: ${key}: there is no such setting.${nearest(key, known)} "boxtwin config" lists all of them.`,
    );
}

function nearest(given: string, known: readonly string[]): string {
  const name = nearestName(given, known);
  return name === undefined ? '' : ` Did you mean ${name}?`;
}
