import { useEffect, useRef } from 'preact/hooks';
import { CONNECTIVITY_LOOKS } from '../fleet/vehicle-colours.ts';
import { fleetVersion, stream, vehicles, type WatchedVehicle } from '../state/fleet.ts';
import { isSilent } from '../state/liveness.ts';
import { marks } from '../state/marks.ts';
import type { WireLine } from './use-wire.ts';

/** The visible time span, in milliseconds. */
const SPAN_MS = 180_000;
const SAMPLE_MS = 500;
/** The longest time that a sample covers: beyond it there is a visible gap. */
const LASTS_MS = 3_000;
const LANE_PX = 20;
const LABEL_PX = 66;
/** Upward, downward, and problems. */
const COLOURS = { up: '#0072b2', down: '#cc79a7', amiss: '#d55e00' } as const;

interface Sample {
  readonly atMs: number;
  readonly vehicle: WatchedVehicle;
}

/** Something that happened at one moment, by the page's clock. */
interface Happening {
  readonly atMs: number;
  readonly colour: string;
}

export interface TimelineParts {
  readonly boxId: string;
  readonly lines: readonly WireLine[];
  /** Of received messages; empty while they are not read. */
  readonly messages: readonly { readonly seenMs: number }[];
}

/** The last three minutes of a vehicle, a lane for each observed value. */
export function Timeline(parts: TimelineParts) {
  const { boxId } = parts;
  const canvas = useRef<HTMLCanvasElement>(null);
  const samples = useRef<Sample[]>([]);
  const newest = useRef(parts);
  newest.current = parts;
  useEffect(() => {
    samples.current = [];
    const take = () => {
      const vehicle = vehicles.get(boxId);
      if (vehicle === undefined || canvas.current === null) return;
      const atMs = performance.now();
      const kept = samples.current.filter((sample) => sample.atMs > atMs - SPAN_MS);
      // The last known state is not the present one.
      const isKnown = stream.value === 'open' && !isSilent('simulator');
      samples.current = isKnown ? [...kept, { atMs, vehicle }] : kept;
      draw(canvas.current, { samples: samples.current, ...newest.current, nowMs: atMs });
    };
    const stop = fleetVersion.subscribe(take);
    const timer = setInterval(take, SAMPLE_MS);
    return () => {
      stop();
      clearInterval(timer);
    };
  }, [boxId]);
  return (
    <canvas
      ref={canvas}
      class="timeline"
      role="img"
      aria-label={`The last three minutes: ${LANES.map(({ name }) => name).join(', ')}`}
    />
  );
}

interface Drawn extends TimelineParts {
  readonly samples: readonly Sample[];
  readonly nowMs: number;
}

/** The height of one sample of a lane, from 0 to 1; undefined: it is not drawn. */
type Bar = (vehicle: WatchedVehicle, most: number) => { readonly colour: string; readonly share: number };

/** The lanes, from top to bottom. Problems: the network is down, or the box has no power. */
const LANES: readonly {
  readonly name: string;
  readonly bar?: Bar;
  readonly happenings?: (drawn: Drawn) => readonly Happening[];
}[] = [
  {
    name: 'Link',
    bar: ({ connectivity }) => ({ colour: CONNECTIVITY_LOOKS[connectivity].colour, share: 1 }),
  },
  { name: 'Backlog', bar: ({ heldRecords }, most) => ({ colour: COLOURS.up, share: heldRecords / most }) },
  { name: 'Speed', bar: ({ speedKph }) => ({ colour: COLOURS.up, share: Math.min(130, speedKph) / 130 }) },
  { name: 'Frames', happenings: ({ lines }) => ofKinds(lines, (kind) => !KINDS_ELSEWHERE.has(kind)) },
  { name: 'Receipts', happenings: ({ lines }) => ofKinds(lines, (kind) => kind === 'receipt') },
  { name: 'Commands', happenings: ({ lines }) => ofKinds(lines, (kind) => COMMAND_KINDS.has(kind)) },
  {
    name: 'Messages',
    happenings: ({ messages }) => messages.map(({ seenMs }) => ({ atMs: seenMs, colour: COLOURS.up })),
  },
  {
    name: 'Faults',
    bar: ({ hasCoverage, connectivity }) => ({
      colour: COLOURS.amiss,
      share: hasCoverage && connectivity !== 'off' ? 0 : 1,
    }),
    happenings: ({ lines }) =>
      lines
        .filter(({ fault }) => fault !== undefined)
        .map(({ seenMs }) => ({ atMs: seenMs, colour: COLOURS.amiss })),
  },
  { name: 'Actions' },
];
const COMMAND_KINDS: ReadonlySet<string> = new Set(['command', 'configuration', 'reply']);
const KINDS_ELSEWHERE: ReadonlySet<string> = new Set(['receipt', ...COMMAND_KINDS]);

function ofKinds(lines: readonly WireLine[], isOf: (kind: string) => boolean): readonly Happening[] {
  return lines
    .filter(({ frame }) => frame !== undefined && isOf(frame.kind))
    .map(({ seenMs, direction }) => ({ atMs: seenMs, colour: COLOURS[direction] }));
}

function draw(canvas: HTMLCanvasElement, drawn: Drawn): void {
  const context = canvas.getContext('2d');
  if (context === null) return;
  const { samples, nowMs, boxId } = drawn;
  const { width } = canvas.getBoundingClientRect();
  const scale = devicePixelRatio;
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(LANES.length * LANE_PX * scale);
  context.setTransform(scale, 0, 0, scale, 0, 0);
  const ink = getComputedStyle(canvas).color;
  const x = (atMs: number) => LABEL_PX + ((atMs - (nowMs - SPAN_MS)) / SPAN_MS) * (width - LABEL_PX);
  context.font = '11px system-ui';
  const most = Math.max(8, ...samples.map(({ vehicle }) => vehicle.heldRecords));
  LANES.forEach(({ name, bar, happenings }, lane) => {
    const bottom = (lane + 1) * LANE_PX - 3;
    context.fillStyle = ink;
    context.fillText(name, 0, bottom - 3);
    samples.forEach(({ atMs, vehicle }, index) => {
      const shown = bar?.(vehicle, most);
      if (shown === undefined || shown.share === 0) return;
      const high = shown.share * (LANE_PX - 6);
      const endMs = Math.min(samples[index + 1]?.atMs ?? nowMs, atMs + LASTS_MS);
      const wide = Math.max(1, x(endMs) - x(atMs) + 0.5);
      context.fillStyle = shown.colour;
      context.fillRect(x(atMs), bottom - high, wide, high);
    });
    for (const { atMs, colour } of happenings?.(drawn) ?? []) {
      if (atMs < nowMs - SPAN_MS) continue;
      context.fillStyle = colour;
      context.fillRect(x(atMs) - 1, bottom - (LANE_PX - 8), 2, LANE_PX - 8);
    }
  });
  context.fillStyle = ink;
  for (const { atMs, title } of marks.value.filter((mark) => mark.boxId === boxId)) {
    if (atMs < nowMs - SPAN_MS) continue;
    context.fillRect(x(atMs), 0, 1, LANES.length * LANE_PX);
    context.fillText(title, Math.min(x(atMs) + 3, width - 90), LANES.length * LANE_PX - 6);
  }
}
