import { problem, type Refusal } from '../../contract/problems.ts';
import { brokenRule, type Issue } from '../../world/broken-rule.ts';
import { quote } from './quoted-text.ts';

/**
 * The 400 of a body or parameters that break a rule: the first broken rule, with the property that breaks it. `what` is
 * the word for a name that is not known, `repeated` the names of parameters that were given more than once.
 */
export function validationRefusal(
  issues: readonly Issue[],
  what: 'property' | 'parameter' = 'property',
  repeated: readonly string[] = [],
): Refusal {
  const issue = issues[0];
  if (issue === undefined) return problem('validation-error', 'The request is not valid.');
  const place = issue.path.map((name) => shown(String(name))).join('.');
  // A custom message that starts with a name concerns that property; any other concerns the whole object.
  if (issue.code === 'unrecognized_keys' && !issue.message.startsWith("'")) {
    const names = (issue.keys ?? []).slice(0, 3).map(quote).join(', ');
    return problem(
      'validation-error',
      `${place === '' ? '' : `${place}: `}${names}: there is no such ${what}.`,
    );
  }
  const rule = repeated.includes(String(issue.path[0])) ? 'must be given once' : brokenRule(issue);
  const sentence = rule.endsWith('.') ? rule : `${rule}.`;
  if (place !== '') return problem('validation-error', `${place}: ${sentence}`);
  return problem('validation-error', sentence.startsWith('must ') ? `The body ${sentence}` : sentence);
}

/** A name of a place: ours as it is; one that the caller has made up, in quotes and of bounded length. */
function shown(name: string): string {
  return /^[\w-]{1,64}$/.test(name) ? name : quote(name);
}
