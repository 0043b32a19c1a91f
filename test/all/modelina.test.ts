import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { asyncApiDocument } from '../../backend/http/openapi/asyncapi.ts';

/** Of modelina, whose own types are installed with it: the checkout's type check runs without it. */
interface Generator {
  generate(document: unknown): Promise<readonly { readonly result: string; readonly modelName: string }[]>;
}

const path = createRequire(import.meta.url).resolve('@asyncapi/modelina');
const modelina = (await import(pathToFileURL(path).href)) as Readonly<Record<string, new () => Generator>>;

test.each([
  ['TypeScript', 'TypeScriptGenerator'],
  ['Java', 'JavaGenerator'],
  ['Python', 'PythonGenerator'],
  ['Go', 'GoGenerator'],
  ['C#', 'CSharpGenerator'],
  ['Rust', 'RustGenerator'],
])('modelina gives each type of the messages a name of its own in %s', async (_, name) => {
  const GeneratorOfLanguage = modelina[name];
  if (GeneratorOfLanguage === undefined) throw new Error(`modelina has no ${name}`);
  const document: unknown = JSON.parse(JSON.stringify(asyncApiDocument({ baseUrl: 'http://service.test' })));
  const models = await new GeneratorOfLanguage().generate(document);
  const code = models.map(({ result }) => result).join('\n');
  expect(code).toMatch(/VehicleStatePosition/);
  expect(code).not.toMatch(/anonymous/i);
  // Java has no name for a union of a type and null, and writes no code for it.
  const names = models.filter(({ result }) => result !== '').map(({ modelName }) => modelName);
  expect(names.length).toBeGreaterThan(100);
  expect(names.filter((one, at) => names.indexOf(one) !== at)).toEqual([]);
});
