import { useEffect, useState } from 'preact/hooks';
import type { VehiclePicture } from '../../stream/vehicle-picture.ts';
import { FaultPanel } from '../faults/fault-panel.tsx';
import { address, hashOf, setParams } from '../state/address.ts';
import { ask } from '../state/ask.ts';
import { consoleFacts } from '../state/facts.ts';
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
    let timer: ReturnType<typeof setTimeout> | undefined;
    const look = async () => {
      // A page that nobody sees asks for nothing.
      if (document.visibilityState === 'visible') {
        try {
          const found = await ask<VehiclePicture>(`/console/vehicles/${boxId}`);
          if (isOver) return;
          setPicture(found);
          setTrouble('');
        } catch (error) {
          if (!isOver) setTrouble(error instanceof Error ? error.message : String(error));
        }
      }
      if (!isOver) timer = setTimeout(() => void look(), LOOK_MS);
    };
    void look();
    return () => {
      isOver = true;
      clearTimeout(timer);
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
