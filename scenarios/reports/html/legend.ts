import { el, type Markup } from './markup.ts';

const ROWS: readonly (readonly [look: string, fill: string, text: string])[] = [
  ['ready', '#2da44e', 'ready, service up'],
  ['connected', '#218bff', 'connected'],
  ['connecting', '#bf8700', 'connecting'],
  ['offline', '#cf222e', 'offline, service down'],
  ['off', '#6e7781', 'box off'],
  ['depth', '#0969da', 'records in the journal'],
  ['c2xx', '#2da44e', 'call answered 2xx'],
  ['c4xx', '#bf8700', '4xx'],
  ['c5xx', '#cf222e', '5xx'],
  ['cnone', '#24292f', 'no answer'],
  ['copen', '#8c959f', 'not answered at the end'],
  ['message', '#8250df', 'message in a queue'],
  ['act', '#57606a', 'done to the vehicle'],
];

/** The meaning of the colours in all pictures; hovering names each item. */
export function legend(): Markup {
  return el(
    'div',
    { class: 'legend' },
    ROWS.map(([look, fill, text]) =>
      el(
        'span',
        {},
        el(
          'svg',
          { width: 12, height: 12, 'aria-hidden': 'true' },
          el('rect', { width: 12, height: 12, rx: 2, class: look, fill }),
        ),
        text,
      ),
    ),
    el(
      'span',
      {},
      'shaded red: a fault; ✓ and ✗: expectations; a low link is down; the pointer over anything names it',
    ),
  );
}
