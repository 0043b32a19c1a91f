#!/usr/bin/env node
// Nothing newer than dynamic import() stands here: on an old Node this file must still be read and say what it needs.
// The published package holds compiled JavaScript only (Node strips no types below node_modules); a checkout runs its
// sources, so that no stale build is ever what one tries.
// What has been compiled is kept between starts, in the system's temporary folder: it halves the time to the first line.
void import('./supported-node.js').then(
  () =>
    Promise.all([import('node:fs'), import('node:module')]).then(
      ([{ existsSync }, { enableCompileCache, getCompileCacheDir }]) => {
        if (typeof enableCompileCache === 'function') {
          enableCompileCache();
          // Threads look for it here.
          process.env.NODE_COMPILE_CACHE ??= getCompileCacheDir();
        }
        const source = new URL('../cli/main.ts', import.meta.url);
        return import(
          existsSync(source) ? source.href : new URL('../dist/cli/main.js', import.meta.url).href
        );
      },
    ),
  (error) => {
    process.stderr.write(`${error.message}\n`);
    process.exit(2);
  },
);
