import { address } from '../state/address.ts';
import { VehiclePanel } from '../vehicle/vehicle-panel.tsx';
import { FleetMap } from './fleet-map.tsx';
import { VehicleList } from './vehicle-list.tsx';

/** List, map, and the selected vehicle next to them. */
export function FleetPage() {
  const boxId = address.value.params['vehicle'] ?? '';
  return (
    <main class={boxId === '' ? 'fleet' : 'fleet with-vehicle'}>
      <VehicleList chosen={boxId} />
      <FleetMap chosen={boxId} />
      {boxId !== '' && <VehiclePanel key={boxId} boxId={boxId} />}
    </main>
  );
}
