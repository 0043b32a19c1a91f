import type { App } from './app.ts';
import { DOCUMENT_PATH } from './openapi-routes.ts';

/** What the reference page shows the document with: a script and a style sheet of a library, handed in by whoever runs. */
export interface ReferenceAssets {
  readonly script: Uint8Array<ArrayBuffer>;
  readonly style: Uint8Array<ArrayBuffer>;
}

export const REFERENCE_PATH = '/docs';
const SCRIPT = 'docs/swagger-ui-bundle.js';
const STYLE = 'docs/swagger-ui.css';
const BEGINNING = 'docs/begin.js';

/** The page may load and call what this service serves, and nothing else; pictures stand in the style sheet itself. */
const PAGE_SECURITY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "form-action 'none'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Addresses in it are relative to the page's own. */
const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Vehicle Telematics Service</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${STYLE}">
</head>
<body>
<div id="reference"></div>
<noscript>This page needs JavaScript. The document itself is <a href="${relative(DOCUMENT_PATH)}">here</a>.</noscript>
<script src="${SCRIPT}"></script>
<script src="${BEGINNING}"></script>
</body>
</html>
`;

/** \`validatorUrl\`: otherwise the library asks a service on the internet. */
const BEGIN = `SwaggerUIBundle({
  url: '${relative(DOCUMENT_PATH)}',
  dom_id: '#reference',
  deepLinking: true,
  docExpansion: 'none',
  validatorUrl: null,
});
`;

const SHORT_CACHE = { 'Cache-Control': 'public, max-age=300' };

/** GET /docs: the reference, which needs nothing from elsewhere. */
export function referenceRoutes(app: App, assets: ReferenceAssets): void {
  app.get(REFERENCE_PATH, (c) =>
    c.body(PAGE, 200, {
      ...SHORT_CACHE,
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': PAGE_SECURITY,
    }),
  );
  // Addresses in the page are relative: below a slash they would lead elsewhere.
  app.get(`${REFERENCE_PATH}/`, (c) => c.redirect(REFERENCE_PATH, 308));
  const serve = (path: string, type: string, body: string | Uint8Array<ArrayBuffer>) =>
    app.get(`/${path}`, (c) =>
      c.body(body, 200, { ...SHORT_CACHE, 'Content-Type': `${type}; charset=utf-8` }),
    );
  serve(SCRIPT, 'text/javascript', assets.script);
  serve(STYLE, 'text/css', assets.style);
  serve(BEGINNING, 'text/javascript', BEGIN);
}

function relative(path: string): string {
  return path.slice(1);
}
