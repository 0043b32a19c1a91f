import { effect } from '@preact/signals';
import type { Map as MapLibre } from 'maplibre-gl';
import { useEffect, useRef, useState } from 'preact/hooks';
import { errorText } from '../../../world/error-text.ts';
import { address, setParams } from '../state/address.ts';
import { lookAtCoverage } from '../state/coverage.ts';
import { fleetVersion, vehicles } from '../state/fleet.ts';
import { useFacts } from '../state/use-facts.ts';
import { drawnZone, loadZones, zones } from '../state/zones.ts';
import { fitFleet, openGroundMap } from './ground-map.ts';
import { MapLegend } from './map-legend.tsx';
import { styleOf } from './map-style.ts';
import { VehicleLayer } from './vehicle-layer.ts';
import { ZoneDrawing } from './zone-drawing.tsx';
import { ZonePanel, type ZoneTool } from './zone-panel.tsx';

/** The map: streets of the routes on a plain ground or on the user's, and the vehicles above it. */
export function FleetMap({ chosen }: { readonly chosen: string }) {
  const frame = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const [layer, setLayer] = useState<VehicleLayer>();
  const [tool, setTool] = useState<ZoneTool>('none');
  const [zoneTrouble, setZoneTrouble] = useState('');
  const [trouble, setTrouble] = useState('');

  const base = useFacts()?.map;

  useEffect(() => {
    if (base === undefined) return undefined;
    let isOver = false;
    let stop = () => {};
    const open = async () => {
      const isDark = matchMedia('(prefers-color-scheme: dark)').matches;
      const style = await styleOf(base, isDark).catch((error: unknown) => {
        setTrouble(`The map cannot be shown: ${errorText(error)}`);
        return styleOf({ kind: 'plain' }, isDark);
      });
      if (isOver || frame.current === null || canvas.current === null) return;
      const map = openGroundMap(frame.current, style);
      map.on('error', ({ error }) => setTrouble(`The map cannot be shown in full: ${error.message}`));
      const drawn = new VehicleLayer(canvas.current, map);
      setLayer(drawn);
      stop = watched(map, drawn);
    };
    open().catch((error: unknown) => setTrouble(errorText(error)));
    return () => {
      isOver = true;
      stop();
    };
  }, [base]);

  useEffect(() => {
    layer?.choose(chosen);
  }, [layer, chosen]);

  return (
    <section class="map" aria-label="Map">
      <div ref={frame} class="ground" />
      <canvas
        ref={canvas}
        class="vehicles"
        role="img"
        aria-label="Vehicles on the map; the list has them as text"
      />
      <ZoneDrawing
        tool={tool}
        view={() => layer?.view()}
        done={() => setTool('none')}
        refused={setZoneTrouble}
      />
      <ZonePanel tool={tool} setTool={setTool} view={() => layer?.view()} refusal={zoneTrouble} />
      <MapLegend trouble={trouble} />
    </section>
  );
}

/** Keeps the layer up to date with the page's data; the returned function ends both. */
function watched(map: MapLibre, layer: VehicleLayer): () => void {
  map.on('click', ({ point }) => {
    const boxId = layer.nearest(point.x, point.y);
    if (boxId !== undefined) setParams({ vehicle: boxId });
  });
  const isCoverageShown = () => address.value.params['coverage'] === 'on';
  const look = () => {
    const shown = map.getBounds();
    const bounds = {
      west: shown.getWest(),
      south: shown.getSouth(),
      east: shown.getEast(),
      north: shown.getNorth(),
    };
    void lookAtCoverage(isCoverageShown() ? bounds : undefined);
  };
  map.on('moveend', () => {
    if (isCoverageShown()) look();
  });
  loadZones().catch(() => undefined);
  let hasFitted = false;
  let wasShown: boolean | undefined;
  const ends = [
    effect(() => {
      void [zones.value, drawnZone.value];
      layer.changed();
    }),
    effect(() => {
      layer.colourBy(address.value.params['colour']);
      if (isCoverageShown() === wasShown) return;
      wasShown = isCoverageShown();
      look();
    }),
    fleetVersion.subscribe(() => {
      layer.changed();
      if (hasFitted || vehicles.size === 0) return;
      hasFitted = true;
      fitFleet(map);
    }),
  ];
  return () => {
    for (const end of ends) end();
    layer.stop();
    map.remove();
  };
}
