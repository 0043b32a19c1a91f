import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'vite';

/**
 *     node console/page/build.ts FOLDER
 *
 * Builds both pages into that folder. The replay is one script, since a saved replay holds it.
 */
const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error('Say which folder the page goes to.');

for (const page of ['index.html', 'replay.html'])
  await build({
    configFile: false,
    root: fileURLToPath(new URL('.', import.meta.url)),
    base: './',
    logLevel: 'warn',
    // The frame codec takes its checksum from Node.
    resolve: { alias: { 'node:zlib': fileURLToPath(new URL('replay/crc32.ts', import.meta.url)) } },
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    build: {
      target: 'es2022',
      outDir: resolve(folder),
      emptyOutDir: page === 'index.html',
      // The policy of the page allows no inline script or style.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      chunkSizeWarningLimit: 2_000,
      // Of the libraries in the page.
      license: { fileName: `${page.replace('.html', '')}.licenses.md` },
      rolldownOptions: { input: fileURLToPath(new URL(page, import.meta.url)) },
    },
    worker: { format: 'es' },
  });
