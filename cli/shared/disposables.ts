/** What has to be ended, in groups: the last group first, the members of one group side by side. */
export class Disposables {
  readonly #groups: (() => Promise<void> | void)[][] = [];
  #isClosing = false;

  /** Remembers how to end what was just started. While everything is being ended already, ends it at once. */
  async add(...ends: readonly (() => Promise<void> | void)[]): Promise<void> {
    if (this.#isClosing) await endAll(ends);
    else this.#groups.push([...ends]);
  }

  /** Ends everything; what fails to end does not keep the rest from it, and is thrown afterwards. */
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

async function endAll(ends: readonly (() => Promise<void> | void)[]): Promise<void> {
  const results = await Promise.allSettled(ends.map(async (end) => end()));
  const failed = results.find((result) => result.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}
