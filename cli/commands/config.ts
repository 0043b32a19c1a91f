import { stringify } from 'yaml';
import { z } from 'zod';
import { CommandError } from '../../deployment/shared/command-error.ts';
import { keyOf, variableOf } from '../../deployment/shared/setting-names.ts';
import { withoutPassword } from '../../deployment/shared/user-errors.ts';
import { type ResolvedSetting, resolveSettings } from '../settings/resolve.ts';
import type { Part, Setting } from '../settings/setting.ts';
import { settingsFileOf } from '../settings/setting-options.ts';
import { SETTINGS } from '../settings/settings.ts';

/** As commander hands them over. */
export interface ConfigOptions {
  readonly config?: string;
  readonly json: boolean;
  readonly schema: boolean;
}

/**
 * Prints the settings that a command would start with, as a settings file with the source of each; or the JSON schema
 * of such files. Throws a `CommandError` where a given value cannot be used.
 */
export function config(part: Part, options: ConfigOptions): void {
  if (options.schema) {
    process.stdout.write(`${JSON.stringify(settingsSchema(), undefined, 2)}\n`);
    return;
  }
  const file = settingsFileOf(options.config);
  const { settings, faults } = resolveSettings(part, { options: {}, variables: process.env, file });
  if (faults.length > 0) throw new CommandError(faults.join('\n  '));
  const text = options.json ? settingsJson(part, settings) : settingsText(part, settings, file?.path);
  process.stdout.write(text);
}

/** The JSON schema of settings files, for editors. A file may hold settings of several commands. */
export function settingsSchema(): Record<string, unknown> {
  const properties = Object.entries<Setting>(SETTINGS).flatMap(
    ([name, { schema, help, parts, formerly }]) => {
      const { $schema, ...property } = z.toJSONSchema(schema, { io: 'input' });
      const former = { ...property, deprecated: true, description: `the former name of ${keyOf(name)}` };
      return [
        [keyOf(name), { ...property, description: `${help} (${parts.join(', ')})` }],
        ...(formerly === undefined ? [] : [[keyOf(formerly), former]]),
      ];
    },
  );
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Settings of boxtwin',
    type: 'object',
    properties: Object.fromEntries(properties),
    additionalProperties: false,
  };
}

/** A settings file with a comment for each value; what the command decides itself is commented out. */
export function settingsText(
  part: Part,
  settings: readonly ResolvedSetting[],
  file: string | undefined,
): string {
  const lines = settings.map((row) => {
    const key = keyOf(row.name);
    if (row.value === undefined) return `# ${key}:  # ${row.setting.help}`;
    return `${stringify({ [key]: shown(row) }, { lineWidth: 0 }).trimEnd()}  # ${sourceText(row, file)}; ${row.setting.help}`;
  });
  return `# boxtwin ${part}\n${lines.join('\n')}\n`;
}

function settingsJson(part: Part, settings: readonly ResolvedSetting[]): string {
  const rows = settings.map((row) => [keyOf(row.name), { value: shown(row) ?? null, source: row.source }]);
  return `${JSON.stringify({ command: part, settings: Object.fromEntries(rows) })}\n`;
}

function sourceText({ name, source }: ResolvedSetting, file: string | undefined): string {
  if (source === 'variable') return variableOf(name);
  return source === 'file' ? (file ?? 'file') : source;
}

/** Without secrets: users paste this output into tickets. */
function shown({ value, setting }: ResolvedSetting): unknown {
  if (setting.secret === 'all') return value === undefined ? undefined : '***';
  if (setting.secret !== 'url' || typeof value !== 'string') return value;
  return value
    .split(',')
    .map((url) => (URL.canParse(url) ? withoutPassword(url) : url))
    .join(',');
}
