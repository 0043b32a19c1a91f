import { useEffect, useRef } from 'preact/hooks';
import type { ZonePoint } from '../../stream/zones.ts';
import { drawnZone, layZone } from '../state/zones.ts';
import { type MapView, metresPerPixel, placeOf } from './map-projection.ts';
import type { ZoneTool } from './zone-panel.tsx';

/** The least circle that counts as one, in pixels. */
const LEAST_PX = 4;

/**
 * Takes the pointer while a zone is drawn: a circle from its middle to its edge, a polygon corner by corner, closed by a
 * double click. Whoever has no pointer lays circles by the panel.
 */
export function ZoneDrawing(drawing: {
  readonly tool: ZoneTool;
  view(): MapView | undefined;
  done(): void;
  refused(why: string): void;
}) {
  const middle = useRef<readonly [x: number, y: number]>(undefined);
  const corners = useRef<ZonePoint[]>([]);
  const { tool } = drawing;
  const forget = () => {
    drawnZone.value = undefined;
    middle.current = undefined;
    corners.current = [];
  };
  // A drawing that is given up leaves nothing for the next one.
  useEffect(() => forget, [tool]);
  const latest = useRef(drawing);
  latest.current = drawing;
  useEffect(() => {
    if (tool === 'none') return undefined;
    const giveUp = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return;
      forget();
      latest.current.done();
    };
    document.addEventListener('keydown', giveUp);
    return () => document.removeEventListener('keydown', giveUp);
  }, [tool]);
  if (tool === 'none') return null;
  const end = () => {
    const shape = drawnZone.value;
    forget();
    drawing.done();
    const isOne = shape !== undefined && ('around' in shape || shape.polygon.length >= 3);
    if (isOne)
      layZone(shape).catch((error: unknown) =>
        drawing.refused(error instanceof Error ? error.message : String(error)),
      );
  };
  const at = (event: MouseEvent): readonly [number, number] => {
    const { left, top } = (event.currentTarget as HTMLElement).getBoundingClientRect();
    return [event.clientX - left, event.clientY - top];
  };
  const onMove = (event: MouseEvent) => {
    const view = drawing.view();
    if (view === undefined) return;
    const [x, y] = at(event);
    if (tool === 'polygon') {
      if (corners.current.length > 0)
        drawnZone.value = { polygon: [...corners.current, placeOf(view, x, y)] };
      return;
    }
    if (middle.current === undefined) return;
    const around = placeOf(view, ...middle.current);
    const px = Math.max(LEAST_PX, Math.hypot(x - middle.current[0], y - middle.current[1]));
    drawnZone.value = { around, radiusM: px * metresPerPixel(view, around.latitude) };
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: who has no pointer lays zones by the panel, and the page hears Escape.
    <div
      class="drawing"
      role="application"
      aria-label={`Draw a ${tool}`}
      onPointerDown={(event) => {
        if (tool !== 'circle') return;
        event.currentTarget.setPointerCapture(event.pointerId);
        middle.current = at(event);
      }}
      onPointerMove={onMove}
      onPointerUp={() => {
        if (tool === 'circle' && drawnZone.value !== undefined) end();
      }}
      onClick={(event) => {
        const view = drawing.view();
        if (tool !== 'polygon' || view === undefined) return;
        // The second click of a double click adds no corner.
        if (event.detail < 2) corners.current.push(placeOf(view, ...at(event)));
      }}
      onDblClick={() => {
        if (tool !== 'polygon') return;
        drawnZone.value = { polygon: corners.current };
        end();
      }}
    />
  );
}
