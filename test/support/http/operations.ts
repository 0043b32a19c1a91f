import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { DocumentNode } from '../../../judge/certify/answer-validator.ts';
import type { JsonSchema } from '../../../judge/certify/closed-schema.ts';

/** One operation of the OpenAPI document. */
export interface ApiOperation {
  /** `PUT /vehicles/{id}/sharing` */
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly isSecured: boolean;
  /** The names of its query parameters. */
  readonly queries: readonly string[];
  readonly body: JsonBody | undefined;
}

/** The JSON that an operation takes. */
export interface JsonBody {
  readonly right: unknown;
  /** Whether the document allows that value. */
  allows(value: unknown): boolean;
}

interface OperationNode {
  readonly parameters?: readonly { readonly in?: string; readonly name?: string }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: JsonSchema }>> };
  readonly security?: readonly unknown[];
}

/** The operations of a document; `rightBodies` by the name of the schema, where it cannot be made from it. */
export function operationsOf(
  document: DocumentNode,
  rightBodies: Readonly<Record<string, unknown>>,
): readonly ApiOperation[] {
  const ajv = new Ajv2020({ strict: false });
  formats.default(ajv);
  const bodyOf = (node: OperationNode): JsonBody | undefined => {
    const reference = node.requestBody?.content['application/json']?.schema['$ref'];
    if (typeof reference !== 'string') return undefined;
    const name = reference.split('/').at(-1) ?? '';
    const schema = document.components['schemas']?.[name] ?? {};
    const validate = ajv.compile({ ...schema, components: document.components });
    return { right: rightBodies[name] ?? sampleOf(schema), allows: (value) => validate(value) };
  };
  return Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item as Readonly<Record<string, OperationNode>>).map(([method, node]) => ({
      name: `${method.toUpperCase()} ${path}`,
      method: method.toUpperCase(),
      path,
      isSecured: (node.security ?? []).length > 0,
      queries: (node.parameters ?? []).flatMap((one) => (one.in === 'query' ? [one.name ?? ''] : [])),
      body: bodyOf(node),
    })),
  );
}

/** A value that the schema allows, with every property in it. */
function sampleOf(schema: JsonSchema): unknown {
  const { properties, enum: values, 'x-default': standard, type } = schema;
  if (typeof properties === 'object' && properties !== null)
    return Object.fromEntries(
      Object.entries(properties as Readonly<Record<string, JsonSchema>>).map(([name, one]) => [
        name,
        sampleOf(one),
      ]),
    );
  if (standard !== undefined) return standard;
  if (Array.isArray(values)) return values[0];
  throw new Error(`There is no sample of ${String(type)}: write a right body down.`);
}
