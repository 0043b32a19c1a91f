import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ScenarioRunner } from '../../console/server/scenario-routes.ts';
import type { ScenarioEntry } from '../../console/stream/scenarios.ts';
import type { Disposables } from '../shared/disposables.ts';
import { limits } from '../shared/limits.ts';
import { readPackageFile } from '../shared/package-file.ts';
import { scenarioChecks } from './scenario-checks.ts';
import { ScenarioRuns } from './scenario-runs.ts';

const STORIES = join(readPackageFile().root, 'scenarios', 'stories');

/**
 * The stories, and the saved scenarios below the data directory. A run is `boxtwin scenario run` in a separate process,
 * so that it does not slow down fleet and service, and is killed after `runMs`; the latest runs are kept until the end.
 */
export async function scenarioRunner(
  data: string,
  disposables: Disposables,
  runMs: number = limits.consoleRunMs,
): Promise<ScenarioRunner> {
  const saved = join(data, 'scenarios');
  const runs = await ScenarioRuns.open([STORIES, saved], runMs);
  const checks = scenarioChecks();
  await disposables.add(() => {
    checks.close();
    return runs.close();
  });
  return {
    list: async () => [...(await entriesIn(saved, false)), ...(await entriesIn(STORIES, true))],
    async read(name) {
      if (!/^[a-z0-9][a-z0-9-]*$/.test(name)) return undefined;
      const own = await textOf(join(saved, `${name}.yaml`));
      return own ?? textOf(join(STORIES, `${name}.yaml`));
    },
    async save(name, text) {
      await mkdir(saved, { recursive: true });
      const file = join(saved, `${name}.yaml`);
      await writeFile(`${file}.new`, text);
      await rename(`${file}.new`, file);
    },
    check: (text) => checks.mistakesIn(text),
    run: (text) => runs.start(text),
    runOf: (id) => runs.find(id),
    traceOf: (id) => runs.traceOf(id),
  };
}

async function entriesIn(folder: string, isBuiltIn: boolean): Promise<readonly ScenarioEntry[]> {
  const files = await readdir(folder).catch((): string[] => []);
  const names = files.filter((file) => file.endsWith('.yaml')).sort();
  return Promise.all(
    names.map(async (file) => ({
      name: file.replace(/\.yaml$/, ''),
      about: /^about: *(.*)$/m.exec((await textOf(join(folder, file))) ?? '')?.[1] ?? '',
      isBuiltIn,
    })),
  );
}

/** Undefined: the file does not exist. */
function textOf(file: string): Promise<string | undefined> {
  return readFile(file, 'utf8').catch(() => undefined);
}
