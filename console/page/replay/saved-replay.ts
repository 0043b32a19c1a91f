import { saveFile } from '../state/save-file.ts';
import { TRACE_ELEMENT, type TraceSource } from './trace-source.ts';

/**
 * Saves the replay as one HTML file, with the page's script and style and the trace in it. Its policy names the hashes
 * of both and lets nothing else run or load. Resolves with the file's name; rejects where a part is unavailable.
 */
export async function saveReplay(source: TraceSource, scenario: string): Promise<string> {
  const [script, style] = await Promise.all([ownScript(), ownStyle()]);
  const trace = await new Response(await source.open()).text();
  const policy = [
    "default-src 'none'",
    `script-src 'sha256-${await hashOf(script)}'`,
    `style-src 'sha256-${await hashOf(style)}'`,
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>boxtwin replay of ${escaped(scenario)}</title>
<style>${style}</style>
</head>
<body>
<div id="app"></div>
<script type="application/x-ndjson" id="${TRACE_ELEMENT}" data-name="${escaped(source.name)}">${inScript(trace)}</script>
<script type="module">${script}</script>
</body>
</html>
`;
  return saveFile(`${scenario || 'run'}.replay.html`, html, 'text/html');
}

/** The script of this page, which is one file; within a saved replay the element that contains it. */
async function ownScript(): Promise<string> {
  const element = document.querySelector<HTMLScriptElement>('script[type="module"]');
  if (element === null) throw new Error('This page has no script of its own.');
  const text = element.src === '' ? (element.textContent ?? '') : await textOf(element.src);
  // Within a document the end tag of a script would end it.
  return text.replaceAll('</script', '<\\/script');
}

async function ownStyle(): Promise<string> {
  const inline = document.querySelector('style');
  if (inline !== null) return inline.textContent ?? '';
  const links = [...document.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]')];
  return (await Promise.all(links.map(({ href }) => textOf(href)))).join('\n');
}

async function textOf(address: string): Promise<string> {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${address} answers ${answer.status}.`);
  return answer.text();
}

async function hashOf(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return btoa(String.fromCharCode(...new Uint8Array(digest)));
}

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}

/** JSON stays the same if a slash is escaped, so that no text in it ends the element. */
function inScript(ndjson: string): string {
  return ndjson.replaceAll('<', '\\u003c');
}
