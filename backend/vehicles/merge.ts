import { LIMITS } from '../../contract/limits.ts';
import { problem, type Refusal } from '../../contract/problems.ts';

/**
 * A merge patch of flat fields (RFC 7396): what `patch` names is set, null removes, all else stays. A field whose
 * value is undefined counts as not named.
 */
export function merged<T>(
  before: Readonly<Record<string, T>>,
  patch: Readonly<Record<string, T | null | undefined>>,
): Record<string, T> {
  const after = new Map(Object.entries(before));
  for (const [name, value] of Object.entries(patch)) {
    if (value === null) after.delete(name);
    else if (value !== undefined) after.set(name, value);
  }
  return Object.fromEntries(after);
}

/** More custom fields than a vehicle can have. */
export function tooManyCustomFields(fields: Readonly<Record<string, string>>): Refusal | undefined {
  return Object.keys(fields).length <= LIMITS.vehicle.customFields
    ? undefined
    : problem(
        'validation-error',
        `custom_fields: a vehicle must have no more than ${LIMITS.vehicle.customFields}.`,
      );
}
