import { CommandError } from '../../../deployment/shared/command-error.ts';
import { counted } from '../../../judge/wording.ts';
import { Coverage } from '../../../scenarios/coverage/coverage.ts';
import { coveragePage } from '../../../scenarios/coverage/coverage-page.ts';
import { coverageText } from '../../../scenarios/coverage/coverage-text.ts';
import { drawLedScenario } from '../../../scenarios/explore/swarm.ts';
import { UnmetCells } from '../../../scenarios/explore/unmet-cells.ts';
import { canLead } from '../../../scenarios/explore/workload/aimed-at-cells.ts';
import { readDocument } from '../../../scenarios/language/document/read.ts';
import type { Scenario } from '../../../scenarios/language/document/scenario.ts';
import type { ReportTarget } from '../../settings/report-option.ts';
import { limits } from '../../shared/limits.ts';
import { printable } from '../../shared/output.ts';
import { untilEnded } from '../found-report.ts';
import { readScenarioFiles } from './scenario-files.ts';
import { createEmptyFiles, tellWritten, writeText } from './scenario-output-files.ts';

export interface CoverageCommandOptions {
  /** Drawn scenarios of the swarm, in addition to the files. */
  readonly runs: number;
  readonly seed: number;
  readonly report: readonly ReportTarget<'html' | 'json'>[];
  readonly json: boolean;
  readonly quiet: boolean;
}

/** Runs scenarios, and reports which cells of the coverage they have met. Throws a `CommandError`. */
export async function scenarioCoverage(
  places: readonly string[],
  { runs, seed, report, json, quiet }: CoverageCommandOptions,
): Promise<void> {
  if (places.length === 0 && runs === 0)
    throw new CommandError('There is nothing to run: name files, or how many drawn scenarios (--runs).');
  const files = places.length === 0 ? [] : readScenarioFiles(places).files;
  createEmptyFiles(report.map(({ file }) => file));
  const coverage = new Coverage();
  let ended = 0;
  const done = await untilEnded(
    async ({ runner, progress }) => {
      const all = files.length + runs;
      for (const { scenario, readFile } of files) await one(scenario, readFile);
      // Like those of a swarm, they prefer cells that none of them has met. A swarm does not know the cells that files
      // have met.
      const unmet = new UnmetCells(canLead);
      for (let run = 1; run <= runs; run += 1) {
        const read = readDocument(drawLedScenario(unmet, seed, run).document);
        if (read.ok) unmet.note(run, await one(read.scenario, undefined));
      }

      /** Resolves with the cells that it met. */
      async function one(
        scenario: Scenario,
        readFile: ((file: string) => string | undefined) | undefined,
      ): Promise<readonly string[]> {
        progress.begin(scenario.name, ended + 1, all);
        const { observer, cells } = coverage.watch();
        await runner(scenario, { observer, ...(readFile === undefined ? {} : { readFile }) });
        ended += 1;
        return cells();
      }
      return true;
    },
    { isQuiet: json || quiet, jobs: 1 },
  );
  const counts = coverage.counts();
  const asJson = `${JSON.stringify({ runs: ended, seed, coverage: counts })}\n`;
  for (const { kind, file } of report)
    writeText(file, kind === 'html' ? coveragePage(counts, ended) : asJson);
  tellWritten(
    report.map(({ file }) => file),
    json || quiet,
  );
  if (json) process.stdout.write(asJson);
  else
    process.stdout.write(
      `${[`met in ${counted(ended, 'run')}:`, '', ...coverageText(counts, widthColumns())].map(printable).join('\n')}\n`,
    );
  if (done === undefined) process.stderr.write(`Ended after ${counted(ended, 'run')}.\n`);
}

/** The width of the text: that of the terminal, or without one that of a file. */
function widthColumns(): number {
  const { columns } = process.stdout;
  return columns > 0 ? columns : limits.textColumns;
}
