import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { socketLine } from '../../cli/commands/provoke.ts';
import { operationName, problemsOf } from '../../contract/operation.ts';
import { OPERATIONS } from '../../contract/operations.ts';
import { PROBLEMS } from '../../contract/problems.ts';
import { makeCallers } from '../../scenarios/causes/caller-tokens.ts';
import { readCauseContext } from '../../scenarios/causes/cause-context.ts';
import { CAUSES } from '../../scenarios/causes/causes.ts';
import { type ProblemAnswers, walkProblems } from '../../scenarios/causes/problem-walk.ts';
import { PROBLEM_TABLE } from '../../scenarios/causes/table.ts';
import { UpProcess } from '../support/sockets/up-process.ts';

const ANSWER_TIMEOUT_S = 2;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly type_documentation: string;
  readonly flow_id: string;
}

interface Answer {
  readonly 'x-problems'?: readonly string[];
}

interface Document {
  readonly components: { readonly responses: Readonly<Record<string, Answer>> };
  readonly paths: Readonly<
    Record<
      string,
      Readonly<
        Record<
          string,
          {
            readonly security: readonly unknown[];
            readonly responses: Readonly<Record<string, Answer & { readonly $ref?: string }>>;
          }
        >
      >
    >
  >;
}

describe('problems: each declared one is reached by a real cause', () => {
  const data = mkdtempSync(join(tmpdir(), 'boxtwin-problems-'));
  let process: UpProcess | undefined;
  let baseUrl = '';
  let walk: ProblemAnswers | undefined;
  const reached = new Set<(typeof PROBLEM_TABLE)[number]>();

  beforeAll(async () => {
    process = await UpProcess.start([
      ...(await UpProcess.ownPorts()),
      ...['--vehicles', '6', '--seed', '1', '--data', data, '--log-level', 'error'],
      ...['--answer-timeout', String(ANSWER_TIMEOUT_S)],
    ]);
    const { base_url: api, simulator_url: simulator } = process.ready;
    baseUrl = api;
    const ports = socketLine({ api, simulator });
    const callers = makeCallers(ports);
    // Any token issued meanwhile would last one second.
    await callers.authorization('expired');
    const context = await readCauseContext(ports, (await callers.authorization('owner')) ?? '');
    walk = await walkProblems({ ports, context, callers }, PROBLEM_TABLE, ANSWER_TIMEOUT_S * 1_000);
  }, 240_000);
  afterAll(async () => {
    globalThis.process.stdout.write(`${printed(reached)}\n`);
    globalThis.process.stdout.write(`${walk?.groups.join('\n') ?? ''}\n`);
    await process?.end('SIGTERM');
    rmSync(data, { recursive: true, force: true });
  });

  for (const row of PROBLEM_TABLE) {
    const expected = PROBLEMS[row.problem];
    const name = operationName(row.operation);
    test(`${expected.status} ${row.problem} ${name}: ${row.cause}`, () => {
      const walked = walk?.results.get(row);
      if (walked === undefined) throw new Error('It was not asked.');
      if (!('asked' in walked)) throw new Error('failure' in walked ? walked.failure : walked.missing);
      const { answer } = walked.asked;
      const body = JSON.parse(answer.text) as Problem;
      expect(body).toEqual({
        type: expected.type,
        title: expected.title,
        status: expected.status,
        detail: expect.stringMatching(CAUSES.get(row.cause)?.detail ?? /^$/),
        type_documentation: `${baseUrl}/docs${expected.type}`,
        flow_id: expect.stringMatching(UUID),
      });
      expect(answer.status).toBe(expected.status);
      expect(answer.headers['x-service-flow-id']).toBe(body.flow_id);
      expect(answer.headers['content-type']).toBe(
        expected.status === 404 ? 'application/json' : 'application/problem+json',
      );
      expect('www-authenticate' in answer.headers).toBe([401, 403].includes(expected.status));
      expect('allow' in answer.headers).toBe(expected.status === 405);
      expect('retry-after' in answer.headers).toBe(expected.status === 429);
      if (expected.status === 405) expect(answer.headers['allow']).toContain(row.operation.method);
      reached.add(row);
    });
  }

  test('problems: everything is as before when their causes are undone', async () => {
    const scene = walk?.context;
    if (process === undefined || scene === undefined) throw new Error('Nothing was walked.');
    const { simulator_url: simulator } = process.ready;
    const ports = socketLine({ api: baseUrl, simulator });
    const authorization = `Bearer ${await process.token()}`;
    const after = await readCauseContext(ports, authorization);
    const told = ({ vehicles, ...others }: typeof scene) => ({
      ...others,
      vehicles: vehicles.map(({ id, firmware, sharedWith }) => ({ id, firmware, sharedWith })),
    });
    expect(told(after)).toEqual(told(scene));
    for (const { id, telematics } of after.vehicles) {
      const command = telematics === 'box' ? 'box-commands/request-system-status' : 'commands/draw-attention';
      const path = `/vehicles/${id}/${command}`;
      const { status } = await ports.call({
        target: 'api',
        method: 'POST',
        path,
        headers: { authorization },
      });
      expect(status, path).toBe(200);
    }
  });

  test('problems: the OpenAPI document declares these and no others', async () => {
    const response = await fetch(`${baseUrl}/openapi.json`);
    const { paths, components } = (await response.json()) as Document;
    const declared: string[] = [];
    for (const [path, item] of Object.entries(paths)) {
      for (const method of METHODS) {
        const operation = item[method];
        if (operation === undefined || operation.security.length === 0) continue;
        for (const [status, answer] of Object.entries(operation.responses)) {
          const found =
            answer.$ref === undefined ? answer : components.responses[answer.$ref.split('/')[3] ?? ''];
          for (const type of found?.['x-problems'] ?? [])
            declared.push(`${method.toUpperCase()} ${path} ${status} ${type}`);
        }
      }
    }
    const ours = OPERATIONS.flatMap((operation) =>
      problemsOf(operation).map(
        (kind) => `${operationName(operation)} ${PROBLEMS[kind].status} ${PROBLEMS[kind].type}`,
      ),
    );
    expect(new Set(declared)).toEqual(new Set(ours));
  });

  test('problems: each has its page', async () => {
    const kinds = [...new Set(PROBLEM_TABLE.map((row) => row.problem))];
    for (const kind of kinds) {
      const response = await fetch(`${baseUrl}/docs${PROBLEMS[kind].type}`);
      expect(response.status, kind).toBe(200);
      expect(await response.text()).toContain(PROBLEMS[kind].title);
    }
  });

  test('problems: every cause is used by a row', () => {
    const named = new Set(PROBLEM_TABLE.map((row) => row.cause));
    expect([...CAUSES.keys()].filter((name) => !named.has(name))).toEqual([]);
  });

  function printed(found: ReadonlySet<(typeof PROBLEM_TABLE)[number]>): string {
    const lines = PROBLEM_TABLE.map((row) => {
      const { status } = PROBLEMS[row.problem];
      const problem = row.problem.padEnd(34);
      const operation = operationName(row.operation).padEnd(86);
      return `${status} ${problem} ${operation} ${row.cause.padEnd(32)} ${found.has(row) ? 'reached' : 'NOT REACHED'}`;
    });
    return [...lines, `${found.size} of ${lines.length} rows reached`].join('\n');
  }
});
