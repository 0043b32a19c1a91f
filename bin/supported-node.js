// The command and the library import this first: it throws where the Node is too old for them.
// It uses no syntax newer than import(): an old Node must be able to read it.
import { existsSync } from 'node:fs';

const needed = [22, 18];
const found = process.versions.node.split('.').map(Number);
if (found[0] < needed[0] || (found[0] === needed[0] && found[1] < needed[1])) {
  const isCheckout = existsSync(new URL('../cli/main.ts', import.meta.url));
  throw new Error(
    `boxtwin needs Node ${needed.join('.')} or later; this is Node ${process.versions.node} (${process.execPath}).` +
      (isCheckout
        ? '\nIn a checkout, "npm ci" brings a fitting Node along, and "npm start" and "npx boxtwin" then use it.'
        : ''),
  );
}
