import { limits } from '../limits.ts';
import { isWithin, LEFT, RIGHT, round, WIDTH, type Window } from './axis.ts';
import { CHARACTER, type Drawn, extent, nameOf } from './drawn.ts';
import type { Lanes, Stretch } from './lanes.ts';
import { el } from './markup.ts';
import { curveOf, mergedBand, rowsOf } from './thin.ts';

const INNER = WIDTH - LEFT - RIGHT;

const BAND_FILLS: Readonly<Record<string, string>> = {
  off: '#6e7781',
  offline: '#cf222e',
  connecting: '#d4a72c',
  connected: '#54aeff',
  ready: '#2da44e',
  up: '#2da44e',
  down: '#cf222e',
};

/** The state of the link, or whether the service is up. */
export function bandLane(band: readonly Stretch[], window: Window): Drawn | undefined {
  const seen = mergedBand(
    band.filter((one) => isWithin(one, window)),
    window,
  );
  if (seen.length === 0) return undefined;
  return {
    name: seen.some(({ look }) => look === 'up' || look === 'down') ? 'service' : 'link',
    height: 14,
    shapes: (y) =>
      seen.flatMap((one) => {
        const { x, width } = extent(one, window);
        const rect = el(
          'rect',
          { x, y, width, height: 14, class: `band ${one.look}`, fill: BAND_FILLS[one.look] ?? '#6e7781' },
          el('title', {}, one.title),
        );
        if (width < one.name.length * CHARACTER + 8) return [rect];
        return [
          rect,
          el('text', { x: round(x + 4), y: y + 11, class: 'on-band', fill: '#ffffff' }, one.name),
        ];
      }),
  };
}

/** How many records the journal holds. */
export function journalLane({ depth }: Lanes, window: Window): Drawn | undefined {
  if (depth.length === 0) return undefined;
  const curve = curveOf(depth, window);
  const top = curve.reduce((most, { held }) => Math.max(most, held), 0);
  const height = 44;
  return {
    name: 'journal',
    height,
    shapes: (y) => {
      const yOf = (held: number): number =>
        round(y + height - (top === 0 ? 0 : (held / top) * (height - 12)));
      let path = '';
      for (const { x, held } of curve)
        path += path === '' ? `M${round(x)} ${yOf(held)}` : `H${round(x)}V${yOf(held)}`;
      path += `H${WIDTH - RIGHT}`;
      const peak = curve.find(({ held }) => held === top);
      const peakX = peak?.x ?? LEFT;
      const isLate = peakX > LEFT + INNER * 0.85;
      return [
        el(
          'path',
          { d: `${path}V${y + height}H${LEFT}Z`, class: 'depth', fill: '#0969da', 'fill-opacity': 0.2 },
          el('title', {}, `at most ${top} records in this part`),
        ),
        el('path', { d: path, class: 'depth-line', fill: 'none', stroke: '#0969da' }),
        el(
          'text',
          {
            x: isLate ? round(peakX - 3) : round(peakX + 3),
            y: y + 9,
            class: 'peak',
            fill: '#0969da',
            'text-anchor': isLate ? 'end' : 'start',
          },
          `${top}`,
        ),
      ];
    },
  };
}

const CALL_FILLS: Readonly<Record<string, string>> = {
  '2xx': '#2da44e',
  '3xx': '#2da44e',
  '4xx': '#d4a72c',
  '5xx': '#cf222e',
  none: '#24292f',
  open: '#8c959f',
};

/** Calls from the question to the answer. */
export function callLane(calls: readonly Stretch[], window: Window): Drawn | undefined {
  const seen = calls.filter((one) => isWithin(one, window)).slice(0, limits.columns);
  if (seen.length === 0) return undefined;
  const { placed, rows } = rowsOf(seen, window, { rows: limits.callRows, room: () => 5 });
  return {
    name: 'calls',
    height: rows * 13,
    shapes: (y) =>
      placed.flatMap(({ stretch, row }) => {
        const { x, width } = extent(stretch, window, 4);
        const top = y + row * 13;
        const rect = el(
          'rect',
          {
            x,
            y: top,
            width,
            height: 11,
            rx: 2,
            class: `call c${stretch.look}`,
            fill: CALL_FILLS[stretch.look] ?? '#8c959f',
          },
          el('title', {}, stretch.title),
        );
        const text = `${nameOf(stretch.name)} ${stretch.look === 'none' ? 'no answer' : stretch.look}`;
        if (width < text.length * CHARACTER + 8) return [rect];
        return [
          rect,
          el(
            'text',
            { x: round(x + 4), y: top + 9, class: `on-call c${stretch.look}`, fill: '#ffffff' },
            text,
          ),
        ];
      }),
  };
}
