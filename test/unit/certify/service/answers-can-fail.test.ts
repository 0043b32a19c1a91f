import { describe, expect, test } from 'vitest';
import { judgeProblem, problemPoint } from '../../../../certify/service/problem-points.ts';
import { operationName } from '../../../../contract/operation.ts';
import { OPERATIONS } from '../../../../contract/operations.ts';
import { PROBLEMS } from '../../../../contract/problems.ts';
import { documentedOperations, judgeSchemas } from '../../../../judge/certify/schema-points.ts';
import type { Verdict } from '../../../../judge/verdict.ts';
import { PROBLEM_TABLE, type ProblemCause } from '../../../../scenarios/causes/table.ts';
import { API_DOCUMENT, rightAnswer, schemaFaults } from '../../../support/certify/schema-faults.ts';

const saidBy = ({ findings }: Verdict): string => findings.map(({ text }) => text).join('\n');

describe('the point of the schema of each operation', () => {
  test('is there for all that certify judges', () => {
    expect(documentedOperations(API_DOCUMENT)).toEqual(expect.arrayContaining(OPERATIONS.map(operationName)));
  });

  const operations = documentedOperations(API_DOCUMENT);

  test('passes the example of the document', () => {
    const points = judgeSchemas(API_DOCUMENT, operations.map(rightAnswer));
    expect(points.filter(({ result }) => result !== 'passed')).toEqual([]);
    expect(points).toHaveLength(operations.length);
  });

  test('fails each fault of its answers', () => {
    const faults = operations.flatMap((operation) =>
      schemaFaults(operation).map((fault) => ({ operation, fault })),
    );
    for (const operation of operations)
      expect(faults.filter((one) => one.operation === operation).length).toBeGreaterThan(2);
    const exchanges = faults.map(({ operation, fault }) => fault.plant(rightAnswer(operation)));
    const points = new Map(judgeSchemas(API_DOCUMENT, exchanges).map((point) => [point.id, point]));
    const missed = faults.filter(({ operation, fault }) => {
      const point = points.get(`schema/${operation}`);
      return point?.result !== 'failed' || !saidBy(point).includes(fault.said);
    });
    expect(missed.map(({ operation, fault }) => `${operation} ${fault.what}`)).toEqual([]);
  });
});

const FLOW = '3f1c2f0e-5d9c-4a51-9a0e-0d6f2b1c8e77';

interface Told {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>>;
}

/** The answer that the contract has for a row. */
function rightProblem({ problem, operation }: ProblemCause): Told {
  const { status, type, title } = PROBLEMS[problem];
  return {
    status,
    headers: {
      'content-type': status === 404 ? 'application/json' : 'application/problem+json',
      'x-service-flow-id': FLOW,
      'www-authenticate': 'Bearer',
      allow: operation.method,
      'retry-after': '7',
    },
    body: { type, title, status, detail: 'ZZZZZZZZZZ: colour, from 2.24.', flow_id: FLOW },
  };
}

/** What a service may answer otherwise, and what the point says of it. */
const PROBLEM_FAULTS: readonly (readonly [what: string, said: string, plant: (right: Told) => Told])[] = [
  ['succeeds', 'It answered 200', ({ headers }) => ({ status: 200, headers, body: {} })],
  [
    'answers another problem',
    'about:blank',
    ({ status, headers, body }) => ({
      status,
      headers,
      body: Object.assign({}, body, { type: 'about:blank' }),
    }),
  ],
  [
    'has another title',
    'Its title',
    ({ status, headers, body }) => ({ status, headers, body: Object.assign({}, body, { title: 'No' }) }),
  ],
  [
    'says no reason',
    'Its detail',
    ({ status, headers, body }) => ({ status, headers, body: Object.assign({}, body, { detail: '' }) }),
  ],
  [
    'has another flow',
    'Its flow_id',
    ({ status, headers, body }) => ({ status, headers, body: Object.assign({}, body, { flow_id: 'none' }) }),
  ],
  ['answers text', 'no JSON object', ({ status, headers }) => ({ status, headers, body: [] as never })],
];

describe('the point of each problem', () => {
  const judged = (row: ProblemCause, { status, headers, body }: Told): Verdict =>
    judgeProblem(row, {
      asked: {
        request: { target: 'api', method: row.operation.method, path: row.operation.path, headers: {} },
        answer: { status, headers, text: JSON.stringify(body) },
      },
    });

  test('passes what the contract has', () => {
    const others = PROBLEM_TABLE.filter((row) => judged(row, rightProblem(row)).result !== 'passed');
    expect(others.map((row) => problemPoint(row).id)).toEqual([]);
    expect(PROBLEM_TABLE.length).toBeGreaterThan(500);
  });

  test.each(PROBLEM_FAULTS)('fails a service that %s', (_, said, plant) => {
    const missed = PROBLEM_TABLE.filter((row) => {
      const verdict = judged(row, plant(rightProblem(row)));
      return verdict.result !== 'failed' || !saidBy(verdict).includes(said);
    });
    expect(missed.map((row) => problemPoint(row).id)).toEqual([]);
  });
});
