import { el, type Markup } from './markup.ts';

const ROWS: readonly (readonly [look: string, fill: string, text: string])[] = [
  ['ready', '#2da44e', 'Ready, service up'],
  ['connected', '#218bff', 'Connected'],
  ['connecting', '#bf8700', 'Connecting'],
  ['offline', '#cf222e', 'Offline, service down'],
  ['off', '#6e7781', 'Box off'],
  ['depth', '#0969da', 'Backlog (journal)'],
  ['c2xx', '#2da44e', 'Call answered 2xx'],
  ['c4xx', '#bf8700', '4xx'],
  ['c5xx', '#cf222e', '5xx'],
  ['cnone', '#24292f', 'No answer'],
  ['copen', '#8c959f', 'Not answered by the end'],
  ['message', '#8250df', 'Message in a queue'],
  ['act', '#57606a', 'Action on the vehicle'],
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
    el('span', {}, 'Shaded red: a fault; ✓ and ✗: expectations; a low link is down; hover for names'),
  );
}
