import { isMap, isScalar, LineCounter, parseDocument } from 'yaml';
import { readInput, unreadableText } from '../../deployment/input/input-file.ts';
import { INPUT_FILES } from '../../deployment/input/input-kinds.ts';
import { CommandError } from '../../deployment/shared/command-error.ts';
import { limits } from '../../deployment/shared/limits.ts';
import { explainYaml } from '../../scenarios/language/document/explain-yaml.ts';
import { errorText } from '../../world/error-text.ts';
import type { SettingsFile } from './resolve.ts';

/**
 * Reads a settings file: one map in YAML. `option` is how the file was named, for errors. Throws a `CommandError` that
 * names the line where it cannot be read.
 */
export function readSettingsFile(path: string, option: string): SettingsFile {
  const refuse = (why: string) =>
    new CommandError(
      `${what} ${path} (${option}) cannot be used: ${why} A settings file is one map in YAML, such as "vehicles: 100".`,
    );
  const { what } = INPUT_FILES.settings;
  const reading = readInput('settings', path);
  if ('fault' in reading) throw new CommandError(unreadableText('settings', path, reading.fault, option));
  const text = Buffer.from(reading.bytes).toString('utf8');
  if (text.length > limits.settingsCharacters)
    throw refuse(`it has more than ${limits.settingsCharacters} characters.`);
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: true });
  const [fault] = explainYaml(document.errors, text, document);
  if (fault !== undefined) {
    const { line, col } = lines.linePos(fault.offset);
    throw refuse(`line ${line}, column ${col}: ${fault.message}`);
  }
  // An empty file, or one of comments, has no values.
  if (document.contents === null) return { path, values: {}, placeOf: () => path };
  if (!isMap(document.contents)) throw refuse('it is no map.');
  const places = new Map<string, string>();
  for (const { key } of document.contents.items) {
    if (!isScalar(key) || !key.range) continue;
    places.set(String(key.value), `${path}:${lines.linePos(key.range[0]).line}`);
  }
  let values: unknown;
  try {
    values = document.toJS({ maxAliasCount: limits.settingsAliases });
  } catch (error) {
    // An alias without its anchor, or too many of them.
    throw refuse(`${errorText(error)}.`);
  }
  return {
    path,
    values: Object.fromEntries(Object.entries(Object(values))),
    placeOf: (key) => places.get(key) ?? path,
  };
}
