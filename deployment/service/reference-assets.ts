import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { ReferenceAssets } from '../../backend/http/openapi/reference.ts';

const SCRIPT = 'swagger-ui-bundle.js';
const STYLE = 'swagger-ui.css';
const REDIRECT_SCRIPT = 'oauth2-redirect.js';

/**
 * The files of the reference page: in the published package next to the program, in a checkout from their library.
 * Undefined where neither exists (a checkout without its development dependencies).
 */
export function referenceAssets(): ReferenceAssets | undefined {
  const folder = [packaged, installed].map((find) => find()).find((path) => path !== undefined);
  return folder === undefined
    ? undefined
    : {
        script: new Uint8Array(readFileSync(folder + SCRIPT)),
        style: new Uint8Array(readFileSync(folder + STYLE)),
        redirectScript: new Uint8Array(readFileSync(folder + REDIRECT_SCRIPT)),
      };
}

/** `dist/reference/`, which the build fills. */
function packaged(): string | undefined {
  const folder = fileURLToPath(new URL('../../reference/', import.meta.url));
  return existsSync(folder + SCRIPT) ? folder : undefined;
}

function installed(): string | undefined {
  try {
    const script = createRequire(import.meta.url).resolve(`swagger-ui-dist/${SCRIPT}`);
    return script.slice(0, -SCRIPT.length);
  } catch {
    return undefined;
  }
}
