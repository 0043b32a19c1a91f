import { type Body, bodyJson } from './body.ts';
import { problem, type Refusal } from './problem.ts';
import { quote } from './quote.ts';

/** For endpoints that take no body: an empty one is right, and so is an object without properties. */
export function refuseBody(body: Body): Refusal | undefined {
  if (body.bytes.byteLength === 0) return undefined;
  const json = bodyJson(body.bytes);
  if (!json.ok) return problem('validation-error', json.rule);
  if (typeof json.value !== 'object' || json.value === null || Array.isArray(json.value))
    return problem('validation-error', 'The body must be empty or an object without properties.');
  const [name] = Object.keys(json.value);
  return name === undefined
    ? undefined
    : problem('validation-error', `${quote(name)}: there is no such property; this request takes no body.`);
}
