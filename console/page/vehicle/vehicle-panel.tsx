import { useEffect, useState } from 'preact/hooks';
import type { VehiclePicture } from '../../stream/vehicle-picture.ts';
import { FaultPanel } from '../faults/fault-panel.tsx';
import { address, hashOf, setParams } from '../state/address.ts';
import { ask } from '../state/ask.ts';
import { consoleFacts } from '../state/facts.ts';
import { lookWhileSeen } from '../state/look-while-seen.ts';
import { useMessages } from '../state/use-messages.ts';
import { Trouble } from '../trouble.tsx';
import { BoxState } from './box-state.tsx';
import { ComparisonTable } from './comparison-table.tsx';
import { Doing } from './doing.tsx';
import { RecordsTable } from './records-table.tsx';
import { Timeline } from './timeline.tsx';
import { useWire } from './use-wire.ts';
import { WireLog } from './wire-log.tsx';

const LOOK_MS = 1_000;

/** What is so, what the box believes and what the service says of one vehicle, and what can be done with it. */
export function VehiclePanel({ boxId }: { readonly boxId: string }) {
  const [picture, setPicture] = useState<VehiclePicture>();
  const [trouble, setTrouble] = useState('');
  const wire = useWire(boxId);
  const isRecordsOpen = address.value.params['records'] === 'on';
  const vehicleId = picture?.vehicleId ?? undefined;
  const [hasMessages, setHasMessages] = useState(false);
  useEffect(() => {
    consoleFacts().then(
      (facts) => setHasMessages(facts.hasMessages),
      () => undefined,
    );
  }, []);
  // A subscription costs the broker a queue: only who looks at records has one.
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
    const end = lookWhileSeen(LOOK_MS, look);
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
          <a href={hashOf({ page: 'messages', params: { vehicle: boxId, find: picture.vehicleId } })}>
            its messages
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
          <Doing picture={picture} />
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
