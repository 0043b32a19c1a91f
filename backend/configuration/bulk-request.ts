import { z } from 'zod';
import { LIMITS } from '../../contract/limits.ts';
import { problem, type Refusal } from '../../contract/problems.ts';
import { bodyJson } from '../base/body.ts';
import { validationRefusal } from '../base/validation.ts';
import { FEATURES, type Feature } from './features.ts';
import type { FeatureParameters } from './parameters.ts';

const vehicles = `must name 1 to ${LIMITS.bulk.vehicles} vehicles`;

const vehicleItems = z
  .array(
    z.strictObject(
      { id: z.string('must be a string').describe('The id of the vehicle.') },
      'must be an object with an id',
    ),
    vehicles,
  )
  .min(1, vehicles)
  .max(LIMITS.bulk.vehicles, vehicles)
  .superRefine((items, context) => {
    const position = firstRepeated(items.map(({ id }) => id));
    if (position !== undefined)
      context.addIssue({ code: 'custom', path: [position, 'id'], message: 'is named twice' });
  })
  .describe('The vehicles, each once.');

/** Features by their names in snake_case, null to deactivate one; `parametersOf` is the schema of what one is given. */
const featuresWith = (parametersOf: (feature: Feature) => z.ZodType) =>
  z
    .strictObject(
      Object.fromEntries(
        FEATURES.map((feature) => [
          feature.key,
          parametersOf(feature)
            .nullable()
            .optional()
            .describe(`Configures ${feature.about}. {}: with its defaults, null: deactivates it.`),
        ]),
      ),
      'must be an object of features',
    )
    .refine(
      (given) => Object.values(given).some((parameters) => parameters !== undefined),
      'must name at least one feature',
    )
    .describe(
      'The features to configure in each vehicle, all of them or none; features that are not named stay unchanged.',
    );

const requestWith = (features: ReturnType<typeof featuresWith>) =>
  z
    .strictObject({ items: vehicleItems, feature_configuration: features }, 'The body must be an object.')
    .describe('Which vehicles are to be configured, and how.');

/** The body of a bulk request: vehicles by id, features by their names in snake_case, null to deactivate one. */
export const bulkRequestSchema = requestWith(featuresWith(({ parameters }) => parameters));

/** The same for the document. */
export const documentedBulkRequest = requestWith(featuresWith(({ requestSchema }) => requestSchema));

/** What a request asks for. Parameters that were left out have their defaults. */
export interface BulkRequest {
  readonly vehicleIds: readonly string[];
  /** By name in kebab-case. */
  readonly features: Readonly<Record<string, FeatureParameters | null>>;
}

/** Reads a body. Total: what breaks a rule is a validation-error that names the first. */
export function readBulkRequest(bytes: Uint8Array): BulkRequest | Refusal {
  const json = bodyJson(bytes);
  if (!json.ok) return problem('validation-error', json.rule);
  // A body can contain a million invalid ones, and each would be checked and reported.
  if (hasTooManyItems(json.value)) return problem('validation-error', `items: ${vehicles}.`);
  const parsed = bulkRequestSchema.safeParse(json.value);
  if (!parsed.success) return validationRefusal(parsed.error.issues);
  const given: Readonly<Record<string, unknown>> = parsed.data.feature_configuration;
  return {
    vehicleIds: parsed.data.items.map(({ id }) => id),
    features: Object.fromEntries(
      FEATURES.filter(({ key }) => given[key] !== undefined).map(({ name, key }) => [
        name,
        given[key] as FeatureParameters | null,
      ]),
    ),
  };
}

function hasTooManyItems(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || !('items' in value)) return false;
  return Array.isArray(value.items) && value.items.length > LIMITS.bulk.vehicles;
}

/** The index of the first one that occurs earlier too. */
function firstRepeated(ids: readonly string[]): number | undefined {
  const seen = new Set<string>();
  for (const [position, id] of ids.entries()) {
    if (seen.has(id)) return position;
    seen.add(id);
  }
  return undefined;
}
