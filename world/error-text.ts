/**
 * The message of an error; of any other thrown value its text. Node's error for a host name with several addresses has no
 * message: there it is the code, or the name.
 */
export function errorText(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.message || ('code' in error ? String(error.code) : error.name);
}
