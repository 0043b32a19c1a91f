export const FLOW_ID_HEADER = 'X-Service-Flow-ID';

/** RFC 9562 section 4, in upper or lower case, of any version. */
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** The flow id of a request: the header's UUID as it was written, else a new one from `mintUuid`. */
export function flowIdOf(header: string | undefined, mintUuid: () => string): string {
  return header !== undefined && UUID.test(header) ? header : mintUuid();
}
