import type { JsonObject } from '../../../world/json.ts';
import { kindOf, type ValueSchema } from './possible.ts';

/** More exact schemas of some places, by their paths: `{ 'update.phase': { enum: [...] } }`. */
export type SchemaTables = Readonly<Record<string, ValueSchema>>;

/**
 * The JSON schema of the possible values in place of these: each kind of value among them, and each name that one of
 * them has, or that is in the tables. Where all samples are empty (null, absent, an empty list or map), anything is
 * possible.
 */
export function schemaOfSamples(
  samples: readonly unknown[],
  tables: SchemaTables = {},
  path = '',
): ValueSchema {
  const table = tables[path];
  if (table !== undefined) return table;
  const kinds = [...new Set(samples.map(kindOf))];
  if (kinds.every((kind) => kind === 'nothing')) return {};
  return anyOf(
    kinds.map((kind) =>
      ofKind(
        kind,
        samples.filter((sample) => kindOf(sample) === kind),
        tables,
        path,
      ),
    ),
  );
}

/** One of these schemas. */
export function anyOf(schemas: readonly ValueSchema[]): ValueSchema {
  const [first = {}, ...more] = schemas;
  return more.length === 0 ? first : { anyOf: schemas };
}

function ofKind(
  kind: ReturnType<typeof kindOf>,
  samples: readonly unknown[],
  tables: SchemaTables,
  path: string,
): ValueSchema {
  switch (kind) {
    case 'nothing':
      return { type: 'null' };
    case 'text':
      return { type: 'string' };
    case 'list': {
      const items = (samples as readonly (readonly unknown[])[]).flat();
      return { type: 'array', items: schemaOfSamples(items, tables, `${path}[]`) };
    }
    case 'map': {
      const maps = samples as readonly JsonObject[];
      const start = path === '' ? '' : `${path}.`;
      const tabled = Object.keys(tables)
        .filter((name) => name.startsWith(start))
        .map((name) => name.slice(start.length))
        .filter((name) => !/[.[]/.test(name));
      const names = [...new Set([...maps.flatMap((map) => Object.keys(map)), ...tabled])];
      if (names.length === 0) return { type: 'object' };
      const properties = names.map((name) => [
        name,
        schemaOfSamples(
          maps.filter((map) => Object.hasOwn(map, name)).map((map) => map[name]),
          tables,
          `${start}${name}`,
        ),
      ]);
      return { type: 'object', properties: Object.fromEntries(properties) };
    }
    default:
      return { type: kind };
  }
}
