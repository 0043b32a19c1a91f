import { limits } from '../limits.ts';
import { isWithin, RIGHT, round, WIDTH, type Window, xOf } from './axis.ts';
import { CHARACTER, type Drawn, extent, nameOf } from './drawn.ts';
import type { Stretch } from './lanes.ts';
import { el } from './markup.ts';
import { rowsOf } from './thin.ts';

/** The names of what is shaded. */
export function faultLane(faults: readonly Stretch[], window: Window): Drawn | undefined {
  if (faults.length === 0) return undefined;
  const room = ({ name }: Stretch): number => nameOf(name).length * CHARACTER + 10;
  const lead = (one: Stretch): number => Math.max(0, xOf(one.fromMs, window) + room(one) - (WIDTH - RIGHT));
  const { placed, rows } = rowsOf(faults, window, { rows: limits.callRows, room, lead });
  return {
    name: 'faults',
    height: rows * 13,
    shapes: (y) =>
      placed.map(({ stretch, row }) => {
        const x = Math.min(xOf(stretch.fromMs, window), WIDTH - RIGHT - room(stretch) + 10);
        return el(
          'text',
          { x: round(x + 3), y: y + row * 13 + 10, class: 'fault-name', fill: '#a40e26' },
          nameOf(stretch.name),
          el('title', {}, stretch.title),
        );
      }),
  };
}

/** The steps of the scenario, from their beginning to their end. */
export function stepLane(steps: readonly Stretch[], window: Window): Drawn | undefined {
  const seen = steps.filter((one) => isWithin(one, window));
  if (seen.length === 0) return undefined;
  const room = ({ name }: Stretch): number => nameOf(name).length * CHARACTER + 8;
  const isLate = (one: Stretch): boolean => extent(one, window).x + room(one) > WIDTH - RIGHT;
  const lead = (one: Stretch): number => (isLate(one) ? room(one) : 0);
  const { placed, rows } = rowsOf(seen, window, { rows: 2 * limits.callRows, room, lead });
  return {
    name: 'steps',
    height: rows * 15,
    shapes: (y) =>
      placed.flatMap(({ stretch, row }) => {
        const { x, width } = extent(stretch, window);
        const text = nameOf(stretch.name);
        const late = isLate(stretch);
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
            el('title', {}, stretch.title),
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
