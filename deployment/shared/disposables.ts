/** What has to be ended, in groups: the last group first, the members of one group concurrently. */
export class Disposables {
  readonly #groups: (() => Promise<void> | void)[][] = [];
  #isClosing = false;

  /** Registers the end of what was just started. If everything is being ended already, ends it immediately. */
  async add(...ends: readonly (() => Promise<void> | void)[]): Promise<void> {
    if (this.#isClosing) await endAll(ends);
    else this.#groups.push([...ends]);
  }

  /** Ends everything; a failure does not prevent the rest, and is thrown afterwards. */
  async close(): Promise<void> {
    this.#isClosing = true;
    const failures: unknown[] = [];
    for (const group of this.#groups.splice(0).reverse()) {
      await endAll(group).catch((error: unknown) => failures.push(error));
    }
    if (failures.length > 0)
      throw new AggregateError(failures, `Something did not end: ${failures.map(String).join('; ')}`);
  }
}

/** Passes an opened part on, which is closed at the end, or immediately if the end has begun. */
export async function closedAtTheEnd<Part extends { close(): Promise<void> } | undefined>(
  disposables: Disposables,
  opening: Promise<Part>,
): Promise<Part> {
  const part = await opening;
  if (part !== undefined) await disposables.add(() => part.close());
  return part;
}

async function endAll(ends: readonly (() => Promise<void> | void)[]): Promise<void> {
  const results = await Promise.allSettled(ends.map(async (end) => end()));
  const failed = results.find((result) => result.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}
