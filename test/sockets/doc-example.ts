import { readFileSync } from 'node:fs';

/** The first TypeScript example of a page in docs/, as it stands there. */
export function exampleOf(page: string): string {
  const text = readFileSync(new URL(`../../docs/${page}`, import.meta.url), 'utf8');
  const block = /^```ts\n([\s\S]*?)^```$/m.exec(text)?.[1];
  if (block === undefined) throw new Error(`docs/${page} has no TypeScript example.`);
  return block;
}
