import { z } from 'zod';
import { FEATURES } from '../../../backend/configuration/features.ts';
import { MESSAGE_SCHEMAS } from '../../../backend/events/message-table.ts';
import { vehicleState } from '../../../backend/events/vehicle-state.ts';
import { modelKnowledge } from '../../../backend/model-knowledge.ts';
import type { MessageName } from '../../../contract/messages.ts';
import { BULK_PATH, capabilityName } from '../../../contract/operation.ts';
import type { JsonObject } from '../../../world/json.ts';
import { queuesFor } from '../document/check.ts';
import type { Scenario, Step } from '../document/scenario.ts';
import type { ScenarioCall } from '../steps/calls.ts';
import type { DocumentPlace } from '../vary/vary.ts';
import { answerBodies, serviceDocument } from './answer-bodies.ts';
import { everyModel, modelsInService } from './fleet-values.ts';
import { isSchema, lackingSchema, possibleOf, type ValueSchema } from './possible.ts';
import { beliefSchema, truthSchema } from './snapshot-values.ts';

/** A map of expectations as written, and its step. */
export interface WrittenExpectation {
  readonly words: JsonObject;
  readonly step: Step | undefined;
  readonly scenario: Scenario;
}

/** The schemas of which one holds for the compared value, and where their references lead. */
export interface ComparedWith {
  readonly schemas: readonly ValueSchema[];
  readonly root: unknown;
}

/** A pattern of an expectation. */
export interface PatternRow {
  /** Its position among the words: `['with', 'body']`. */
  readonly path: DocumentPlace;
  /** In place of the path, to begin a sentence. */
  readonly named?: string;
  /** The compared value in a run (scenarios/run/judge-expectation.ts); undefined: anything. */
  readonly comparedWith: (expectation: WrittenExpectation) => ComparedWith | undefined;
}

/** Every word of an expectation that can contain a pattern. */
export const PATTERN_ROWS: readonly PatternRow[] = [
  {
    path: ['truth'],
    named: 'The truth of a vehicle',
    comparedWith: ({ scenario }) => ({ schemas: [truthSchema(scenario)], root: {} }),
  },
  {
    path: ['belief'],
    named: 'What a box believes',
    comparedWith: ({ scenario }) => ({ schemas: [beliefSchema(scenario)], root: {} }),
  },
  {
    path: ['vehicle'],
    comparedWith: () => inAnswer({ name: 'get', settings: '/vehicles/{vehicle}' }, [200]),
  },
  { path: ['state'], comparedWith: stateValues },
  { path: ['with', 'state'], comparedWith: stateValues },
  { path: ['with', 'body'], comparedWith: ({ words }) => messageBody(words['message']) },
  { path: ['with', 'queue'], comparedWith: queues },
  { path: ['parameters'], comparedWith: ({ words }) => parametersOf(words['feature']) },
  { path: ['body'], comparedWith: answerBody },
  ...(['total', 'pending', 'applied', 'failed'] as const).map((count) => ({
    path: ['bulk', count],
    comparedWith: () =>
      part(part(inAnswer({ name: 'get', settings: `${BULK_PATH}/{job}` }, [200]), 'counts'), count),
  })),
];

function inAnswer(call: ScenarioCall, statuses: readonly number[] | undefined): ComparedWith {
  return { schemas: answerBodies(call, statuses), root: serviceDocument() };
}

/** Of a state only values are compared, and only properties that a model of the fleet has. */
function stateValues({ scenario }: WrittenExpectation): ComparedWith {
  const models = modelsInService(scenario);
  const root = jsonSchemaOf(vehicleState);
  const { properties } = root;
  const values = Object.entries(isSchema(properties) ? properties : {}).map(([name, property]) => {
    const [value = {}] =
      part({ schemas: [isSchema(property) ? property : {}], root }, 'value')?.schemas ?? [];
    const others = everyModel().filter((model) => hasProperty(model, name));
    const isLacking = others.length > 0 && !models.some((model) => others.includes(model));
    return [name, isLacking ? lackingSchema({ models, others }) : value];
  });
  return { schemas: [{ type: 'object', properties: Object.fromEntries(values) }], root };
}

function hasProperty(model: string, property: string): boolean {
  return modelKnowledge.capabilitiesOf(model).includes(capabilityName(property));
}

function messageBody(name: unknown): ComparedWith | undefined {
  if (typeof name !== 'string' || !Object.hasOwn(MESSAGE_SCHEMAS, name)) return undefined;
  const root = jsonSchemaOf(MESSAGE_SCHEMAS[name as MessageName]);
  return { schemas: [root], root };
}

/** A name alone is checked with the steps (scenarios/language/document/check.ts). */
function queues({ words, scenario }: WrittenExpectation): ComparedWith | undefined {
  const names = queuesFor(String(words['message']), scenario.steps);
  const { queue } = words['with'] as JsonObject;
  return names === undefined || typeof queue === 'string'
    ? undefined
    : { schemas: [{ enum: names }], root: {} };
}

function parametersOf(feature: unknown): ComparedWith | undefined {
  const schema = FEATURES.find(({ name }) => name === feature)?.inForceSchema;
  if (schema === undefined) return undefined;
  const root = jsonSchemaOf(schema);
  return { schemas: [root], root };
}

/** The body of the answer to the step's own call; with `of`, to the call of that step. */
function answerBody(expectation: WrittenExpectation): ComparedWith | undefined {
  const call = answeredCall(expectation);
  if (call === undefined) return undefined;
  const { status } = expectation.words;
  const statuses: readonly unknown[] = Array.isArray(status) ? status : [status];
  const isKnown = statuses.every((one) => typeof one === 'number');
  return inAnswer(call, isKnown ? (statuses as readonly number[]) : undefined);
}

/** The call of the compared answer; undefined: there is none. */
export function answeredCall({ words, step, scenario }: WrittenExpectation): ScenarioCall | undefined {
  const { of } = words;
  const asked = of === undefined ? step : scenario.steps.find(({ label }) => label === of);
  return asked?.does?.kind === 'call' ? asked.does.call : undefined;
}

/** The value under that name; undefined: nothing is known of it. */
function part(whole: ComparedWith | undefined, name: string): ComparedWith | undefined {
  if (whole === undefined) return undefined;
  const { root } = whole;
  const found = whole.schemas
    .flatMap((schema) => possibleOf(schema, root))
    .flatMap((one): readonly ValueSchema[] => {
      const named = one.kind === 'map' ? one.parts?.[name] : undefined;
      return named === undefined ? [] : [named];
    });
  return found.length === 0 ? undefined : { schemas: found, root };
}

const known = new WeakMap<z.ZodType, ValueSchema>();

function jsonSchemaOf(schema: z.ZodType): ValueSchema {
  let made = known.get(schema);
  if (made === undefined) {
    made = z.toJSONSchema(schema, { io: 'output', unrepresentable: 'any' }) as ValueSchema;
    known.set(schema, made);
  }
  return made;
}
