import { loadModels } from '../models/model-directory.ts';
import { CommandError } from '../shared/command-error.ts';
import { failed, type Judgement, ok } from './check.ts';

/** The user's own models: their names, or why they cannot be used. */
export type ModelsFacts = { readonly names: readonly string[] } | { readonly refusal: string };

/** Reads the models of a folder, as a start would. */
export function modelsFacts(place: string): ModelsFacts {
  try {
    return { names: loadModels(place).map(({ name }) => name) };
  } catch (error) {
    if (error instanceof CommandError) return { refusal: error.message };
    throw error;
  }
}

/** Whether a start could use them. */
export function judgeModels(facts: ModelsFacts): Judgement {
  if ('names' in facts) return ok(`These can be used: ${facts.names.join(', ')}.`);
  return failed(facts.refusal, 'Mend the file; "boxtwin model check FILE" looks at one.');
}
