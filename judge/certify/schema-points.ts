import { judged } from '../verdict.ts';
import type { AnsweredRequest, DocumentNode } from './answer-validator.ts';
import { AnswerValidator } from './answer-validator.ts';
import type { Point, PointPlan } from './point.ts';

/** The point of one operation of the document, such as `GET /vehicles/{id}`. */
export function schemaPoint(operation: string): PointPlan {
  return {
    id: `schema/${operation}`,
    about: `Every answer to ${operation} is as the OpenAPI document has it: status, headers, body.`,
    clause: '/openapi.json',
  };
}

/** The names of all operations of the document. */
export function documentedOperations({ paths }: DocumentNode): readonly string[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.keys(item)
      .filter((method) => METHODS.has(method))
      .map((method) => `${method.toUpperCase()} ${path}`),
  );
}

const METHODS: ReadonlySet<string> = new Set(['get', 'post', 'put', 'patch', 'delete']);

/** Compares every exchange with the document, and judges each operation of it. */
export function judgeSchemas(
  document: DocumentNode,
  exchanges: readonly AnsweredRequest[],
): readonly Point[] {
  const validator = new AnswerValidator(document, 'allowed');
  const operations = documentedOperations(document);
  const templates = operations.map((name) => ({ name, expression: expressionOf(name) }));
  const byOperation = Map.groupBy(exchanges, ({ method, path }) => {
    const asked = `${method} ${path}`;
    // A path without parameters precedes one that has a parameter there.
    if (operations.includes(asked)) return asked;
    return templates.find(({ expression }) => expression.test(asked))?.name ?? '';
  });
  return operations.map((name) => {
    const own = byOperation.get(name) ?? [];
    const complaints = own.flatMap((exchange) =>
      validator
        .findings(exchange)
        .map((finding) => `${exchange.method} ${exchange.path} answered ${exchange.status}. ${finding}`),
    );
    const seen = { count: own.length, what: 'answers' };
    return {
      ...schemaPoint(name),
      ...judged(
        'answers as the document has them',
        [...new Set(complaints)],
        seen,
        'Nothing was asked of it.',
      ),
    };
  });
}

function expressionOf(name: string): RegExp {
  return new RegExp(`^${name.replaceAll('.', '\\.').replaceAll(/\{[^}]+\}/g, '[^/]+')}$`);
}
