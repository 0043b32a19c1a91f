/** A part of a document. */
type Node = Readonly<Record<string, unknown>>;

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;

/** Reads a document: finds parts without a description, and bodies without an example. */
export function documentReader(document: Node) {
  const resolved = (node: Node): Node => {
    const { $ref } = node;
    if (typeof $ref !== 'string') return node;
    let here: unknown = document;
    for (const name of $ref.split('/').slice(1)) here = isNode(here) ? here[name] : undefined;
    if (!isNode(here)) throw new Error(`${$ref} leads nowhere.`);
    return here;
  };
  const isDescribed = (node: Node): boolean => {
    const text = node['description'] ?? resolved(node)['description'];
    return typeof text === 'string' && /^[^\s].{9,}\S$/s.test(text);
  };

  /** Properties below a schema that have no description, as pointers; `at` is the pointer to the schema. */
  function inSchema(schema: unknown, at: string): string[] {
    if (!isNode(schema)) return [];
    const found: string[] = [];
    for (const [name, property] of Object.entries(isNode(schema['properties']) ? schema['properties'] : {})) {
      const here = `${at}/properties/${name}`;
      if (!isNode(property) || !isDescribed(property)) found.push(here);
      found.push(...inSchema(property, here));
    }
    for (const key of ['items', 'additionalProperties', 'propertyNames'])
      found.push(...inSchema(schema[key], `${at}/${key}`));
    for (const key of ['allOf', 'anyOf', 'oneOf'])
      for (const [index, part] of ((schema[key] ?? []) as unknown[]).entries())
        found.push(...inSchema(part, `${at}/${key}/${index}`));
    return found;
  }

  /** Every named schema, and the properties in it. */
  function inSchemas(schemas: Node): string[] {
    return Object.entries(schemas).flatMap(([name, schema]) => [
      ...(isNode(schema) && isDescribed(schema) ? [] : [`schemas/${name}`]),
      ...inSchema(schema, `schemas/${name}`),
    ]);
  }

  const operations = Object.entries((document['paths'] ?? {}) as Node).flatMap(([path, item]) =>
    METHODS.flatMap((method) => {
      const operation = (item as Node)[method];
      return isNode(operation) ? [{ name: `${method.toUpperCase()} ${path}`, operation }] : [];
    }),
  );

  /** Media types of an operation's request and of its successes. */
  function contents({ name, operation }: (typeof operations)[number]) {
    const ofBody = operation['requestBody'] as Node | undefined;
    const success = Object.entries(operation['responses'] as Node).filter(([status]) => /^[23]/.test(status));
    return [
      ...(ofBody === undefined ? [] : [{ at: `${name} body`, node: resolved(ofBody) }]),
      ...success.map(([status, answer]) => ({ at: `${name} ${status}`, node: resolved(answer as Node) })),
    ].flatMap(({ at, node }) =>
      Object.entries((node['content'] ?? {}) as Node).map(([mediaType, content]) => ({
        at: `${at} ${mediaType}`,
        content: content as Node,
      })),
    );
  }

  /** Parts of an operation without a description: parameters, headers of answers, schemas of bodies. */
  function inOperation(one: (typeof operations)[number]): string[] {
    const { name, operation } = one;
    const parameters = ((operation['parameters'] ?? []) as Node[]).map(resolved);
    const answers = Object.entries(operation['responses'] as Node);
    return [
      ...parameters
        .filter((one) => !isDescribed(one))
        .map((one) => `${name} parameter ${String(one['name'])}`),
      ...answers.flatMap(([status, answer]) =>
        Object.entries((resolved(answer as Node)['headers'] ?? {}) as Node)
          .filter(([, header]) => !isDescribed(header as Node))
          .map(([header]) => `${name} ${status} header ${header}`),
      ),
      ...contents(one).flatMap(({ at, content }) => [
        ...(isDescribed(content['schema'] as Node) ? [] : [`${at} schema`]),
        ...inSchema(content['schema'], at),
      ]),
    ];
  }

  return {
    operations,
    contents,
    resolved,
    inSchemas,
    /** Everything in an OpenAPI document that should have a description and has none. */
    undescribed: () => [
      ...inSchemas(((document['components'] as Node)['schemas'] ?? {}) as Node),
      ...operations.flatMap(inOperation),
    ],
  };
}
