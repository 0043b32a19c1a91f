import type { z } from 'zod';
import { bodyJson } from '../http/body.ts';
import { problem, type Refusal } from '../http/problem.ts';
import { validationRefusal } from '../http/validation.ts';
import type { FeatureParameters } from './parameters.ts';

/**
 * The parameters that the body of a PUT gives, the others at their defaults; an empty body gives none. Total: what
 * breaks a rule is a validation-error that names the property and the rule.
 */
export function readParameters(
  bytes: Uint8Array,
  schema: z.ZodType<FeatureParameters>,
): { readonly parameters: FeatureParameters } | { readonly refusal: Refusal } {
  const json = bytes.byteLength === 0 ? ({ ok: true, value: {} } as const) : bodyJson(bytes);
  if (!json.ok) return { refusal: problem('validation-error', json.rule) };
  if (typeof json.value !== 'object' || json.value === null || Array.isArray(json.value))
    return { refusal: problem('validation-error', 'The body must be empty or an object.') };
  const parsed = schema.safeParse(json.value);
  return parsed.success ? { parameters: parsed.data } : { refusal: validationRefusal(parsed.error.issues) };
}
