import type { App } from '../app.ts';
import type { AppContext } from '../environment.ts';
import { DOCUMENT_PATH } from './document-routes.ts';

/** The assets of the reference page: files of a library, provided by the caller. */
export interface ReferenceAssets {
  readonly script: Uint8Array<ArrayBuffer>;
  readonly style: Uint8Array<ArrayBuffer>;
  /** The script of the page that a sign-in redirects to. */
  readonly redirectScript: Uint8Array<ArrayBuffer>;
  /**
   * A public client, registered with `REFERENCE_REDIRECT_PATH`, for sign-ins there; absent: people enter one.
   */
  readonly clientId?: string;
}

export const REFERENCE_PATH = '/docs';
const SCRIPT = 'docs/swagger-ui-bundle.js';
const STYLE = 'docs/swagger-ui.css';
const BEGINNING = 'docs/begin.js';
/** The redirect path of the code flow. */
export const REFERENCE_REDIRECT_PATH = '/docs/oauth2-redirect.html';
const REDIRECT_SCRIPT = 'docs/oauth2-redirect.js';

/** The page may only load and call what this service serves; pictures are embedded in the style sheet. */
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

/** A window that the page has opened; the library's script passes the window's parameters to the page. */
const REDIRECT_PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Signed in</title>
<link rel="icon" href="data:,">
</head>
<body>
<noscript>This page needs JavaScript.</noscript>
<script src="${REDIRECT_SCRIPT.replace('docs/', '')}"></script>
</body>
</html>
`;

/** \`validatorUrl\`: otherwise the library asks a service on the internet. */
function beginning(clientId: string | undefined): string {
  return `const reference = SwaggerUIBundle({
  url: '${relative(DOCUMENT_PATH)}',
  dom_id: '#reference',
  deepLinking: true,
  docExpansion: 'none',
  validatorUrl: null,
  oauth2RedirectUrl: new URL('${relative(REFERENCE_REDIRECT_PATH)}', document.baseURI).href,
});
reference.initOAuth({
  usePkceWithAuthorizationCodeGrant: true,
  clientId: ${JSON.stringify(clientId ?? '')},
});
`;
}

const SHORT_CACHE = { 'Cache-Control': 'public, max-age=300' };

/** GET /docs: the reference, which loads only local assets. */
export function referenceRoutes(app: App, assets: ReferenceAssets, baseUrl: string): void {
  const page = (c: AppContext, html: string) =>
    c.body(html, 200, {
      ...SHORT_CACHE,
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': PAGE_SECURITY,
    });
  // Under the other host name the page and the API that it calls would have different origins.
  app.get(REFERENCE_PATH, (c) =>
    isOtherNameOf(baseUrl, c.req.url) ? c.redirect(`${baseUrl}${REFERENCE_PATH}`, 302) : page(c, PAGE),
  );
  app.get(REFERENCE_REDIRECT_PATH, (c) => page(c, REDIRECT_PAGE));
  // Addresses in the page are relative: with a trailing slash they would be wrong.
  app.get(`${REFERENCE_PATH}/`, (c) => c.redirect(REFERENCE_PATH, 308));
  const serve = (path: string, type: string, body: string | Uint8Array<ArrayBuffer>) =>
    app.get(`/${path}`, (c) =>
      c.body(body, 200, { ...SHORT_CACHE, 'Content-Type': `${type}; charset=utf-8` }),
    );
  serve(SCRIPT, 'text/javascript', assets.script);
  serve(STYLE, 'text/css', assets.style);
  serve(REDIRECT_SCRIPT, 'text/javascript', assets.redirectScript);
  serve(BEGINNING, 'text/javascript', beginning(assets.clientId));
}

/** Whether the request was sent to `localhost` at the port of a service whose address is 127.0.0.1. */
function isOtherNameOf(baseUrl: string, requested: string): boolean {
  const [own, asked] = [new URL(baseUrl), new URL(requested)];
  return own.hostname === '127.0.0.1' && asked.hostname === 'localhost' && own.port === asked.port;
}

function relative(path: string): string {
  return path.slice(1);
}
