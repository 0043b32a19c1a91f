import { LIMITS } from '../../contract/limits.ts';

/** Credentials of the demo client that the user has chosen. */
export interface FixedClient {
  readonly id: string;
  readonly secret: string;
}

/** Clients of the program itself: the id of the demo client with one of these at its end. */
export const OWN_CLIENTS: readonly string[] = ['-console', '-drivers', '-setup'];
/** The client of the reference pages. */
const REFERENCE_CLIENT = 'reference-page';
const LONGEST_ID = LIMITS.access.clientIdCharacters - Math.max(...OWN_CLIENTS.map(({ length }) => length));

/** What `readFixedClient` accepts, as a sentence. */
export const FIXED_CLIENT_FORM = `It takes ID:SECRET, an id of 1 to ${LONGEST_ID} and a secret of 1 to ${LIMITS.access.secretCharacters} of A-Za-z0-9._~-; ids that end with ${OWN_CLIENTS.join(', ')}, and ${REFERENCE_CLIENT}, are taken.`;

/** The client of a text `ID:SECRET`; undefined: it is none. */
export function readFixedClient(text: string): FixedClient | undefined {
  const [, id = '', secret = ''] = /^([\w.~-]+):([\w.~-]+)$/.exec(text) ?? [];
  const isTaken = id === REFERENCE_CLIENT || OWN_CLIENTS.some((ending) => id.endsWith(ending));
  if (id === '' || id.length > LONGEST_ID || secret.length > LIMITS.access.secretCharacters || isTaken)
    return undefined;
  return { id, secret };
}
