import { modelJsonSchema } from '../../../deployment/models/model-schema.ts';
import { tellWritten, writeText } from '../scenario/scenario-output-files.ts';

/** Prints the JSON Schema of model files, or writes it to a file. */
export function modelSchema({ out }: { readonly out?: string }): void {
  const text = `${JSON.stringify(modelJsonSchema(), undefined, 2)}\n`;
  if (out === undefined) process.stdout.write(text);
  else {
    writeText(out, text);
    tellWritten([out], false);
  }
}
