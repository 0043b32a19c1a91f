import type { Hono } from 'hono';
import { z } from 'zod';
import { scenarioJsonSchema } from '../../scenarios/language/document/json-schema.ts';
import { formatSpan } from '../../scenarios/language/document/quantity.ts';
import { writeDocument } from '../../scenarios/language/document/write.ts';
import { jsonBody } from '../../simulator/http/guard.ts';
import { type ControlRefusal, problemResponse } from '../../simulator/http/refusal.ts';
import { limits } from '../limits.ts';
import type { ScenarioEntry, ScenarioMistake, ScenarioRun } from '../stream/scenarios.ts';
import { type ServedTrace, traceResponse } from './served-trace.ts';

/** Where scenarios are kept and run. */
export interface ScenarioRunner {
  list(): Promise<readonly ScenarioEntry[]>;
  /** Undefined: there is none of that name. */
  read(name: string): Promise<string | undefined>;
  /** Replaces the saved scenario of that name. Rejects where it cannot be written. */
  save(name: string, text: string): Promise<void>;
  /** The mistakes of a scenario. Does not block this event loop. */
  check(text: string): Promise<readonly ScenarioMistake[]>;
  /** Undefined: too many runs are active. */
  run(text: string): Promise<ScenarioRun | undefined>;
  runOf(id: string): Promise<ScenarioRun | undefined>;
  traceOf(id: string): Promise<ServedTrace | undefined>;
}

const named = z.strictObject({ name: z.string().regex(/^[a-z0-9][a-z0-9-]{0,63}$/), text: z.string() });
const texted = z.strictObject({ text: z.string() });
const branched = z.strictObject({
  document: z.record(z.string(), z.unknown()),
  /** How many of its steps had begun. */
  steps: z.int().min(0),
  /** The moment, in milliseconds from the beginning of the scenario. */
  atMs: z.int().min(0),
});

/** Lists, checks, saves and runs scenarios. */
export function scenarioRoutes(app: Hono, runner: ScenarioRunner): void {
  app.get('/console/scenarios', async (c) => c.json(await runner.list()));
  app.get('/console/scenarios/:name', async (c) => {
    const text = await runner.read(c.req.param('name'));
    return text === undefined ? unknown('scenario', c.req.param('name')) : c.json({ text });
  });
  app.post('/console/scenarios', (c) =>
    answered(c.req.raw, named, async ({ name, text }) => {
      await runner.save(name, text);
      return { name };
    }),
  );
  app.get('/console/scenario-schema', (c) => c.json(scenarioJsonSchema()));
  app.post('/console/scenario-checks', (c) => answered(c.req.raw, texted, ({ text }) => runner.check(text)));
  app.post('/console/runs', (c) =>
    answered(
      c.req.raw,
      texted,
      async ({ text }) =>
        (await runner.run(text)) ??
        refusal(409, 'Too many runs are in progress. Wait until one of them ends.'),
    ),
  );
  app.get('/console/runs/:id', async (c) => {
    const run = await runner.runOf(c.req.param('id'));
    return run === undefined ? unknown('run', c.req.param('id')) : c.json(run);
  });
  app.get('/console/runs/:id/trace', async (c) => {
    const trace = await runner.traceOf(c.req.param('id'));
    return trace === undefined
      ? unknown('trace of a run', c.req.param('id'))
      : traceResponse(trace, c.req.method);
  });
}

/** Answers `POST /console/branches`: the scenario of a trace up to a moment, for one more step. */
export function branchRoute(app: Hono): void {
  app.post('/console/branches', (c) =>
    answered(c.req.raw, branched, ({ document, steps, atMs }) => {
      const at = formatSpan(atMs);
      const all = Array.isArray(document['steps']) ? document['steps'] : [];
      const { vary: _drawn, ...kept } = document;
      const text = writeDocument({ ...kept, steps: all.slice(0, steps) });
      return { text: withHint(text, `# The run up to ${at}. Write one more step: - { at: ${at}, … }`) };
    }),
  );
}

/** The text with that comment at the end of its steps, where the next one is written. */
function withHint(text: string, hint: string): string {
  const lines = text.split('\n');
  const begin = lines.findIndex((line) => /^steps:\s*$/.test(line));
  const next = lines.findIndex((line, index) => index > begin && /^\S/.test(line));
  if (begin === -1) return `${text}${hint}\n`;
  return lines.toSpliced(next === -1 ? lines.length - 1 : next, 0, `  ${hint}`).join('\n');
}

/** Parses the JSON of a request by its schema, and sends the result of `answer` as JSON. */
async function answered<Schema extends z.ZodType>(
  request: Request,
  schema: Schema,
  answer: (body: z.output<Schema>) => object | Promise<object>,
): Promise<Response> {
  const read = await jsonBody(request, limits.bodyBytes);
  if ('refusal' in read) return problemResponse(read.refusal);
  const parsed = schema.safeParse(read.body);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    return problemResponse(refusal(400, `${issue?.path.join('.') ?? ''}: ${issue?.message ?? 'is wrong'}`));
  }
  const made = await answer(parsed.data);
  return 'status' in made && 'detail' in made ? problemResponse(made as ControlRefusal) : Response.json(made);
}

function refusal(status: 400 | 409, detail: string): ControlRefusal {
  return { status, detail };
}

function unknown(what: string, name: string): Response {
  return problemResponse({ status: 404, detail: `There is no ${what} ${JSON.stringify(name)}.` });
}
