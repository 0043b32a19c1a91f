/**
 * Resolves with all results, in the order of `parts`. Rejects once all of them have settled, with the failure of the
 * first in that order: then none of them is pending.
 */
export async function allDone<const Parts extends readonly unknown[]>(
  parts: Parts,
): Promise<{ -readonly [Place in keyof Parts]: Awaited<Parts[Place]> }> {
  const results = await Promise.allSettled(parts);
  const failed = results.find((result) => result.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
  return Promise.all(parts);
}
