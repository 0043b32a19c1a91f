import { z } from 'zod';
import { bodyJson } from '../http/body.ts';
import { problem, type Refusal } from '../http/problem.ts';
import { validationRefusal } from '../http/validation.ts';
import { bulkLimits } from './bulk-limits.ts';
import { FEATURES } from './features.ts';
import type { FeatureParameters } from './parameters.ts';

const vehicles = `must name 1 to ${bulkLimits.vehicles} vehicles`;

const features = z
  .strictObject(
    Object.fromEntries(
      FEATURES.map(({ key, about, parameters }) => [
        key,
        parameters
          .nullable()
          .optional()
          .describe(`Configures ${about}. {}: with its defaults, null: deactivates it.`),
      ]),
    ),
    'must be an object of features',
  )
  .describe('The features that each vehicle is to have, all of them or none; what is not named stays.');

/** The body of a bulk request: vehicles by id, features by their names in snake_case, null to deactivate one. */
export const bulkRequestSchema = z
  .strictObject(
    {
      items: z
        .array(
          z.strictObject(
            { id: z.string('must be a text').describe('The id of the vehicle.') },
            'must be an object with an id',
          ),
          vehicles,
        )
        .min(1, vehicles)
        .max(bulkLimits.vehicles, vehicles)
        .superRefine((items, context) => {
          const position = firstRepeated(items.map(({ id }) => id));
          if (position !== undefined)
            context.addIssue({ code: 'custom', path: [position, 'id'], message: 'is named twice' });
        })
        .describe('The vehicles, each once.'),
      feature_configuration: features.refine(
        (given) => Object.values(given).some((parameters) => parameters !== undefined),
        'must name one feature at least',
      ),
    },
    'The body must be an object.',
  )
  .describe('Which vehicles are to be configured, and how.');

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
  // A body has room for a million wrong ones, and each would be looked at and complained about.
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
  return Array.isArray(value.items) && value.items.length > bulkLimits.vehicles;
}

/** Where the first of them stands that stood before. */
function firstRepeated(ids: readonly string[]): number | undefined {
  const seen = new Set<string>();
  for (const [position, id] of ids.entries()) {
    if (seen.has(id)) return position;
    seen.add(id);
  }
  return undefined;
}
