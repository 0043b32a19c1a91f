export const FLOW_ID_HEADER = 'X-Service-Flow-ID';

/** RFC 9562 section 4, in either case; the version is the caller's affair. */
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** The flow id of a request: the header's where it holds a UUID, as it was written; else one of `mintUuid`. */
export function flowIdOf(header: string | undefined, mintUuid: () => string): string {
  return header !== undefined && UUID.test(header) ? header : mintUuid();
}
