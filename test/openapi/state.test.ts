import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { beforeAll, describe, expect, test } from 'vitest';
import { asyncApiDocument } from '../../backend/http/openapi/asyncapi.ts';
import { PROPERTIES, type PropertyPart, type PropertyRow, type WordsRow } from '../../contract/properties.ts';
import { unitOf } from '../../contract/units.ts';
import { openTestService } from '../support/http/test-service.ts';

interface Schema {
  readonly type?: string;
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMaximum?: number;
  readonly enum?: readonly unknown[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly examples?: readonly unknown[];
  readonly default?: unknown;
  readonly 'x-unit'?: string;
  readonly 'x-extensible-enum'?: readonly string[];
}

type Row = PropertyRow | PropertyPart | WordsRow;

const rows = Object.entries(PROPERTIES) as [string, PropertyRow][];

function wordsOf(row: Row): readonly string[] | undefined {
  switch (row.shape) {
    case 'word':
      return [row.yes, row.no, row.failed].filter((word) => word !== undefined);
    case 'choice':
      return [...row.words, row.other].filter((word) => word !== undefined);
    case 'word-of':
      return row.words;
    default:
      return undefined;
  }
}

/** Holds the schema of a value against its row. */
function expectAsTable(path: string, row: Row, schema: Schema | undefined): void {
  if (schema === undefined) throw new Error(`${path} has no schema`);
  const words = wordsOf(row);
  if (words !== undefined) {
    expect(schema, path).toMatchObject({ type: 'string', 'x-extensible-enum': words });
    // Open: no keyword of JSON Schema keeps another word out.
    expect(schema.enum, path).toBeUndefined();
  }
  if (row.shape === 'number') {
    const type = row.decimals === 0 ? 'integer' : 'number';
    expect(schema, path).toMatchObject({ type, minimum: row.minimum });
    expect(schema.exclusiveMaximum ?? schema.maximum, path).toBe(row.maximum);
    expect(schema['x-unit'], path).toBe(unitOf(path.split('.').at(-1) ?? ''));
  }
  if (row.shape === 'boolean') expect(schema.type, path).toBe('boolean');
  if ('parts' in row) {
    expect(Object.keys(schema.properties ?? {}), path).toEqual(Object.keys(row.parts));
    const isWhole = row.shape !== 'parts' || row.whole === true;
    expect(schema.required ?? [], path).toEqual(isWhole ? Object.keys(row.parts) : []);
    expect(schema, path).not.toHaveProperty('additionalProperties');
    for (const [part, one] of Object.entries(row.parts) as [string, Row][])
      expectAsTable(`${path}.${part}`, one, schema.properties?.[part]);
    return;
  }
  const ajv = new Ajv2020({ strict: false });
  formats.default(ajv);
  expect(schema.examples?.length, path).toBe(1);
  for (const example of schema.examples ?? []) expect(ajv.validate(schema, example), path).toBe(true);
}

describe.each(['OpenAPI', 'AsyncAPI'])('the vehicle state in the %s document', (which) => {
  let state: Schema;
  let schemas: Readonly<Record<string, Schema>>;

  beforeAll(async () => {
    const stage = await openTestService();
    const document =
      which === 'OpenAPI'
        ? await (await stage.ask('GET', '/openapi.json')).json()
        : JSON.parse(JSON.stringify(asyncApiDocument({ baseUrl: 'http://service.test' })));
    schemas = (document as { components: { schemas: typeof schemas } }).components.schemas;
    const found =
      which === 'OpenAPI'
        ? schemas['VehicleState']
        : schemas['VehicleStateReceived']?.properties?.['data']?.properties?.['vehicle_state'];
    state = found ?? {};
  });

  test('has exactly the properties of the table, none of them required, and says nothing against more', () => {
    expect(Object.keys(state.properties ?? {})).toEqual(rows.map(([name]) => name));
    expect(state.type).toBe('object');
    expect(state).not.toHaveProperty('additionalProperties');
    expect(state.required).toBeUndefined();
  });

  test.each(rows)('says of %s what the table says', (name, row) => {
    const property = state.properties?.[name];
    expect(property).toMatchObject({
      type: 'object',
      required: ['timestamp', 'value'],
      properties: { timestamp: { type: 'string', format: 'date-time' } },
    });
    expect(property).not.toHaveProperty('additionalProperties');
    expectAsTable(name, row, property?.properties?.['value']);
  });
});
