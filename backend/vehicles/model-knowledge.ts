import { MAKER_MODELS } from '../../protocol/models/maker-models.ts';
import type { VehicleModel } from '../../protocol/models/model.ts';
import { MODELS } from '../../protocol/models/models.ts';
import { MAKERS } from '../third-party/makers.ts';
import { capabilitiesOf, commandCapabilitiesOf, makerCapabilities } from './capabilities.ts';

/** The data of the vehicle models, by the name of a model. */
export interface ModelKnowledge {
  findModel(model: string): VehicleModel | undefined;
  /** Whether vehicles of that model come with a box, or with their maker's cloud; undefined: there is no such model. */
  telematicsOf(model: string): 'box' | 'maker' | undefined;
  /** Vehicle state capabilities, UPPER_SNAKE_CASE. */
  capabilitiesOf(model: string): readonly string[];
  /** Command capabilities, UPPER_SNAKE_CASE. */
  commandCapabilitiesOf(model: string): readonly string[];
}

const known: ReadonlyMap<
  string,
  { readonly state: readonly string[]; readonly commands: readonly string[] }
> = new Map([
  ...[...MODELS].map(
    ([name, model]) =>
      [name, { state: capabilitiesOf(model), commands: commandCapabilitiesOf(model) }] as const,
  ),
  ...MAKERS.flatMap((maker) =>
    Object.entries(maker.models).map(([name, model]) => [name, makerCapabilities(maker, model)] as const),
  ),
]);

/** The built-in models by name. A model that is not known has no capabilities. */
export const modelKnowledge: ModelKnowledge = {
  findModel: (name) => MODELS.get(name) ?? MAKER_MODELS.get(name),
  telematicsOf: (name) => (MODELS.has(name) ? 'box' : MAKER_MODELS.has(name) ? 'maker' : undefined),
  capabilitiesOf: (name) => known.get(name)?.state ?? [],
  commandCapabilitiesOf: (name) => known.get(name)?.commands ?? [],
};
