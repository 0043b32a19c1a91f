import { counted } from '../../language/counted.ts';
import { limits } from '../limits.ts';
import { isWithin, LEFT, RIGHT, round, WIDTH, type Window } from './axis.ts';
import { CHARACTER, type Drawn, extent, nameOf } from './drawn.ts';
import type { Lanes, Stretch } from './lanes.ts';
import { el } from './markup.ts';
import { curveOf, mergedBand, rowsOf } from './thin.ts';

const INNER = WIDTH - LEFT - RIGHT;

/** A link that is down lies low, with its name above it: nobody needs the colours to tell it from one that is up. */
const BANDS: Readonly<Record<string, { readonly fill: string; readonly low?: number }>> = {
  off: { fill: '#6e7781', low: 2 },
  offline: { fill: '#cf222e', low: 4 },
  connecting: { fill: '#bf8700', low: 5 },
  connected: { fill: '#218bff' },
  ready: { fill: '#2da44e' },
  up: { fill: '#2da44e' },
  down: { fill: '#cf222e', low: 4 },
};
const BAND_HEIGHT = 14;

/** The state of the link, or whether the service is up. */
export function bandLane(band: readonly Stretch[], window: Window): Drawn | undefined {
  const seen = mergedBand(
    band.filter((one) => isWithin(one, window)),
    window,
  );
  if (seen.length === 0) return undefined;
  return {
    name: seen.some(({ look }) => look === 'up' || look === 'down') ? 'service' : 'link',
    height: BAND_HEIGHT,
    shapes: (y) =>
      seen.flatMap((one) => {
        const { x, width } = extent(one, window);
        const { fill, low } = BANDS[one.look] ?? { fill: '#6e7781' };
        const height = low ?? BAND_HEIGHT;
        const rect = el(
          'rect',
          { x, y: y + BAND_HEIGHT - height, width, height, class: `band ${one.look}`, fill },
          el('title', {}, one.title),
        );
        if (width < one.name.length * CHARACTER + 8) return [rect];
        const [look, ink, base] =
          low === undefined ? ['on-band', '#0d1117', 11] : [`over-band t-${one.look}`, fill, 8];
        return [rect, el('text', { x: round(x + 4), y: y + Number(base), class: look, fill: ink }, one.name)];
      }),
  };
}

/** How many records the journal holds. */
export function journalLane(lanes: Lanes, window: Window): Drawn | undefined {
  if (lanes.depth.length === 0) return undefined;
  const curve = curveOf(lanes, window);
  const [first] = curve;
  if (first === undefined) return undefined;
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
          {
            d: `${path}V${y + height}H${round(first.x)}Z`,
            class: 'depth',
            fill: '#0969da',
            'fill-opacity': 0.2,
          },
          el('title', {}, `at most ${counted(top, 'record')} in this part`),
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
  '4xx': '#bf8700',
  '5xx': '#cf222e',
  none: '#24292f',
  open: '#8c959f',
};

/** Calls from the question to the answer, with their names where there is room. */
export function callLane(calls: readonly Stretch[], window: Window): Drawn | undefined {
  const seen = calls.filter((one) => isWithin(one, window)).slice(0, limits.columns);
  if (seen.length === 0) return undefined;
  const textWidth = ({ name }: Stretch): number => nameOf(name).length * CHARACTER + 10;
  const end = (one: Stretch): number => {
    const { x, width } = extent(one, window, 4);
    return x + width;
  };
  const isInside = (one: Stretch): boolean => extent(one, window, 4).width >= textWidth(one);
  const isLate = (one: Stretch): boolean => end(one) + textWidth(one) > WIDTH - RIGHT;
  const named = rowsOf(seen, window, {
    rows: limits.callRows,
    room: (one) => extent(one, window, 4).width + (isInside(one) || isLate(one) ? 1 : textWidth(one)),
    lead: (one) => (!isInside(one) && isLate(one) ? textWidth(one) : 0),
  });
  const { placed, rows } = named.isCrowded
    ? rowsOf(seen, window, { rows: limits.callRows, room: () => 5 })
    : named;
  return {
    name: 'calls',
    height: rows * 13,
    shapes: (y) =>
      placed.flatMap(({ stretch, row }) => {
        const { x, width } = extent(stretch, window, 4);
        const top = y + row * 13;
        const fill = CALL_FILLS[stretch.look] ?? '#8c959f';
        const rect = el(
          'rect',
          { x, y: top, width, height: 11, rx: 2, class: `call c${stretch.look}`, fill },
          el('title', {}, stretch.title),
        );
        const inside = isInside(stretch);
        if (named.isCrowded && !inside) return [rect];
        const late = !inside && isLate(stretch);
        const textX = inside ? x + 4 : late ? x - 3 : x + width + 3;
        const look = inside ? `on-call c${stretch.look}` : 'beside';
        const ink = inside && (stretch.look === '5xx' || stretch.look === 'none') ? '#ffffff' : '#0d1117';
        return [
          rect,
          el(
            'text',
            {
              x: round(textX),
              y: top + 9,
              class: look,
              fill: ink,
              'text-anchor': late ? 'end' : 'start',
            },
            nameOf(stretch.name),
          ),
        ];
      }),
  };
}
