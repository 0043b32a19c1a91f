import type { Reporter, TestModule } from 'vitest/node';

/** So much of the reason of a failure: the whole of it stands above. */
const REASON_CHARACTERS = 300;
const MOST_FAILURES = 20;

/**
 * Ends a run with what failed, a line each, and one plain line (`N passed, N failed, N skipped`): whoever keeps only the end
 * of a long output has what counts.
 */
export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly { readonly message: string }[]): void {
    const count = { passed: 0, failed: unhandled.length, skipped: 0, pending: 0 };
    const failures = unhandled.map(({ message }) => `outside of tests: ${message}`);
    for (const module of modules) {
      for (const found of module.children.allTests()) {
        const { state, errors } = found.result();
        count[state] += 1;
        if (state === 'failed')
          failures.push(`${module.moduleId} > ${found.fullName}: ${errors?.[0]?.message ?? ''}`);
      }
      const [error] = module.errors();
      if (module.ok() || error === undefined) continue;
      count.failed += 1;
      failures.push(`${module.moduleId}: ${error.message}`);
    }
    const lines = failures
      .slice(0, MOST_FAILURES)
      .map((text) => `failed: ${text.replaceAll(/\s+/g, ' ').slice(0, REASON_CHARACTERS)}\n`);
    process.stdout.write(
      `\n${lines.join('')}${count.passed} passed, ${count.failed} failed, ${count.skipped + count.pending} skipped\n`,
    );
  }
}
