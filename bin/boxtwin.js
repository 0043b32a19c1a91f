#!/usr/bin/env node
// Nothing newer than dynamic import() stands here: on an old Node this file must still be read and say what it needs.
const needed = [22, 18];
const found = process.versions.node.split('.').map(Number);
if (found[0] < needed[0] || (found[0] === needed[0] && found[1] < needed[1])) {
  process.stderr.write(
    `boxtwin needs Node ${needed.join('.')} or later; this is Node ${process.versions.node} (${process.execPath}).\n` +
      'In a checkout, "npm ci" brings a fitting Node along, and "npm start" and "npx boxtwin" then use it.\n',
  );
  process.exit(2);
}
// The published package holds compiled JavaScript only (Node strips no types below node_modules); a checkout runs its
// sources, so that no stale build is ever what one tries.
// What has been compiled is kept between starts, in the system's temporary folder: it halves the time to the first line.
void Promise.all([import('node:fs'), import('node:module')]).then(
  ([{ existsSync }, { enableCompileCache, getCompileCacheDir }]) => {
    if (typeof enableCompileCache === 'function') {
      enableCompileCache();
      // Threads look for it here.
      process.env.NODE_COMPILE_CACHE ??= getCompileCacheDir();
    }
    const source = new URL('../cli/main.ts', import.meta.url);
    return import(existsSync(source) ? source.href : new URL('../dist/cli/main.js', import.meta.url).href);
  },
);
