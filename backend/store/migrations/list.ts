import { spine } from './0001-spine.ts';
import type { Migration } from './migration.ts';

/** All steps of the schema in their order. */
export const MIGRATIONS: readonly Migration[] = [spine];
