import { useEffect, useState } from 'preact/hooks';
import type { VehiclePicture } from '../../stream/vehicle-picture.ts';
import { FaultPanel } from '../faults/fault-panel.tsx';
import { address, hashOf, setParams } from '../state/address.ts';
import { ask } from '../state/ask.ts';
import { pollWhileVisible } from '../state/poll-while-visible.ts';
import { useFacts } from '../state/use-facts.ts';
import { useMessages } from '../state/use-messages.ts';
import { Trouble } from '../trouble.tsx';
import { ActionPanel } from './action-panel.tsx';
import { ComparisonTable } from './comparison-table.tsx';
import { RecordsTable } from './records-table.tsx';
import { Timeline } from './timeline.tsx';
import { useWire } from './use-wire.ts';
import { WireLog } from './wire-log.tsx';

const LOOK_MS = 1_000;

/** The truth, the box's belief and the service's state of one vehicle, and the actions on it. */
export function VehiclePanel({ boxId }: { readonly boxId: string }) {
  const [picture, setPicture] = useState<VehiclePicture>();
  const [trouble, setTrouble] = useState('');
  const wire = useWire(boxId);
  const isRecordsOpen = address.value.params['records'] === 'on';
  const vehicleId = picture?.vehicleId ?? undefined;
  const hasMessages = useFacts()?.hasMessages === true;
  // A subscription costs the broker a queue: only a page that shows records has one.
  const isRead = isRecordsOpen && hasMessages && vehicleId !== undefined;
  const read = useMessages(isRead ? { vehicleId } : 'none');

  useEffect(() => {
    let isOver = false;
    const look = () =>
      ask<VehiclePicture>(`/console/vehicles/${boxId}`).then(
        (found) => {
          if (isOver) return;
          setPicture(found);
          setTrouble('');
        },
        ({ message }: Error) => {
          if (!isOver) setTrouble(message);
        },
      );
    const end = pollWhileVisible(LOOK_MS, look);
    return () => {
      isOver = true;
      end();
    };
  }, [boxId]);

  return (
    <aside class="vehicle" aria-label="Vehicle">
      <div class="title">
        <h2>
          {picture?.vehicleId ?? picture?.boxId ?? boxId} <small>{picture?.model}</small>
        </h2>
        {picture?.vehicleId != null && (
          <a
            href={hashOf({ page: 'messages', params: { vehicle: boxId, find: picture.vehicleId } })}
            aria-label="Messages of this vehicle"
          >
            Messages
          </a>
        )}
        <button type="button" onClick={() => setParams({ vehicle: '' })} aria-label="Close the vehicle">
          ×
        </button>
      </div>
      <Trouble text={trouble} />
      {picture !== undefined && (
        <>
          <BoxState picture={picture} />
          <Timeline boxId={boxId} lines={wire.lines} messages={read.messages} />
          <ActionPanel picture={picture} />
          <FaultPanel boxId={boxId} />
          <ComparisonTable picture={picture} />
          <RecordsTable
            lines={wire.lines}
            read={read}
            journal={picture.box.journal}
            hasMessages={hasMessages}
            isOpen={isRecordsOpen}
            toggle={(isOpen) => setParams({ records: isOpen ? 'on' : '' })}
          />
          <WireLog {...wire} />
        </>
      )}
    </aside>
  );
}

/** The vehicle, its driver and its box, as pairs of name and value. */
function BoxState({ picture }: { readonly picture: VehiclePicture }) {
  const { box, licensePlate, vin, route, driving } = picture;
  const { journal } = box;
  const rows: readonly (readonly [string, string])[] = [
    ['Plate, VIN', `${licensePlate}, ${vin}`],
    ['Driver', `${driving} on ${route}`],
    ['Box', `${picture.boxId}, firmware ${box.firmware}, power ${box.power}`],
    [
      'Link',
      `${box.session}; modem ${box.modem}${box.network === '' ? '' : ` at ${box.network}`}; SIM ${box.sim}`,
    ],
    [
      'Backlog (journal)',
      `${journal.held} records: ${journal.report} reports, ${journal.event} events, ${journal.reply} replies; ${journal.awaitingReceipt} await a receipt`,
    ],
    ['Clock', box.clockErrorMs === undefined ? 'unknown' : `${box.clockErrorMs} ms off`],
    ...(box.commandInProgress === undefined ? [] : [['Command', box.commandInProgress] as const]),
    ...(box.workshopMode ? [['Workshop', 'does not use the diagnostic port'] as const] : []),
    ...(box.fault === undefined ? [] : [['Fault', box.fault] as const]),
  ];
  return (
    <dl class="pairs">
      {rows.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd data-name={name}>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
