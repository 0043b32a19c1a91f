import { reportLimits } from '../../limits.ts';
import { isWithin, LEFT, RIGHT, type TimeWindow, ticks, WIDTH, xOf } from './axis.ts';
import type { BoxTimeline, TimelineSpan } from './box-timeline.ts';
import { diamond, markRow, tick, verdictMark } from './mark-row.ts';
import { el, type Markup } from './markup.ts';
import { faultRow, stepRow } from './text-rows.ts';
import { extent } from './timeline-row.ts';
import { callRow, journalRow, stateRow } from './value-rows.ts';

const GAP = 7;

/**
 * The timeline of one box (or of the whole) in this window as an SVG. Colours are classes, with fallback attributes
 * for a page without a style.
 */
export function picture(timeline: BoxTimeline, window: TimeWindow, label: string): Markup {
  const faults = timeline.faults.filter((one) => isWithin(one, window)).slice(0, reportLimits.shownFaults);
  const drawn = [
    faultRow(faults, window),
    stepRow(timeline.steps, window),
    stateRow(timeline.states, window),
    journalRow(timeline, window),
    callRow(timeline.calls, window),
    markRow('messages', timeline.messages, window, 14, tick),
    markRow('vehicle', timeline.acts, window, 12, diamond),
    markRow('expected', timeline.verdicts, window, 14, verdictMark),
  ].filter((row) => row !== undefined);
  let y = 4;
  const placed = drawn.map((row) => {
    const at = y;
    y += row.height + GAP;
    return { row, at };
  });
  const height = y + 18;
  return el(
    'svg',
    { viewBox: `0 0 ${WIDTH} ${height}`, role: 'img', class: 'picture', 'font-size': 11 },
    el('title', {}, label),
    axis(window, y),
    timeline.knownFromMs > window.fromMs ? unknown(timeline.knownFromMs, window, y) : undefined,
    faults.map((fault) => shade(fault, window, y)),
    placed.map(({ row, at }) => [
      el(
        'text',
        {
          x: LEFT - 10,
          y: at + Math.min(row.height, 14) / 2 + 4,
          class: 'name',
          fill: '#57606a',
          'text-anchor': 'end',
        },
        row.name,
      ),
      row.shapes(at),
    ]),
  );
}

function axis(window: TimeWindow, bottom: number): readonly Markup[] {
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

/** A part of the run without facts, since they were dropped. */
function unknown(toMs: number, window: TimeWindow, bottom: number): readonly Markup[] {
  const { x, width } = extent({ fromMs: window.fromMs, toMs }, window);
  return [
    el(
      'rect',
      { x, y: 0, width, height: bottom, class: 'unknown', fill: '#6e7781', 'fill-opacity': 0.15 },
      el('title', {}, 'What happened here was dropped: too much happened after it'),
    ),
    width < 60
      ? { markup: '' }
      : el('text', { x: x + 4, y: bottom - 5, class: 'name', fill: '#57606a' }, 'not kept'),
  ];
}

function shade(fault: TimelineSpan, window: TimeWindow, bottom: number): Markup {
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
