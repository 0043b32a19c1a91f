import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { IS_BUILT, PRODUCT, PROGRAM } from '../run/product.ts';

const CHECKOUT = join(import.meta.dirname, '..', '..', '..');

/** A folder as a reader's is after `npm install boxtwin vitest`, with the product that tests start. */
export interface ReaderFolder {
  readonly path: string;
  /** For commands in it: with the Node of this checkout, and without what tests set for themselves. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  remove(): void;
}

/** Makes it below the system's temporary folder. */
export function makeReaderFolder(): ReaderFolder {
  const path = mkdtempSync(join(tmpdir(), 'boxtwin-reader-'));
  const packages = join(path, 'node_modules');
  const programs = join(packages, '.bin');
  mkdirSync(programs, { recursive: true });
  symlinkSync(PRODUCT, join(packages, 'boxtwin'));
  symlinkSync(PROGRAM, join(programs, 'boxtwin'));
  symlinkSync(join(CHECKOUT, 'node_modules/vitest'), join(packages, 'vitest'));
  symlinkSync(join(CHECKOUT, 'node_modules/vitest/vitest.mjs'), join(programs, 'vitest'));
  writeFileSync(join(path, 'package.json'), '{ "name": "reader", "private": true, "type": "module" }\n');
  // The entries of the package are built ones; a checkout has their sources.
  const alias = IS_BUILT ? {} : { 'boxtwin/vitest': join(CHECKOUT, 'library/vitest.ts') };
  writeFileSync(
    join(path, 'vitest.config.js'),
    `export default { resolve: { alias: ${JSON.stringify(alias)} }, server: { fs: { strict: false } } };\n`,
  );
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(VITEST|NODE_ENV|NODE_OPTIONS|FORCE_COLOR|npm_|BOXTWIN_)/.test(name),
  );
  return {
    path,
    environment: {
      ...Object.fromEntries(kept),
      NO_COLOR: '1',
      PATH: [join(CHECKOUT, 'node_modules/.bin'), process.env['PATH'], '/usr/sbin'].join(delimiter),
    },
    remove: () => rmSync(path, { recursive: true, force: true }),
  };
}
