import type { CommandName } from '../protocol/commands.ts';
import { knownModel } from '../protocol/models/known-models.ts';
import { MAKER_MODELS } from '../protocol/models/maker-models.ts';
import type { VehicleModel } from '../protocol/models/model.ts';
import { MODELS } from '../protocol/models/models.ts';
import type { Maker, MakerModel } from './third-party/maker.ts';
import { MAKERS } from './third-party/makers.ts';
import {
  capabilitiesOf,
  capabilityNames,
  commandCapabilitiesOf,
  type ModelKnowledge,
} from './vehicles/capabilities.ts';

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

/** The same two for a maker's model: the properties in the maker's rows, and the commands that the maker offers. */
function makerCapabilities(maker: Maker, { lacksCommands, lacksProperties }: MakerModel): Knowledge {
  const properties = new Set(
    maker.rows.map((row) => row.property).filter((name) => !lacksProperties.includes(name)),
  );
  const commands = (Object.keys(maker.commands) as CommandName[]).filter(
    (name) => maker.commands[name as keyof Maker['commands']] !== undefined && !lacksCommands.includes(name),
  );
  return { state: capabilityNames(properties), commands: capabilityNames(commands) };
}

/** Of the user's own models, filled on demand. */
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
