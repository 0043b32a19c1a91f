import type { DatabaseLook } from '../../backend/store/postgres/look-into.ts';
import { failed, type Judgement, ok } from './check.ts';

const OTHER = 'Mend that, or give another database with --store.';

/** Whether the service can use that database as its store; a text: why it is unreachable. */
export function judgeStore(facts: DatabaseLook | string): Judgement {
  if (typeof facts === 'string') return failed(facts, OTHER);
  const { shown, server, version, knownVersion, refusal, mayCreate, users } = facts;
  if (refusal !== undefined) return failed(`${shown}: ${refusal}`, OTHER);
  if (version < knownVersion && !mayCreate)
    return failed(
      `This user may not make tables in ${shown}, and its schema has version ${version} of ${knownVersion}.`,
      'Grant the user all on the schema, or run "boxtwin store migrate" as its owner.',
    );
  const raised = version < knownVersion ? `, which the next start raises to ${knownVersion}` : '';
  const used = users === 0 ? '' : '; backends use it';
  return ok(`${shown} is PostgreSQL ${server}, with schema version ${version}${raised}${used}.`);
}
