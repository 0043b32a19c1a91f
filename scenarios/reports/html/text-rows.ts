import { reportLimits } from '../../limits.ts';
import { isWithin, RIGHT, round, type TimeWindow, WIDTH, xOf } from './axis.ts';
import type { TimelineSpan } from './box-timeline.ts';
import { el } from './markup.ts';
import { rowsOf } from './thin.ts';
import { CHARACTER, extent, nameOf, type TimelineRow } from './timeline-row.ts';

/** The names of the faults. */
export function faultRow(faults: readonly TimelineSpan[], window: TimeWindow): TimelineRow | undefined {
  if (faults.length === 0) return undefined;
  const room = ({ name }: TimelineSpan): number => nameOf(name).length * CHARACTER + 10;
  const lead = (one: TimelineSpan): number =>
    Math.max(0, xOf(one.fromMs, window) + room(one) - (WIDTH - RIGHT));
  const { placed, rows } = rowsOf(faults, window, { rows: reportLimits.callRows, room, lead });
  return {
    name: 'faults',
    height: rows * 13,
    shapes: (y) =>
      placed.map(({ span, row }) => {
        const x = Math.min(xOf(span.fromMs, window), WIDTH - RIGHT - room(span) + 10);
        return el(
          'text',
          { x: round(x + 3), y: y + row * 13 + 10, class: 'fault-name', fill: '#a40e26' },
          nameOf(span.name),
          el('title', {}, span.title),
        );
      }),
  };
}

/** The steps of the scenario, from their beginning to their end. */
export function stepRow(steps: readonly TimelineSpan[], window: TimeWindow): TimelineRow | undefined {
  const seen = steps.filter((one) => isWithin(one, window));
  if (seen.length === 0) return undefined;
  const room = ({ name }: TimelineSpan): number => nameOf(name).length * CHARACTER + 8;
  const isLate = (one: TimelineSpan): boolean => extent(one, window).x + room(one) > WIDTH - RIGHT;
  const lead = (one: TimelineSpan): number => (isLate(one) ? room(one) : 0);
  const { placed, rows } = rowsOf(seen, window, { rows: 2 * reportLimits.callRows, room, lead });
  return {
    name: 'steps',
    height: rows * 15,
    shapes: (y) =>
      placed.flatMap(({ span, row }) => {
        const { x, width } = extent(span, window);
        const text = nameOf(span.name);
        const late = isLate(span);
        return [
          el(
            'rect',
            {
              x,
              y: y + row * 15,
              width,
              height: 12,
              rx: 2,
              class: 'step',
              fill: '#afb8c1',
              'fill-opacity': 0.5,
            },
            el('title', {}, span.title),
          ),
          el(
            'text',
            {
              x: late ? round(x - 3) : round(x + 3),
              y: y + row * 15 + 10,
              class: 'step-name',
              fill: '#24292f',
              'text-anchor': late ? 'end' : 'start',
            },
            text,
          ),
        ];
      }),
  };
}
