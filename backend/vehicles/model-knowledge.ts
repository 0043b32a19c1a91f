import { knownModel } from '../../protocol/models/known-models.ts';
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

interface Knowledge {
  readonly state: readonly string[];
  readonly commands: readonly string[];
}

const known = new Map<string, Knowledge>([
  ...[...MODELS].map(([name, model]) => [name, knowledgeOf(model)] as const),
  ...MAKERS.flatMap((maker) =>
    Object.entries(maker.models).map(([name, model]) => [name, makerCapabilities(maker, model)] as const),
  ),
]);

function knowledgeOf(model: VehicleModel): Knowledge {
  return { state: capabilitiesOf(model), commands: commandCapabilitiesOf(model) };
}

/** Of the user's own models, once somebody has asked. */
function knowledgeNamed(name: string): Knowledge | undefined {
  const found = known.get(name);
  const model = found === undefined ? knownModel(name) : undefined;
  if (model === undefined) return found;
  const made = knowledgeOf(model);
  known.set(name, made);
  return made;
}

/** The known models by name. A model that is not known has no capabilities. */
export const modelKnowledge: ModelKnowledge = {
  findModel: (name) => knownModel(name) ?? MAKER_MODELS.get(name),
  telematicsOf: (name) =>
    knownModel(name) !== undefined ? 'box' : MAKER_MODELS.has(name) ? 'maker' : undefined,
  capabilitiesOf: (name) => knowledgeNamed(name)?.state ?? [],
  commandCapabilitiesOf: (name) => knowledgeNamed(name)?.commands ?? [],
};
