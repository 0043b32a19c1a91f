import Database from 'better-sqlite3';
import { afterAll, describe, expect, test } from 'vitest';
import { asyncApiDocument } from '../../backend/http/openapi/asyncapi.ts';
import { METRICS, type MetricDefinition } from '../../backend/monitoring/metric-table.ts';
import { openSqliteStore } from '../../backend/store/sqlite/store.ts';
import { settingsSchema } from '../../cli/commands/config.ts';
import { limits } from '../../cli/shared/limits.ts';
import { CommandError } from '../../deployment/shared/command-error.ts';
import { scenarioJsonSchema } from '../../scenarios/language/document/json-schema.ts';
import { EXIT_CODES } from '../../scenarios/run/outcome.ts';
import { openTestService } from '../../test/support/http/test-service.ts';
import { postgres, withService } from '../../test/support/run/external-services.ts';
import { openTestStore, testDatabases } from '../../test/support/store/postgres-databases.ts';

/**
 * What users and other programs rely on, as files. A deliberate change records them again with
 * `npx vitest run qa/golden -u` and says in the commit why.
 */
const BASE_URL = 'http://service.test';

/** Texts for people may change at any time: they are left out. A property of such a name is an object, and stays. */
const TEXTS: ReadonlySet<string> = new Set(['description', 'markdownDescription', 'summary']);

function json(value: unknown): string {
  const withoutTexts = (key: string, inner: unknown): unknown =>
    TEXTS.has(key) && typeof inner === 'string' ? undefined : inner;
  return `${JSON.stringify(value, withoutTexts, 1)}\n`;
}

describe('a recorded document is unchanged:', () => {
  test('OpenAPI', async () => {
    const service = await openTestService();
    const response = await service.app.request(`${BASE_URL}/openapi.json`);
    await expect(json(await response.json())).toMatchFileSnapshot('documents/openapi.json');
  });

  test('AsyncAPI', async () => {
    await expect(json(asyncApiDocument({ baseUrl: BASE_URL }))).toMatchFileSnapshot(
      'documents/asyncapi.json',
    );
  });

  test('the schema of scenarios', async () => {
    await expect(json(scenarioJsonSchema())).toMatchFileSnapshot('documents/scenario.schema.json');
  });

  test('the schema of settings', async () => {
    await expect(json(settingsSchema())).toMatchFileSnapshot('documents/settings.schema.json');
  });

  test('the names of metrics, with kind, labels and buckets', async () => {
    const rows = Object.entries<MetricDefinition>(METRICS).map(([name, { help: _, ...row }]) => [name, row]);
    await expect(json(Object.fromEntries(rows))).toMatchFileSnapshot('documents/metrics.json');
  });

  test('exit codes', async () => {
    const codes = {
      ...EXIT_CODES,
      interrupted: limits.interruptedExitCode,
      'unusable input': new CommandError('').exitCode,
    };
    await expect(json(codes)).toMatchFileSnapshot('documents/exit-codes.json');
  });

  test('the schema of the SQLite database', async () => {
    const store = openSqliteStore(':memory:');
    const image = new Database(Buffer.from(store.serialize()), { readonly: true });
    const rows = image
      .prepare('SELECT sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY type, name')
      .pluck()
      .all();
    image.close();
    await store.close();
    await expect(`${rows.join(';\n')};\n`).toMatchFileSnapshot('documents/sqlite.sql');
  });
});

await withService(postgres, ({ url: serverUrl }) => {
  const databases = testDatabases(serverUrl);
  afterAll(() => databases.drop());

  test('a recorded document is unchanged: the schema of the PostgreSQL database', async () => {
    const url = await databases.create();
    await (await openTestStore(url)).close();
    const columns = await databases.query(
      url,
      `select table_name, column_name, data_type, is_nullable, column_default from information_schema.columns
       where table_schema = 'public' order by table_name, column_name`,
    );
    const indexes = await databases.query(
      url,
      `select indexdef from pg_indexes where schemaname = 'public' order by indexname`,
    );
    await expect(json({ columns, indexes })).toMatchFileSnapshot('documents/postgres.json');
  });
});
