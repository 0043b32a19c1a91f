import { useMemo, useRef, useState } from 'preact/hooks';
import { address, setParams } from '../state/address.ts';
import { fleetVersion, vehicles, type WatchedVehicle } from '../state/fleet.ts';
import { CONNECTIVITY_LOOKS } from './vehicle-colours.ts';
import { makeVehicleFilter } from './vehicle-filter.ts';
import { WeatherChoice } from './weather-choice.tsx';

const ROW_PX = 30;
/** Rows that are drawn beyond the visible ones. */
const SPARE_ROWS = 8;

/** All vehicles that match the filter. Of ten thousand only the visible ones are in the document. */
export function VehicleList({ chosen }: { readonly chosen: string }) {
  const [top, setTop] = useState(0);
  const frame = useRef<HTMLDivElement>(null);
  const find = address.value.params['find'] ?? '';
  const version = fleetVersion.value;
  const shown = useMemo(() => sortedVehicles(find), [find, version]);
  const height = frame.current?.clientHeight ?? 600;
  const first = Math.max(0, Math.floor(top / ROW_PX) - SPARE_ROWS);
  const last = Math.min(shown.length, Math.ceil((top + height) / ROW_PX) + SPARE_ROWS);

  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10 }[event.key];
    if (step === undefined || shown.length === 0) return;
    event.preventDefault();
    const at = shown.findIndex(({ boxId }) => boxId === chosen);
    const next = Math.min(shown.length - 1, Math.max(0, at + step));
    choose(shown[next]?.boxId ?? '');
    const list = frame.current;
    if (list === null) return;
    if (next * ROW_PX < list.scrollTop) list.scrollTop = next * ROW_PX;
    if ((next + 1) * ROW_PX > list.scrollTop + list.clientHeight)
      list.scrollTop = (next + 1) * ROW_PX - list.clientHeight;
  };

  return (
    <section class="list" aria-label="Vehicles">
      <label class="find">
        <span>Find</span>
        <input
          type="search"
          value={find}
          placeholder="ID, plate, model, offline, moving, backlog"
          onInput={(event) => setParams({ find: event.currentTarget.value })}
        />
      </label>
      <p class="count">
        <span role="status">
          {shown.length} of {vehicles.size}
        </span>{' '}
        <WeatherChoice />
      </p>
      <div
        ref={frame}
        class="rows"
        role="listbox"
        aria-label="Matching vehicles"
        aria-activedescendant={chosen === '' ? undefined : `box-${chosen}`}
        tabIndex={0}
        onScroll={(event) => setTop(event.currentTarget.scrollTop)}
        onKeyDown={onKeyDown}
      >
        <div style={{ height: `${shown.length * ROW_PX}px`, position: 'relative' }}>
          {shown.slice(first, last).map((vehicle, index) => (
            <VehicleRow
              key={vehicle.boxId}
              vehicle={vehicle}
              isChosen={vehicle.boxId === chosen}
              topPx={(first + index) * ROW_PX}
            />
          ))}
        </div>
      </div>
    </section>
  );
}

function VehicleRow(row: {
  readonly vehicle: WatchedVehicle;
  readonly isChosen: boolean;
  readonly topPx: number;
}) {
  const { boxId, vehicleId, connectivity, heldRecords, model, speedKph, licensePlate } = row.vehicle;
  const { name, colour, sign, meaning } = CONNECTIVITY_LOOKS[connectivity];
  return (
    <div
      id={`box-${boxId}`}
      class="row"
      role="option"
      aria-selected={row.isChosen}
      tabIndex={-1}
      style={{ top: `${row.topPx}px`, height: `${ROW_PX}px` }}
      onClick={() => choose(boxId)}
      onKeyDown={(event) => event.key === 'Enter' && choose(boxId)}
    >
      <span style={{ color: colour }} title={`${name}: ${meaning}`} aria-hidden="true">
        {sign}
      </span>
      <span class="id">{vehicleId ?? boxId.slice(0, 6)}</span>
      <span class="state">{name}</span>
      <span class="held" title="Backlog: records in the journal">
        {heldRecords}
      </span>
      <span class="speed">{speedKph > 0 ? `${Math.round(speedKph)} km/h` : 'Parked'}</span>
      <span class="model" title={licensePlate}>
        {model}
      </span>
    </div>
  );
}

function choose(boxId: string): void {
  setParams({ vehicle: boxId });
}

function sortedVehicles(find: string): readonly WatchedVehicle[] {
  return [...vehicles.values()]
    .filter(makeVehicleFilter(find))
    .sort((a, b) => ((a.vehicleId ?? `~${a.boxId}`) < (b.vehicleId ?? `~${b.boxId}`) ? -1 : 1));
}
