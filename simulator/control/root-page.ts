import { html } from 'hono/html';
import type { FleetBox } from '../box/fleet-box.ts';
import { controlLimits } from '../limits.ts';

/** One operation of the control API, as the page shows it. */
export interface ApiOperation {
  readonly method: string;
  readonly path: string;
  readonly does: string;
  /** A body that works; absent: it takes none. */
  readonly example?: unknown;
}

const METHODS = /^(?:GET|POST|PUT|DELETE)$/;

/**
 * Everything that a description of the control API names, in any of its parts: `GET /service` and its sentence,
 * `/boxes` below `get`, or a path with its methods. Total: anything else is left out.
 */
export function apiOperationsOf(description: unknown, method = '', path = ''): readonly ApiOperation[] {
  if (typeof description === 'string') return path === '' ? [] : [{ method, path, does: description }];
  if (typeof description !== 'object' || description === null || Array.isArray(description)) return [];
  const { does, example } = description as { readonly does?: unknown; readonly example?: unknown };
  if (path !== '' && typeof does === 'string')
    return [{ method, path, does, ...(isEmpty(example) ? {} : { example }) }];
  return Object.entries(description).flatMap(([name, value]) => {
    const [word = '', rest = ''] = name.split(/ (.*)/s);
    if (METHODS.test(word.toUpperCase())) return apiOperationsOf(value, word.toUpperCase(), rest || path);
    if (name.startsWith('/')) return apiOperationsOf(value, method, name);
    return path === '' ? apiOperationsOf(value, '', '') : [];
  });
}

/** The control API for a person in a browser: the boxes, queries and actions, without external resources. */
export function rootPage(
  description: { readonly what: string },
  boxes: readonly FleetBox[],
  origin: string,
): string {
  const shown = boxes.slice(0, controlLimits.pageBoxes);
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<link rel="icon" href="data:,">
<title>The simulator</title>
<style>
:root{color-scheme:light dark}
body{font:15px/1.5 system-ui,sans-serif;max-width:1000px;margin:0 auto;padding:16px;overflow-wrap:anywhere}
code,pre{font:13px/1.5 ui-monospace,monospace}
pre{white-space:pre-wrap;margin:2px 0 0;opacity:.8}
dt{margin-top:10px}dd{margin:0 0 0 16px}
li{margin:2px 0}
</style>
</head>
<body>
<h1>The simulator</h1>
<p>${description.what}</p>
<p>Programs get all this as JSON: <code>curl -s ${origin}/</code>. Actions take the box id or the vehicle id.</p>
<h2>Boxes (${boxes.length})</h2>
<ul>
${shown.map(
  ({ plan: { boxId, vehicleId, model, licensePlate } }) =>
    html`<li><a href="/boxes/${boxId}"><code>${boxId}</code></a> ${vehicleId === '' ? 'unassigned' : vehicleId}, ${model}, ${licensePlate}</li>
`,
)}
</ul>
<p>${shown.length < boxes.length ? `${boxes.length - shown.length} more: ` : ''}<a href="/boxes">/boxes</a> has all of them.</p>
<h2>What can be asked and done</h2>
<dl>
${apiOperationsOf(description).map(
  ({ method, path, does, example }) =>
    html`<dt><code>${method} ${path}</code></dt>
<dd>${does}${example === undefined ? '' : html`<pre>${JSON.stringify(example)}</pre>`}</dd>
`,
)}
</dl>
</body>
</html>
`;
  return String(page);
}

function isEmpty(example: unknown): boolean {
  return example === undefined || JSON.stringify(example) === '{}';
}
