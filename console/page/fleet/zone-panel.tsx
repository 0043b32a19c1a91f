import { useState } from 'preact/hooks';
import { errorText } from '../../../world/error-text.ts';
import { Controls } from '../controls.tsx';
import { addZone, removeZone, zones } from '../state/zones.ts';
import { Trouble } from '../trouble.tsx';
import type { MapView } from './map-projection.ts';

/** What the pointer draws on the map. */
export type ZoneTool = 'none' | 'circle' | 'polygon';

const USUAL_RADIUS_M = 400;

/** The dead zones with the number of vehicles in each, and the controls to add one: by the pointer, or at the centre of the map. */
export function ZonePanel(panel: {
  readonly tool: ZoneTool;
  setTool(tool: ZoneTool): void;
  view(): MapView | undefined;
  /** Why the zone that was drawn was refused; empty: it was not. */
  readonly refusal: string;
}) {
  const [radius, setRadius] = useState(USUAL_RADIUS_M);
  const [trouble, setTrouble] = useState('');
  const { tool, setTool } = panel;
  const fail = (error: unknown) => setTrouble(errorText(error));
  const placeAtCentre = (event: Event) => {
    event.preventDefault();
    const around = panel.view()?.center;
    setTrouble('');
    if (around !== undefined) addZone({ around, radiusM: radius }).catch(fail);
  };
  return (
    <details class="zones" open={zones.value.length > 0}>
      <summary>Dead zones ({zones.value.length})</summary>
      <Controls of="simulator">
        <p>
          {(['circle', 'polygon'] as const).map((name) => (
            <button
              key={name}
              type="button"
              aria-pressed={tool === name}
              onClick={() => setTool(tool === name ? 'none' : name)}
            >
              Draw a {name}
            </button>
          ))}
        </p>
        <form onSubmit={placeAtCentre}>
          <label>
            Radius in m{' '}
            <input
              type="number"
              min={1}
              max={100_000}
              value={radius}
              onInput={(event) => setRadius(Number(event.currentTarget.value))}
            />
          </label>{' '}
          <button type="submit">Place at centre</button>
        </form>
        <Trouble text={trouble || panel.refusal} />
        <ul>
          {zones.value.map(({ id, shape, boxes }) => (
            <li key={id}>
              {'around' in shape
                ? `Circle of ${Math.round(shape.radiusM)} m`
                : `Polygon of ${shape.polygon.length} corners`}
              , {boxes.length} {boxes.length === 1 ? 'vehicle' : 'vehicles'} inside{' '}
              <button type="button" onClick={() => void removeZone(id).catch(fail)}>
                Remove
              </button>
            </li>
          ))}
        </ul>
      </Controls>
    </details>
  );
}
