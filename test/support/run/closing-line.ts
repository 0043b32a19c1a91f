import type { Reporter, TestModule } from 'vitest/node';

/** Ends a run with one plain line (`N passed, N failed, N skipped`), for machines that read nothing else. */
export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly unknown[]): void {
    const count = { passed: 0, failed: unhandled.length, skipped: 0, pending: 0 };
    for (const module of modules) {
      for (const found of module.children.allTests()) count[found.result().state] += 1;
      if (!module.ok() && module.errors().length > 0) count.failed += 1;
    }
    process.stdout.write(
      `\n${count.passed} passed, ${count.failed} failed, ${count.skipped + count.pending} skipped\n`,
    );
  }
}
