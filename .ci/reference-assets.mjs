// Part of the build: the reference page's script and style sheet go into the package, with their licences, so that
// whoever installs it needs no further dependency.
import { copyFileSync, mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const FILES = [
  'swagger-ui-bundle.js',
  'swagger-ui-bundle.js.LICENSE.txt',
  'swagger-ui.css',
  'oauth2-redirect.js',
  'LICENSE',
  'NOTICE',
];
const from = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/swagger-ui-bundle.js'));
const to = fileURLToPath(new URL('../dist/reference/', import.meta.url));
mkdirSync(to, { recursive: true });
for (const file of FILES) copyFileSync(join(from, file), join(to, file));
