import { useEffect, useRef, useState } from 'preact/hooks';
import { CONNECTIVITY_LOOKS } from '../fleet/vehicle-colours.ts';
import { useRedraw } from '../state/use-redraw.ts';
import type { EntryKind } from './entry-of.ts';
import type { RunIndex, RunVehicle } from './run-index.ts';
import { firstAfter, type Series } from './series.ts';

const LANE_PX = 30;
const LABEL_PX = 120;
const MOST_LANES = 60;
/** The largest zoom, in milliseconds over the width. */
const LEAST_SPAN_MS = 50;

const MARKS: Readonly<Partial<Record<EntryKind, string>>> = {
  frame: '#8fa3b5',
  message: '#009e73',
  call: '#0072b2',
  act: '#cc79a7',
  failure: '#d40000',
};

interface LanesProps {
  readonly run: RunIndex;
  readonly atMs: number;
  readonly spanMs: readonly [fromMs: number, toMs: number];
  readonly chosen: number | undefined;
  choose(vehicle: number | undefined): void;
  go(atMs: number): void;
}

/**
 * A lane for each vehicle: its link as a band, its journal as a height, marks for frames, messages, calls, acts and
 * failures, and faults as shaded ranges. The wheel zooms around the pointer; only what is visible is drawn.
 */
export function Lanes(lanes: LanesProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [span, setSpan] = useState<readonly [number, number]>(lanes.spanMs);
  // A change of the size draws again.
  useRedraw(canvas);
  const shown = [...lanes.run.vehicles.values()].slice(0, MOST_LANES);
  useEffect(() => setSpan(lanes.spanMs), [lanes.spanMs[0], lanes.spanMs[1]]);
  useEffect(() => {
    if (canvas.current !== null) draw(canvas.current, lanes, shown, span);
  });
  const timeAt = (x: number, width: number) =>
    span[0] + ((x - LABEL_PX) / Math.max(1, width - LABEL_PX)) * (span[1] - span[0]);
  const onWheel = (event: WheelEvent) => {
    event.preventDefault();
    const { left, width } = (event.currentTarget as HTMLCanvasElement).getBoundingClientRect();
    const aroundMs = timeAt(event.clientX - left, width);
    const factor = event.deltaY > 0 ? 1.25 : 0.8;
    setSpan(zoomed(span, aroundMs, factor, lanes.spanMs));
  };
  return (
    <section class="lanes" aria-label="Lanes">
      <span class="zoom">
        <button type="button" onClick={() => setSpan(zoomed(span, lanes.atMs, 0.5, lanes.spanMs))}>
          Zoom in
        </button>
        <button type="button" onClick={() => setSpan(zoomed(span, lanes.atMs, 2, lanes.spanMs))}>
          Zoom out
        </button>
        <button type="button" onClick={() => setSpan(lanes.spanMs)}>
          Whole run
        </button>
      </span>
      <canvas
        ref={canvas}
        role="img"
        aria-label="Link, backlog and events of each vehicle over time; the table and the log have them as text"
        style={{ height: `${Math.max(1, shown.length) * LANE_PX}px` }}
        onWheel={onWheel}
        onClick={(event) => {
          const { left, top, width } = event.currentTarget.getBoundingClientRect();
          const vehicle = shown[Math.floor((event.clientY - top) / LANE_PX)];
          if (event.clientX - left < LABEL_PX) lanes.choose(vehicle?.number);
          else
            lanes.go(
              Math.min(lanes.spanMs[1], Math.max(lanes.spanMs[0], timeAt(event.clientX - left, width))),
            );
        }}
      />
      {lanes.run.vehicles.size > MOST_LANES && (
        <p class="count">{lanes.run.vehicles.size - MOST_LANES} more vehicles have no lane</p>
      )}
    </section>
  );
}

/** The span around a moment, within the run. */
function zoomed(
  [fromMs, toMs]: readonly [number, number],
  aroundMs: number,
  factor: number,
  [firstMs, lastMs]: readonly [number, number],
): readonly [number, number] {
  const next = Math.min(lastMs - firstMs, Math.max(LEAST_SPAN_MS, (toMs - fromMs) * factor));
  const part = (aroundMs - fromMs) / Math.max(1, toMs - fromMs);
  const from = Math.min(lastMs - next, Math.max(firstMs, aroundMs - part * next));
  return [from, from + next];
}

function draw(
  canvas: HTMLCanvasElement,
  { run, atMs, chosen }: LanesProps,
  shown: readonly RunVehicle[],
  [fromMs, toMs]: readonly [number, number],
): void {
  const context = canvas.getContext('2d');
  if (context === null) return;
  const { width } = canvas.getBoundingClientRect();
  const scale = devicePixelRatio;
  const height = Math.max(1, shown.length) * LANE_PX;
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  context.setTransform(scale, 0, 0, scale, 0, 0);
  const x = (ms: number) => LABEL_PX + ((ms - fromMs) / (toMs - fromMs)) * (width - LABEL_PX);
  const ink = getComputedStyle(canvas).color;
  context.font = '12px system-ui';
  const rowOf = new Map(shown.map(({ number }, index) => [number, index]));
  for (const fault of run.faults) {
    if ((fault.toMs ?? toMs) < fromMs || fault.fromMs > toMs) continue;
    const left = Math.max(LABEL_PX, x(fault.fromMs));
    const wide = Math.max(2, Math.min(width, x(fault.toMs ?? toMs)) - left);
    context.fillStyle = 'rgba(213, 94, 0, 0.18)';
    if (fault.vehicles.length === 0) context.fillRect(left, 0, wide, height);
    for (const number of fault.vehicles) {
      const row = rowOf.get(number);
      if (row !== undefined) context.fillRect(left, row * LANE_PX, wide, LANE_PX - 2);
    }
  }
  shown.forEach((vehicle, row) => {
    const top = row * LANE_PX;
    context.fillStyle = ink;
    context.fillText(`${vehicle.number} ${vehicle.model}`.slice(0, 18), 2, top + 14);
    if (vehicle.number === chosen) context.fillRect(0, top, 1.5, LANE_PX - 2);
    spans(vehicle.connectivity, fromMs, toMs, (state, a, b) => {
      context.fillStyle = CONNECTIVITY_LOOKS[state].colour;
      context.fillRect(x(a), top + 2, Math.max(0.5, x(b) - x(a)), 8);
    });
    const most = Math.max(4, ...highest(vehicle.held));
    context.fillStyle = '#0072b2';
    spans(vehicle.held, fromMs, toMs, (held, a, b) => {
      const high = (held / most) * 14;
      context.fillRect(x(a), top + LANE_PX - 4 - high, Math.max(0.5, x(b) - x(a)), high);
    });
  });
  const first = firstAfter(run.entryTimes, fromMs - 1);
  const drawn = new Set<string>();
  for (let index = first; index < run.entries.length; index += 1) {
    const entry = run.entries[index];
    if (entry === undefined || entry.atMs > toMs) break;
    const colour = MARKS[entry.kind];
    const row = entry.vehicle === undefined ? undefined : rowOf.get(entry.vehicle);
    if (colour === undefined || row === undefined) continue;
    const at = Math.round(x(entry.atMs));
    const mark = `${at} ${row} ${entry.kind}`;
    if (drawn.has(mark)) continue;
    drawn.add(mark);
    context.fillStyle = entry.isBad ? (MARKS.failure ?? colour) : colour;
    context.fillRect(
      at - 1,
      row * LANE_PX + (entry.kind === 'frame' ? 11 : 10),
      2,
      entry.kind === 'frame' ? 3 : 8,
    );
  }
  context.fillStyle = ink;
  context.fillRect(x(atMs), 0, 1, height);
}

/** The highest values of a long series, without spreading all of it. */
function highest({ values }: Series<number>): readonly number[] {
  let most = 0;
  for (const value of values) if (value > most) most = value;
  return [most];
}

/** Calls `each` for the value in force between two moments. */
function spans<Value>(
  { times, values }: Pick<Series<Value>, 'times' | 'values'>,
  fromMs: number,
  toMs: number,
  each: (value: Value, fromMs: number, toMs: number) => void,
): void {
  for (let index = Math.max(0, firstAfter(times, fromMs) - 1); index < times.length; index += 1) {
    const [begin, value] = [times[index], values[index]];
    if (begin === undefined || value === undefined || begin > toMs) return;
    const end = times[index + 1] ?? toMs;
    if (end > fromMs) each(value, Math.max(begin, fromMs), Math.min(end, toMs));
  }
}
