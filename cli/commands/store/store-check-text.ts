import pc from 'picocolors';
import type { StoreContents } from '../../../backend/store/checks/consistency.ts';
import { count } from '../../../deployment/checks/wording.ts';
import { printable } from '../../shared/output.ts';

/** The result of a check of a store. */
export interface CheckedStore {
  /** Its location, without a password. */
  readonly name: string;
  /** `PostgreSQL 15.20`, `SQLite` */
  readonly medium: string;
  /** Of its schema; 0: it has none yet. */
  readonly version: number;
  /** The newest that this program writes. */
  readonly knownVersion: number;
  readonly isInUse: boolean;
  /** Undefined: it has a schema of another version. */
  readonly contents: StoreContents | undefined;
}

const NAME_WIDTH = 22;

/** Whether a service can start on it without changes. */
export function isRight({ contents }: CheckedStore): boolean {
  return contents !== undefined && contents.inconsistencies.length === 0;
}

/** For people, with a line break at its end. */
export function storeCheckText(checked: CheckedStore): string {
  const { name, medium, version, isInUse, contents } = checked;
  const lines = [
    `${name}  ${medium}, schema version ${version}, ${isInUse ? 'in use' : 'not in use'}`,
    '',
    ...(contents?.tables ?? []).map((table) => `  ${table.name.padEnd(NAME_WIDTH)} ${count(table.rows)}`),
    ...(contents === undefined ? [] : ['']),
    ...verdictLines(checked),
  ];
  return `${lines.map(printable).join('\n')}\n`;
}

function verdictLines({ version, knownVersion, medium, contents }: CheckedStore): readonly string[] {
  if (contents === undefined) {
    if (version > knownVersion)
      return [pc.red(`This program knows versions up to ${knownVersion}: use the one that wrote it.`)];
    const way = medium === 'SQLite' ? 'the next start of its service' : '"boxtwin store migrate"';
    return [pc.yellow(`It has to be brought to version ${knownVersion}: ${way} does that.`)];
  }
  if (contents.inconsistencies.length === 0) return [pc.green('Nothing is wrong.')];
  return contents.inconsistencies.map(({ name, rows, detail }) =>
    pc.red(`${name}: ${count(rows)}. ${detail}`),
  );
}

/** For programs. */
export function storeCheckJson(checked: CheckedStore): unknown {
  const { contents } = checked;
  return {
    store: checked.name,
    version: checked.version,
    known_version: checked.knownVersion,
    is_in_use: checked.isInUse,
    is_right: isRight(checked),
    tables:
      contents === undefined
        ? null
        : Object.fromEntries(contents.tables.map(({ name, rows }) => [name, rows])),
    inconsistencies: contents?.inconsistencies ?? null,
  };
}
