import { counted } from '../../../judge/wording.ts';
import { printable } from '../../shared/output.ts';
import { leftOutText, readScenarioFiles } from './scenario-files.ts';

/** Reads scenarios without running them. Throws a `CommandError` with all of their mistakes, each with its place. */
export function scenarioCheck(places: readonly string[], { json }: { readonly json: boolean }): void {
  const { files, leftOut, remarks } = readScenarioFiles(places);
  for (const remark of remarks) process.stderr.write(`${printable(remark)}\n`);
  process.stderr.write(printable(leftOutText(leftOut)));
  process.stdout.write(
    json
      ? `${JSON.stringify({ scenarios: files.map(({ file }) => file), warnings: remarks })}\n`
      : `${counted(files.length, 'scenario')} can be run${remarks.length === 0 ? '' : `, with ${counted(remarks.length, 'warning')}`}.\n`,
  );
}
