import { xmlText } from '../junit.ts';

/** Text that is already HTML. Everything else is escaped when it becomes a child or an attribute. */
export interface Markup {
  readonly markup: string;
}

export type Child = Markup | string | number | undefined | readonly Child[];

export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** HTML elements without an end tag; those of SVG are written with one. */
const VOID = new Set(['meta', 'br', 'hr']);

/** Text escaped for HTML, SVG and attributes. */
export function escapeText(text: string): string {
  return xmlText(text).replaceAll(/[&<>"']/g, (character) => ESCAPES[character] ?? character);
}

/** One element. Names must be trusted; attributes that are undefined or false are omitted. */
export function el(name: string, attributes: Attributes = {}, ...children: readonly Child[]): Markup {
  const written = Object.entries(attributes)
    .filter(([, value]) => value !== undefined && value !== false)
    .map(([key, value]) => (value === true ? ` ${key}` : ` ${key}="${escapeText(String(value))}"`))
    .join('');
  const open = `<${name}${written}>`;
  return { markup: VOID.has(name) ? open : `${open}${markupOf(children)}</${name}>` };
}

export function markupOf(child: Child): string {
  if (child === undefined) return '';
  if (typeof child === 'string') return escapeText(child);
  if (typeof child === 'number') return String(child);
  if ('markup' in child) return child.markup;
  return child.map(markupOf).join('');
}
