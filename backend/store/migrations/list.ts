import { spine } from './0001-spine.ts';
import { recordsByAge } from './0002-records-by-age.ts';
import type { Migration } from './migration.ts';

/** All steps of the schema in their order. */
export const MIGRATIONS: readonly Migration[] = [spine, recordsByAge];
