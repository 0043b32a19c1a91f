import { useEffect, useRef } from 'preact/hooks';
import { errorText } from '../../../world/error-text.ts';
import type { ZonePoint } from '../../stream/map.ts';
import { addZone, drawnZone } from '../state/zones.ts';
import { type MapView, metresPerPixel, placeOf } from './map-projection.ts';
import type { ZoneTool } from './zone-panel.tsx';

/** The smallest radius of a circle, in pixels. */
const LEAST_PX = 4;

/**
 * Takes the pointer while the user draws a zone: a circle from its centre to its edge, a polygon corner by corner, closed by
 * a double click. Users without a pointer place circles with the panel.
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
  // An abandoned drawing leaves nothing for the next one.
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
    if (isOne) addZone(shape).catch((error: unknown) => drawing.refused(errorText(error)));
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
    // biome-ignore lint/a11y/useKeyWithClickEvents: users without a pointer use the panel, and the document listens for Escape.
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
