import type { BoxSummary } from '../../stream/vehicle-picture.ts';
import type { MessagesState } from '../state/use-messages.ts';
import { type RecordWay, recordWays } from './record-ways.ts';
import type { WireLine } from './use-wire.ts';

const SHOWN = 40;

/** The ways of the latest records: from the flash of the box, over the link, to the service and into the queue. */
export function RecordsTable(parts: {
  readonly lines: readonly WireLine[];
  readonly read: MessagesState;
  readonly hasMessages: boolean;
  readonly journal: BoxSummary['journal'];
  readonly isOpen: boolean;
  toggle(isOpen: boolean): void;
}) {
  const { lines, read, isOpen } = parts;
  const ways = isOpen ? recordWays(lines, read.messages).slice(0, SHOWN) : [];
  return (
    <details
      class="records"
      open={isOpen}
      onToggle={(event) => parts.toggle((event.currentTarget as HTMLDetailsElement).open)}
    >
      <summary>Records, from flash to queue</summary>
      <p class={parts.hasMessages ? 'count' : 'silence'} role="status">
        {parts.hasMessages ? `Messages: ${read.state}` : 'This fleet runs without a message broker.'}
      </p>
      <p class="count">{waitingText(parts.journal)}</p>
      <table>
        <thead>
          <tr>
            <th scope="col">Record</th>
            <th scope="col">Recorded</th>
            <th scope="col">Sent after</th>
            <th scope="col">Receipt after</th>
            <th scope="col">In the queue after</th>
          </tr>
        </thead>
        <tbody>
          {ways.map((way) => (
            <Way key={way.key} way={way} />
          ))}
        </tbody>
      </table>
    </details>
  );
}

/** The contents of the box's journal: a record that was never sent is in no frame yet. */
function waitingText({ held, awaitingReceipt, ...kinds }: BoxSummary['journal']): string {
  if (held === 0) return 'The backlog (journal) of the box is empty.';
  const parts = Object.entries(kinds).flatMap(([kind, count]) => (count === 0 ? [] : [`${count} ${kind}`]));
  return `Backlog (journal) of the box: ${held} (${parts.join(', ')}), of them ${held - awaitingReceipt} not sent yet.`;
}

function Way({ way }: { readonly way: RecordWay }) {
  const { sequence, kind, recordedAt, sentAt, receiptAt, messages } = way;
  const from = recordedAt ?? sentAt[0];
  return (
    <tr data-record={sequence} class={receiptAt === undefined ? 'waits' : ''}>
      <th scope="row">
        #{sequence} {kind}
      </th>
      <td>{recordedAt?.slice(11, 23) ?? 'clock not set'}</td>
      <td>
        {spanText(from, sentAt[0])}
        {sentAt.length > 1 && `, ${sentAt.length} times`}
      </td>
      <td>{receiptAt === undefined ? 'not yet' : spanText(from, receiptAt)}</td>
      <td>
        {messages.map(({ type, at }, index) => (
          <span key={`${index}-${type}`} title={type}>
            {index > 0 && ', '}
            {type === 'VehicleStateReceived' ? '' : `${type} `}
            {spanText(from, at)}
          </span>
        ))}
      </td>
    </tr>
  );
}

/** `0.12 s`; a clock that is off may make it negative. */
function spanText(from: string | undefined, to: string | undefined): string {
  if (from === undefined || to === undefined) return '';
  return `${((Date.parse(to) - Date.parse(from)) / 1_000).toFixed(2)} s`;
}
