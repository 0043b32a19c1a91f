import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

const checkout = join(import.meta.dirname, '..', '..');
const VITEST = join(checkout, 'node_modules', 'vitest', 'vitest.mjs');
const library = (name: string) => JSON.stringify(join(checkout, 'library', `${name}.ts`));

const PASSING = `
name: answered
about: A car is asked for its state.
seed: 1
fleet: [{ as: car }]
steps: [{ at: 10s, on: car, call: { command: request-vehicle-state }, expect: { status: 200 } }]
always: [nothing-lost]
`;
const FAILING = PASSING.replace('answered', 'refused').replace('status: 200', 'status: 404');

/** The tests of a user: `body` is the same for both libraries, but for how something is expected. */
function testsOf(imports: string, expectEqual: (one: string, other: string) => string): string {
  return `${imports}
const service = boxtwin({ seed: 7, vehicles: 1 });
let early = 'nothing was refused';
try { service.baseUrl; } catch (error) { early = error.message; }
test('a car on a slow network answers late, and in time again afterwards', async () => {
  const { id } = service.vehicle();
  const ask = async () => (await service.call('POST', \`/vehicles/\${id}/box-commands/request-system-status\`)).status;
  ${expectEqual('await ask()', '200')};
  const slow = await service.box(id).weather({ latency: { base: '500ms' } }, { for: '90s' });
  const since = performance.now();
  ${expectEqual('await ask()', '200')};
  ${expectEqual('performance.now() - since >= 500', 'true')};
  ${expectEqual('await slow.lift()', 'undefined')};
});
test('this one fails', async () => {
  const next = service.nextMessage({ type: 'SmokeDetected' }, { within: '10m' });
  await service.call('POST', \`/vehicles/\${service.vehicle().id}/box-commands/request-system-status\`);
  ${expectEqual('(await service.call("GET", "/vehicles")).status', '418')};
  await next;
});
test('a service that is not there yet says so', () => {
  ${expectEqual('early.includes("was asked for while no service is running")', 'true')};
});
scenarioTests([${JSON.stringify('passing.yaml')}, ${JSON.stringify('failing.yaml')}]);
`;
}

describe('boxtwin in the tests of a user', () => {
  let place: string;
  beforeAll(() => {
    place = mkdtempSync(join(tmpdir(), 'boxtwin-libraries-'));
    symlinkSync(join(checkout, 'node_modules'), join(place, 'node_modules'));
    writeFileSync(join(place, 'package.json'), '{ "type": "module" }');
    writeFileSync(join(place, 'passing.yaml'), PASSING);
    writeFileSync(join(place, 'failing.yaml'), FAILING);
  });
  afterAll(() => rmSync(place, { recursive: true, force: true }));

  function run(args: readonly string[]): Promise<{ readonly code: number; readonly output: string }> {
    const { FORCE_COLOR: _, NODE_TEST_CONTEXT: __, ...env } = process.env;
    return new Promise((resolve) => {
      execFile(
        process.execPath,
        args,
        { cwd: place, env: { ...env, NO_COLOR: '1', CI: '1' } },
        (error, stdout, stderr) => resolve({ code: Number(error?.code ?? 0), output: stdout + stderr }),
      );
    });
  }

  /** What a failed test of the service and a failed scenario leave; those that pass leave nothing. */
  function expectResults(test: string, repeat: RegExp): void {
    const results = join(place, 'test-results');
    expect(readdirSync(results).sort()).toEqual(['failing-yaml', test]);
    const text = (folder: string, name: string) => readFileSync(join(results, folder, name), 'utf8');
    expect(text(test, 'repeat.sh')).toMatch(repeat);
    expect(text(test, 'report.txt')).toMatch(/^ +vehicle +box +service$/m);
    expect(text(test, 'report.txt')).toContain('call GET /vehicles → 200');
    expect(text(test, 'report.txt')).toMatch(/ up box [0-9a-f]{16}: reply #\d+, /);
    const events = text(test, 'trace.jsonl')
      .trimEnd()
      .split('\n')
      .map((line): unknown => JSON.parse(line));
    expect(events).toContainEqual(
      expect.objectContaining({ what: 'call', text: 'GET /vehicles', result: '200' }),
    );
    expect(events).toContainEqual(
      expect.objectContaining({
        what: 'frame',
        body: expect.objectContaining({ direction: 'up', hex: expect.stringMatching(/^b7/) }),
      }),
    );
    expect(text('failing-yaml', 'repeat.sh')).toBe('npx boxtwin scenario run failing.yaml --seed 1\n');
    expect(text('failing-yaml', 'report.html')).toContain('<!doctype html>');
    expect(text('failing-yaml', 'trace.jsonl').trimEnd().split('\n').at(-1)).toContain('"kind":"end"');
    rmSync(results, { recursive: true });
  }

  test('Vitest: a failure tells the seed of the fleet, a scenario what was found', async () => {
    writeFileSync(
      join(place, 'fleet.test.js'),
      testsOf(
        `import { boxtwin, scenarioTests } from ${library('vitest')};\nimport { expect, test } from 'vitest';`,
        (one, other) => `expect(${one}).toBe(${other})`,
      ),
    );
    const { code, output } = await run([VITEST, 'run', '--root', place, 'fleet.test.js']);
    expect(code).toBe(1);
    expect(output).toContain('2 failed | 3 passed');
    expect(output).toContain('last call: GET /vehicles → 200');
    // The wait that the failed test did not come to is no second error.
    expect(output).not.toMatch(/unhandled/i);
    // Of the one test that used the service; the scenario's report has a seed of its own.
    expect(new Set(output.match(/that of seed \d+/g))).toEqual(new Set(['that of seed 7']));
    expect(output.slice(output.indexOf('failing.yaml failed'))).not.toContain('that of seed');
    expect(output).toContain('refused failed at step 1 (line 6) expect 1, vehicle 1: ');
    expect(output).not.toContain("expected 'failed' to be 'passed'");
    expectResults('fleet-this-one-fails', /^npx vitest run fleet\.test\.js -t 'this one fails'$/m);
    expect(output).toContain('repeat: npx boxtwin scenario run failing.yaml --seed 1');
  });

  test('the example of docs/testing.md passes', async () => {
    const page = readFileSync(join(checkout, 'docs', 'testing.md'), 'utf8');
    const [, example = ''] = /^```js\n([\s\S]*?)^```$/m.exec(page) ?? [];
    const story = join(checkout, 'scenarios', 'stories', 'tunnel.yaml');
    const text = example
      .replace("'boxtwin/vitest'", library('vitest'))
      .replace("'scenarios/stories/tunnel.yaml'", JSON.stringify(story));
    writeFileSync(join(place, 'page.test.js'), text);
    const { code, output } = await run([VITEST, 'run', '--root', place, 'page.test.js']);
    expect(output).toContain('2 passed');
    expect(code).toBe(0);
  }, 90_000);

  test('node:test: a failure tells the seed of the fleet, a scenario what was found', async () => {
    writeFileSync(
      join(place, 'fleet.js'),
      testsOf(
        `import { boxtwin, scenarioTests } from ${library('node-test')};\nimport assert from 'node:assert/strict';\nimport { test } from 'node:test';`,
        (one, other) => `assert.equal(${one}, ${other})`,
      ),
    );
    const { code, output } = await run(['--test', '--test-reporter=tap', 'fleet.js']);
    expect(code).toBe(1);
    expect(output).toMatch(/# pass 3\n# fail 2/);
    expect(output).toContain('# last call: GET /vehicles → 200');
    expect(output).not.toMatch(/unhandled|was stopped while/i);
    expect(output.match(/^# boxtwin: the fleet of this test is that of seed 7$/gm)).toHaveLength(1);
    expect(output).toContain('repeat: npx boxtwin scenario run failing.yaml --seed 1');
    expectResults('fleet-this-one-fails', /^node --test '--test-name-pattern=this one fails' fleet\.js$/m);
  });
});
