import { isDeepStrictEqual } from 'node:util';
import type { VehicleModel } from './model.ts';
import { MODELS } from './models.ts';

/**
 * The models of the user's own that this process knows. One name means one model in a process: frames and stored vehicles name
 * their model by it alone.
 */
const own = new Map<string, VehicleModel>();

/** The model with a box of that name: a built-in one, or one of the user's own. */
export function knownModel(name: string): VehicleModel | undefined {
  return MODELS.get(name) ?? own.get(name);
}

/** The names of all models with a box: the built-in ones, then those of the user's own in the order in which they came. */
export function knownModelNames(): readonly string[] {
  return [...MODELS.keys(), ...own.keys()];
}

/** The models of the user's own, in the order in which they came. */
export function ownModels(): readonly VehicleModel[] {
  return [...own.values()];
}

/**
 * Registers these models in this process. Returns the names that another model already has; then none is registered.
 */
export function addOwnModels(models: readonly VehicleModel[]): readonly string[] {
  const others = models.filter((model) => {
    const known = knownModel(model.name);
    return known !== undefined && !isDeepStrictEqual(known, model);
  });
  if (others.length > 0) return others.map(({ name }) => name);
  for (const model of models) if (knownModel(model.name) === undefined) own.set(model.name, model);
  return [];
}
