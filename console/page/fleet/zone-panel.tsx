import { useState } from 'preact/hooks';
import { layZone, liftZone, zones } from '../state/zones.ts';
import { Trouble } from '../trouble.tsx';
import type { MapView } from './map-projection.ts';

/** What the pointer draws on the map. */
export type ZoneTool = 'none' | 'circle' | 'polygon';

const USUAL_RADIUS_M = 400;

/** The dead zones with who is in them, and how new ones are made: by the pointer, or around the middle of the map. */
export function ZonePanel(panel: {
  readonly tool: ZoneTool;
  setTool(tool: ZoneTool): void;
  view(): MapView | undefined;
  /** Why one that was drawn could not be laid; empty: it was. */
  readonly drawn: string;
}) {
  const [radius, setRadius] = useState(USUAL_RADIUS_M);
  const [trouble, setTrouble] = useState('');
  const { tool, setTool } = panel;
  const tell = (error: unknown) => setTrouble(error instanceof Error ? error.message : String(error));
  const layInTheMiddle = (event: Event) => {
    event.preventDefault();
    const around = panel.view()?.center;
    setTrouble('');
    if (around !== undefined) layZone({ around, radiusM: radius }).catch(tell);
  };
  return (
    <details class="zones" open={zones.value.length > 0}>
      <summary>Dead zones ({zones.value.length})</summary>
      <p>
        {(['circle', 'polygon'] as const).map((name) => (
          <button
            key={name}
            type="button"
            aria-pressed={tool === name}
            onClick={() => setTool(tool === name ? 'none' : name)}
          >
            draw a {name}
          </button>
        ))}
      </p>
      <form onSubmit={layInTheMiddle}>
        <label>
          radius in m{' '}
          <input
            type="number"
            min={1}
            max={100_000}
            value={radius}
            onInput={(event) => setRadius(Number(event.currentTarget.value))}
          />
        </label>{' '}
        <button type="submit">Lay in the middle</button>
      </form>
      <Trouble text={trouble || panel.drawn} />
      <ul>
        {zones.value.map(({ id, shape, boxes }) => (
          <li key={id}>
            {'around' in shape
              ? `circle of ${Math.round(shape.radiusM)} m`
              : `polygon of ${shape.polygon.length} corners`}
            , {boxes.length} in it{' '}
            <button type="button" onClick={() => void liftZone(id).catch(tell)}>
              lift
            </button>
          </li>
        ))}
      </ul>
    </details>
  );
}
