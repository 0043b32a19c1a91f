import { initial } from './0001-initial.ts';
import { outbox } from './0002-outbox.ts';
import { makerStock } from './0003-maker-stock.ts';
import type { PostgresMigration } from './migration.ts';

/** All migrations in order. */
export const POSTGRES_MIGRATIONS: readonly PostgresMigration[] = [initial, outbox, makerStock];
