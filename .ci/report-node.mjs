// Runs as "prepublish" after npm ci and npm install in a checkout, and only there: says which Node runs the npm scripts.
// npm would warn whoever installs the package of an install script, if it were "prepare". Without the development
// dependencies (--omit=dev) there is none in node_modules, and nothing to say.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const own = fileURLToPath(new URL('../node_modules/.bin/node', import.meta.url));
if (existsSync(own)) {
  const ran = execFileSync(own, ['--version'], { encoding: 'utf8' }).trim();
  console.log(`npm start, npm test and npx boxtwin run on Node ${ran} of node_modules.`);
}
