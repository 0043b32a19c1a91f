import { counted } from '../../../judge/wording.ts';
import { reportLimits } from '../../limits.ts';
import { isWithin, LEFT, RIGHT, round, type TimeWindow, WIDTH } from './axis.ts';
import type { BoxTimeline, TimelineSpan } from './box-timeline.ts';
import { el } from './markup.ts';
import { curveOf, mergedStates, rowsOf } from './thin.ts';
import { CHARACTER, extent, nameOf, type TimelineRow } from './timeline-row.ts';

const INNER = WIDTH - LEFT - RIGHT;

/**
 * A connection that is down is a low bar with its name above it, so that colours are not needed to see it.
 */
const STATE_STYLES: Readonly<Record<string, { readonly fill: string; readonly low?: number }>> = {
  off: { fill: '#6e7781', low: 2 },
  offline: { fill: '#cf222e', low: 4 },
  connecting: { fill: '#bf8700', low: 5 },
  connected: { fill: '#218bff' },
  ready: { fill: '#2da44e' },
  up: { fill: '#2da44e' },
  down: { fill: '#cf222e', low: 4 },
};
const STATE_ROW_HEIGHT = 14;

/** The state of the connection, or whether the service is up. */
export function stateRow(band: readonly TimelineSpan[], window: TimeWindow): TimelineRow | undefined {
  const seen = mergedStates(
    band.filter((one) => isWithin(one, window)),
    window,
  );
  if (seen.length === 0) return undefined;
  return {
    name: seen.some(({ look }) => look === 'up' || look === 'down') ? 'service' : 'link',
    height: STATE_ROW_HEIGHT,
    shapes: (y) =>
      seen.flatMap((one) => {
        const { x, width } = extent(one, window);
        const { fill, low } = STATE_STYLES[one.look] ?? { fill: '#6e7781' };
        const height = low ?? STATE_ROW_HEIGHT;
        const rect = el(
          'rect',
          { x, y: y + STATE_ROW_HEIGHT - height, width, height, class: `band ${one.look}`, fill },
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
export function journalRow(timeline: BoxTimeline, window: TimeWindow): TimelineRow | undefined {
  if (timeline.heldRecords.length === 0) return undefined;
  const curve = curveOf(timeline, window);
  const [first] = curve;
  if (first === undefined) return undefined;
  const top = curve.reduce((most, { held }) => Math.max(most, held), 0);
  const height = 44;
  return {
    name: 'backlog',
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

/** Calls from the request to the answer, with their names if there is room. */
export function callRow(calls: readonly TimelineSpan[], window: TimeWindow): TimelineRow | undefined {
  const seen = calls.filter((one) => isWithin(one, window)).slice(0, reportLimits.columns);
  if (seen.length === 0) return undefined;
  const textWidth = ({ name }: TimelineSpan): number => nameOf(name).length * CHARACTER + 10;
  const end = (one: TimelineSpan): number => {
    const { x, width } = extent(one, window, 4);
    return x + width;
  };
  const isInside = (one: TimelineSpan): boolean => extent(one, window, 4).width >= textWidth(one);
  const isLate = (one: TimelineSpan): boolean => end(one) + textWidth(one) > WIDTH - RIGHT;
  const named = rowsOf(seen, window, {
    rows: reportLimits.callRows,
    room: (one) => extent(one, window, 4).width + (isInside(one) || isLate(one) ? 1 : textWidth(one)),
    lead: (one) => (!isInside(one) && isLate(one) ? textWidth(one) : 0),
  });
  const { placed, rows } = named.isCrowded
    ? rowsOf(seen, window, { rows: reportLimits.callRows, room: () => 5 })
    : named;
  return {
    name: 'calls',
    height: rows * 13,
    shapes: (y) =>
      placed.flatMap(({ span, row }) => {
        const { x, width } = extent(span, window, 4);
        const top = y + row * 13;
        const fill = CALL_FILLS[span.look] ?? '#8c959f';
        const rect = el(
          'rect',
          { x, y: top, width, height: 11, rx: 2, class: `call c${span.look}`, fill },
          el('title', {}, span.title),
        );
        const inside = isInside(span);
        if (named.isCrowded && !inside) return [rect];
        const late = !inside && isLate(span);
        const textX = inside ? x + 4 : late ? x - 3 : x + width + 3;
        const look = inside ? `on-call c${span.look}` : 'beside';
        const ink = inside && (span.look === '5xx' || span.look === 'none') ? '#ffffff' : '#0d1117';
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
            nameOf(span.name),
          ),
        ];
      }),
  };
}
