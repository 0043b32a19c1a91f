import { limits } from '../limits.ts';
import { shortened } from '../moment.ts';
import { isWithin, LEFT, RIGHT, round, ticks, WIDTH, type Window, xOf } from './axis.ts';
import type { Lanes, Mark, Stretch } from './lanes.ts';
import { type Child, el, type Markup } from './markup.ts';
import { columnsOf, curveOf, mergedBand, rowsOf } from './thin.ts';

/** A lane as drawn: how high it is, and its shapes for a given y. */
interface Drawn {
  readonly name: string;
  readonly height: number;
  readonly shapes: (y: number) => readonly Markup[];
}

const GAP = 7;
const CHARACTER = 6.2;
const INNER = WIDTH - LEFT - RIGHT;

/**
 * The timeline of one box (or of the whole) in this window as an SVG. Colours are classes, and attributes beneath them
 * for where a page may have no style.
 */
export function picture(lanes: Lanes, window: Window, label: string): Markup {
  const faults = lanes.faults.filter((one) => isWithin(one, window)).slice(0, limits.shownFaults);
  const drawn = [
    faultLane(faults, window),
    stepLane(lanes.steps, window),
    bandLane(lanes.band, window),
    journalLane(lanes, window),
    callLane(lanes.calls, window),
    markLane('messages', lanes.messages, window, 14, tick),
    markLane('vehicle', lanes.acts, window, 12, diamond),
    markLane('expected', lanes.marks, window, 14, verdictMark),
  ].filter((lane) => lane !== undefined);
  let y = 4;
  const placed = drawn.map((lane) => {
    const at = y;
    y += lane.height + GAP;
    return { lane, at };
  });
  const height = y + 18;
  return el(
    'svg',
    { viewBox: `0 0 ${WIDTH} ${height}`, role: 'img', class: 'picture', 'font-size': 11 },
    el('title', {}, label),
    axis(window, y),
    faults.map((fault) => shade(fault, window, y)),
    placed.map(({ lane, at }) => [
      el(
        'text',
        {
          x: LEFT - 10,
          y: at + Math.min(lane.height, 14) / 2 + 4,
          class: 'name',
          fill: '#57606a',
          'text-anchor': 'end',
        },
        lane.name,
      ),
      lane.shapes(at),
    ]),
  );
}

function axis(window: Window, bottom: number): readonly Markup[] {
  return [
    el('line', { x1: LEFT, x2: WIDTH - RIGHT, y1: bottom, y2: bottom, class: 'axis', stroke: '#8c959f' }),
    ...ticks(window).flatMap(({ atMs, text }) => {
      const x = xOf(atMs, window);
      return [
        el('line', { x1: x, x2: x, y1: 0, y2: bottom, class: 'grid', stroke: '#eaeef2' }),
        el(
          'text',
          {
            x,
            y: bottom + 13,
            class: 'name',
            fill: '#57606a',
            'text-anchor': x < LEFT + 30 ? 'start' : x > WIDTH - 50 ? 'end' : 'middle',
          },
          text,
        ),
      ];
    }),
  ];
}

function shade(fault: Stretch, window: Window, bottom: number): Markup {
  const { x, width } = extent(fault, window);
  return el(
    'rect',
    {
      x,
      y: 0,
      width,
      height: bottom,
      class: `fault ${fault.look}`,
      fill: '#cf222e',
      'fill-opacity': fault.look === 'moment' ? 0.5 : 0.1,
    },
    el('title', {}, fault.title),
  );
}

/** The names of what is shaded. */
function faultLane(faults: readonly Stretch[], window: Window): Drawn | undefined {
  if (faults.length === 0) return undefined;
  const room = ({ name }: Stretch): number => nameOf(name).length * CHARACTER + 10;
  const { placed, rows } = rowsOf(faults, window, { rows: limits.callRows, room });
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

function stepLane(steps: readonly Stretch[], window: Window): Drawn | undefined {
  const seen = steps.filter((one) => isWithin(one, window));
  if (seen.length === 0) return undefined;
  const room = ({ name }: Stretch): number => nameOf(name).length * CHARACTER + 8;
  const { placed, rows } = rowsOf(seen, window, { rows: 2 * limits.callRows, room });
  return {
    name: 'steps',
    height: rows * 15,
    shapes: (y) =>
      placed.flatMap(({ stretch, row }) => {
        const { x, width } = extent(stretch, window);
        const text = nameOf(stretch.name);
        const isLate = x + room(stretch) > WIDTH - RIGHT;
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
              x: isLate ? round(x - 3) : round(x + 3),
              y: y + row * 15 + 10,
              class: 'step-name',
              fill: '#24292f',
              'text-anchor': isLate ? 'end' : 'start',
            },
            text,
          ),
        ];
      }),
  };
}

const BAND_FILLS: Readonly<Record<string, string>> = {
  off: '#6e7781',
  offline: '#cf222e',
  connecting: '#d4a72c',
  connected: '#54aeff',
  ready: '#2da44e',
  up: '#2da44e',
  down: '#cf222e',
};

function bandLane(band: readonly Stretch[], window: Window): Drawn | undefined {
  const seen = mergedBand(
    band.filter((one) => isWithin(one, window)),
    window,
  );
  if (seen.length === 0) return undefined;
  return {
    name: 'link',
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

function journalLane({ depth }: Lanes, window: Window): Drawn | undefined {
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

function callLane(calls: readonly Stretch[], window: Window): Drawn | undefined {
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

type Shape = (x: number, y: number, look: string, title: Child) => Markup;

function markLane(
  name: string,
  marks: readonly Mark[],
  window: Window,
  height: number,
  shape: Shape,
): Drawn | undefined {
  const columns = columnsOf(marks, window);
  if (columns.length === 0) return undefined;
  // What failed is drawn last, above the rest.
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

const tick: Shape = (x, y, look, title) =>
  el('rect', { x: round(x - 1), y, width: 2, height: 14, class: look, fill: '#8250df' }, title);

const diamond: Shape = (x, y, look, title) =>
  el(
    'path',
    { d: `M${x} ${y}l5 6l-5 6l-5 -6Z`, class: look, fill: look === 'act' ? '#57606a' : '#bc4c00' },
    title,
  );

const verdictMark: Shape = (x, y, look, title) =>
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

/** What lies in the window of it, never thinner than can be seen. */
function extent(
  stretch: Window,
  window: Window,
  least = 1.5,
): { readonly x: number; readonly width: number } {
  const x = Math.min(xOf(stretch.fromMs, window), WIDTH - RIGHT - least);
  return { x: round(x), width: round(Math.max(least, xOf(stretch.toMs, window) - x)) };
}

function nameOf(text: string): string {
  return shortened(text, 40);
}
