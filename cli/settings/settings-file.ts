import { readFileSync } from 'node:fs';
import { isMap, isScalar, LineCounter, parseDocument } from 'yaml';
import { limits } from '../limits.ts';
import { CommandError } from '../shared/command-error.ts';
import type { SettingsFile } from './resolve.ts';

/**
 * Reads a settings file: one map in YAML. `option` is how the file was named, for errors. Throws a `CommandError` that
 * names the line where it cannot be read.
 */
export function readSettingsFile(path: string, option: string): SettingsFile {
  const refuse = (why: string) =>
    new CommandError(`The settings file ${path} (${option}) cannot be used: ${why}`);
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    throw refuse(code === 'ENOENT' ? 'it does not exist.' : `${String(error)}.`);
  }
  if (text.length > limits.settingsCharacters)
    throw refuse(`it has more than ${limits.settingsCharacters} characters.`);
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, uniqueKeys: true });
  const [fault] = document.errors;
  if (fault !== undefined) {
    const { line, col } = lines.linePos(fault.pos[0]);
    throw refuse(`line ${line}, column ${col}: ${fault.message}.`);
  }
  // An empty file, or one of comments, gives nothing.
  if (document.contents === null) return { path, values: {}, placeOf: () => path };
  if (!isMap(document.contents)) throw refuse('it has to be one map, such as "vehicles: 100".');
  const places = new Map<string, string>();
  for (const { key } of document.contents.items) {
    if (!isScalar(key) || !key.range) continue;
    places.set(String(key.value), `${path}:${lines.linePos(key.range[0]).line}`);
  }
  const values: unknown = document.toJS({ maxAliasCount: limits.settingsAliases });
  return {
    path,
    values: Object.fromEntries(Object.entries(Object(values))),
    placeOf: (key) => places.get(key) ?? path,
  };
}
