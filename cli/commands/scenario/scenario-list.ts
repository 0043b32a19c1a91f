import pc from 'picocolors';
import { readScenarioFiles } from './scenario-files.ts';
import { shippedStories } from './shipped-stories.ts';

/** Prints the stories of this package, which `scenario run NAME` plays: name and subject, or a line of JSON each. */
export function scenarioList({ json }: { readonly json: boolean }): void {
  const stories = shippedStories();
  const { files } = readScenarioFiles(stories.map(({ file }) => file));
  const rows = stories.map(({ name, file }, index) => ({
    name,
    about: files[index]?.scenario.about ?? '',
    file,
  }));
  if (json) {
    process.stdout.write(rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
    return;
  }
  const width = Math.max(...rows.map(({ name }) => name.length));
  process.stdout.write(
    `${rows.map(({ name, about }) => `${name.padEnd(width)}  ${pc.dim(about)}`).join('\n')}\n`,
  );
}
