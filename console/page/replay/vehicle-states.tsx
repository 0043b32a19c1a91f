import { CONNECTIVITY_LOOKS } from '../fleet/vehicle-colours.ts';
import type { RunIndex } from './run-index.ts';

/** Vehicles that are listed: enough to inspect a run of ten thousand. */
const MOST_ROWS = 300;

/** Each vehicle at the moment: session, journal, speed, messages that had arrived by then. */
export function VehicleStates(states: {
  readonly run: RunIndex;
  readonly atMs: number;
  readonly chosen: number | undefined;
  choose(vehicle: number | undefined): void;
}) {
  const { run, atMs, chosen } = states;
  const all = [...run.vehicles.values()];
  return (
    <section class="states" aria-label="Vehicles">
      <table>
        <thead>
          <tr>
            <th scope="col">Vehicle</th>
            <th scope="col">Session</th>
            <th scope="col">Backlog</th>
            <th scope="col">km/h</th>
            <th scope="col">Messages</th>
          </tr>
        </thead>
        <tbody>
          {all.slice(0, MOST_ROWS).map((vehicle) => {
            const connectivity = vehicle.connectivity.at(atMs);
            const look = connectivity === undefined ? undefined : CONNECTIVITY_LOOKS[connectivity];
            const isChosen = vehicle.number === chosen;
            return (
              <tr key={vehicle.number} data-vehicle={vehicle.number} class={isChosen ? 'differs' : ''}>
                <th scope="row">
                  <button
                    type="button"
                    aria-pressed={isChosen}
                    onClick={() => states.choose(isChosen ? undefined : vehicle.number)}
                  >
                    {vehicle.number} {vehicle.model}
                  </button>
                </th>
                <td data-of="session">
                  <span style={{ color: look?.colour }} aria-hidden="true">
                    {look?.sign}
                  </span>{' '}
                  {look?.name ?? '–'}
                </td>
                <td data-of="journal">{vehicle.held.at(atMs) ?? 0}</td>
                <td>{vehicle.places.at(atMs)?.speedKph ?? '–'}</td>
                <td data-of="messages">{vehicle.messages.at(atMs) ?? 0}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
      {all.length > MOST_ROWS && <p class="count">{all.length - MOST_ROWS} more vehicles are not listed</p>}
      <p class="count">Service: {run.service.at(atMs) ?? '–'}</p>
      <ul class="faults" aria-label="Active faults">
        {run.faults
          .filter(({ fromMs, toMs }) => fromMs <= atMs && (toMs === undefined || toMs > atMs))
          .slice(0, 20)
          .map((fault, index) => (
            <li key={`${fault.name}-${index}`} class="cause">
              {fault.name} {fault.detail}
              {fault.vehicles.length > 0 && ` of ${fault.vehicles.slice(0, 8).join(', ')}`}
            </li>
          ))}
      </ul>
    </section>
  );
}
