import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { addOwnModels } from '../../protocol/models/known-models.ts';
import { MAKER_MODELS } from '../../protocol/models/maker-models.ts';
import type { VehicleModel } from '../../protocol/models/model.ts';
import { MODELS } from '../../protocol/models/models.ts';
import { printProblem } from '../../scenarios/language/document/problem.ts';
import { shellWord } from '../../world/shell-word.ts';
import { inputText } from '../input/input-file.ts';
import { INPUT_FILES } from '../input/input-kinds.ts';
import { CommandError } from '../shared/command-error.ts';
import { limits } from '../shared/limits.ts';
import { readModel } from './read-model.ts';

/** Where the user's own models came from, for commands that repeat the run. */
const places = new Set<string>();

/**
 * Reads every model file (*.yaml, *.yml, *.json) of a folder, or the one file of that name, and registers the models in
 * this process. Throws a `CommandError` with all mistakes of all of them.
 */
export function loadModels(place: string): readonly VehicleModel[] {
  const files = filesAt(place);
  const found = new Map<string, { readonly file: string; readonly model: VehicleModel }>();
  const wrong: string[] = [];
  for (const file of files) {
    const text = textOf(file);
    const reading = readModel(text, file);
    if (!reading.ok) {
      wrong.push(...reading.problems.map((problem) => printProblem(problem, text)));
      continue;
    }
    const { name } = reading.model;
    const other = found.get(name)?.file;
    if (MODELS.has(name) || MAKER_MODELS.has(name))
      wrong.push(`${file}: There is a built-in model ${name}. Choose another name.`);
    else if (other !== undefined)
      wrong.push(`${file}: ${other} has a model ${name}, too. Choose another name.`);
    else found.set(name, { file, model: reading.model });
  }
  const models = [...found.values()].map(({ model }) => model);
  if (wrong.length === 0)
    for (const name of addOwnModels(models))
      wrong.push(
        `${place}: This process knows another model ${name} already. One name is one model in a process.`,
      );
  if (wrong.length > 0)
    throw new CommandError(`The models of ${place} cannot be used:\n\n${wrong.join('\n\n')}`);
  places.add(place);
  return models;
}

/** ` --models DIR`, for a command that repeats the run; empty without models of the user's own. */
export function modelsArgument(): string {
  return [...places].map((place) => ` --models ${shellWord(place)}`).join('');
}

/** The folders and files that models came from. */
export function modelPlaces(): readonly string[] {
  return [...places];
}

function filesAt(place: string): readonly string[] {
  const there = statSync(place, { throwIfNoEntry: false });
  if (there === undefined)
    throw new CommandError(`There is no file or folder ${place} (--models). ${INPUT_FILES.model.remedy}`);
  if (!there.isDirectory()) return [place];
  const files = readdirSync(place)
    .filter((name) => /\.(ya?ml|json)$/i.test(name))
    .sort()
    .map((name) => join(place, name));
  if (files.length === 0)
    throw new CommandError(
      `There is no model (*.yaml, *.yml, *.json) in ${place}. ${fromDbcText('FILE', join(place, 'NAME.yaml'))}`,
    );
  if (files.length > limits.modelFiles)
    throw new CommandError(
      `There are ${files.length} models in ${place}, and ${limits.modelFiles} can be loaded.`,
    );
  return files;
}

/** The text of a model file. Throws a `CommandError` where it cannot be read, or is too large for one. */
export function textOf(file: string): string {
  const text = inputText('model', file);
  if (isDbc(file, text)) throw new CommandError(dbcText(file));
  if (text.length <= limits.modelCharacters) return text;
  throw new CommandError(
    `${file} has more than ${limits.modelCharacters} characters, and no model has: is it another file?`,
  );
}

/** Whether it is a CAN database: its messages begin so. */
function isDbc(file: string, text: string): boolean {
  return /\.dbc$/i.test(file) || /^BO_ \d+ /m.test(text);
}

function dbcText(file: string): string {
  const out = `${file.replace(/\.dbc$/i, '')}.yaml`;
  return `${file} is a CAN database, and a model is a file in YAML or JSON. ${fromDbcText(shellWord(file), shellWord(out))}`;
}

function fromDbcText(file: string, out: string): string {
  return `"boxtwin model from-dbc ${file} --out ${out}" makes one.`;
}
