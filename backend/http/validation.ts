import { problem, type Refusal } from './problem.ts';
import { quote } from './quote.ts';

/** What a zod issue tells, as far as it is needed here. */
export interface Issue {
  readonly code?: string | undefined;
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly keys?: readonly string[];
}

/** The 400 of a body or parameters that break a rule: the first broken rule, with the property that breaks it. */
export function validationRefusal(issues: readonly Issue[]): Refusal {
  const issue = issues[0];
  if (issue === undefined) return problem('validation-error', 'The request breaks a rule.');
  const place = issue.path.map(String).join('.');
  if (issue.code === 'unrecognized_keys') {
    const names = (issue.keys ?? []).slice(0, 3).map(quote).join(', ');
    return problem(
      'validation-error',
      `${place === '' ? '' : `${place}: `}${names}: there is no such property.`,
    );
  }
  const rule = issue.message.endsWith('.') ? issue.message : `${issue.message}.`;
  return problem('validation-error', place === '' ? rule : `${place}: ${rule}`);
}
