import { afterAll } from 'vitest';
import { postgres, withService } from '../support/run/external-services.ts';
import { postgresMaker, testDatabases } from '../support/store/postgres-databases.ts';
import { storeContract } from './store-contract.ts';

await withService(postgres, ({ url }) => {
  const databases = testDatabases(url);
  afterAll(() => databases.drop());
  storeContract('PostgreSQL', postgresMaker(databases));
});
