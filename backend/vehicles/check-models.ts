import { modelFaults } from '../../protocol/models/check.ts';
import { MAKER_MODELS } from '../../protocol/models/maker-models.ts';
import type { VehicleModel } from '../../protocol/models/model.ts';
import { MODELS } from '../../protocol/models/models.ts';
import { faultsOfFeeds } from './properties.ts';

/**
 * The faults of the vehicle models, one English sentence each; empty: none. A sentence begins with the file
 * and names model, row and reason. `models`: those of protocol/models, each in the file of its own name.
 */
export function faultsOfModels(models: Iterable<VehicleModel> = MODELS.values()): readonly string[] {
  return [
    ...inFile([...models], ({ name }) => `protocol/models/${name}.ts`),
    ...inFile([...MAKER_MODELS.values()], () => 'protocol/models/maker-models.ts'),
  ];
}

/** The faults of one model, wherever it came from. Each names model, row and reason. */
export function faultsOfModel(model: VehicleModel): readonly string[] {
  return [...modelFaults(model), ...faultsOfFeeds(model)];
}

function inFile(models: readonly VehicleModel[], fileOf: (model: VehicleModel) => string): readonly string[] {
  const names = models.map((model) => model.name);
  return models.flatMap((model, index) => {
    const twice = names.indexOf(model.name) === index ? [] : [`${model.name}: another model has that name`];
    const faults = [...twice, ...faultsOfModel(model)];
    return faults.map((fault) => `${fileOf(model)}: ${fault}`);
  });
}
