import type { JsonObject } from '../../../world/json.ts';
/** A member that the object has itself. */
export function ownOf(members: JsonObject, name: string): unknown {
  return Object.hasOwn(members, name) ? members[name] : undefined;
}
