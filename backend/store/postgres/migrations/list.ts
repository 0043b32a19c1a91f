import { initial } from './0001-initial.ts';
import { severalBackends } from './0002-several-backends.ts';
import type { PostgresMigration } from './migration.ts';

/** All migrations in order. */
export const POSTGRES_MIGRATIONS: readonly PostgresMigration[] = [initial, severalBackends];
