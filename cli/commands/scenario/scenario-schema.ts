import { scenarioJsonSchema } from '../../../scenarios/language/document/json-schema.ts';
import { tellWritten, writeText } from './scenario-output-files.ts';

/** Prints the JSON Schema of scenarios, or writes it to a file. */
export function scenarioSchema({ out }: { readonly out?: string }): void {
  const text = `${JSON.stringify(scenarioJsonSchema(), undefined, 2)}\n`;
  if (out === undefined) process.stdout.write(text);
  else {
    writeText(out, text);
    tellWritten([out], false);
  }
}
