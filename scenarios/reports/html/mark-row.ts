import { round, type TimeWindow } from './axis.ts';
import type { TimelineMark } from './box-timeline.ts';
import { type Child, el, type Markup } from './markup.ts';
import { columnsOf } from './thin.ts';
import type { TimelineRow } from './timeline-row.ts';

type Shape = (x: number, y: number, look: string, title: Child) => Markup;

/** A row of moments, each with its shape. */
export function markRow(
  name: string,
  marks: readonly TimelineMark[],
  window: TimeWindow,
  height: number,
  shape: Shape,
): TimelineRow | undefined {
  const columns = columnsOf(marks, window);
  if (columns.length === 0) return undefined;
  // Failures are drawn last, on top.
  const inOrder = [...columns].sort(
    (one, other) => Number(one.look === 'unmet') - Number(other.look === 'unmet'),
  );
  return {
    name,
    height,
    shapes: (y) =>
      inOrder.map(({ x, look, count, title }) =>
        shape(
          x,
          y,
          look,
          el('title', {}, count === 1 ? title : `${count}:\n${title}${count > 6 ? '\n…' : ''}`),
        ),
      ),
  };
}

export const tick: Shape = (x, y, look, title) =>
  el('rect', { x: round(x - 1), y, width: 2, height: 14, class: look, fill: '#8250df' }, title);

export const diamond: Shape = (x, y, look, title) =>
  el(
    'path',
    { d: `M${x} ${y}l5 6l-5 6l-5 -6Z`, class: look, fill: look === 'act' ? '#57606a' : '#bc4c00' },
    title,
  );

export const verdictMark: Shape = (x, y, look, title) =>
  look === 'met'
    ? el(
        'path',
        {
          d: `M${round(x - 6)} ${y + 7}l4 5l8 -10`,
          class: 'met',
          fill: 'none',
          stroke: '#1a7f37',
          'stroke-width': 2.5,
        },
        title,
      )
    : el(
        'path',
        {
          d: `M${round(x - 5)} ${y + 2}l10 10m0 -10l-10 10`,
          class: 'unmet',
          fill: 'none',
          stroke: '#cf222e',
          'stroke-width': 3,
        },
        title,
      );
