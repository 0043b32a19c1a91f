import { valueRow } from '../../contract/properties.ts';
import { modelFaults, rowPath } from '../../protocol/models/check.ts';
import { MAKER_MODELS } from '../../protocol/models/maker-models.ts';
import type { VehicleModel } from '../../protocol/models/model.ts';
import { MODELS } from '../../protocol/models/models.ts';
import type { Quantity } from '../../protocol/models/quantities.ts';

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

/** The errors in what a model's rows feed, one English sentence each that names model and row; empty: none. */
function faultsOfFeeds(model: VehicleModel): readonly string[] {
  return model.rows.flatMap((row, index) =>
    row.feeds.flatMap((path) => {
      const fault = feedFault(path, row.quantity);
      return fault === undefined ? [] : [`${model.name}: ${rowPath(row, index)}: ${fault}`];
    }),
  );
}

function feedFault(path: string, quantity: Quantity): string | undefined {
  const property = valueRow(path);
  if (property === undefined) return `${path} is no property of the vehicle state`;
  if (property.shape === 'parts') return `${path} has parts: name one of them`;
  if (!('of' in property) || property.of === undefined) return `${path} is not the vehicle's to say`;
  return property.of === quantity ? undefined : `${path} is fed by ${property.of}, not by ${quantity}`;
}
