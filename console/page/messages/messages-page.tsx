import { address, setParams } from '../state/address.ts';
import { useFacts } from '../state/use-facts.ts';
import { useMessages } from '../state/use-messages.ts';
import { Trouble } from '../trouble.tsx';

/** The messages of the fleet as they arrive at a subscription of the console's own. */
export function MessagesPage() {
  const { hasMessages } = useFacts() ?? {};
  const { messages, state, leftOut } = useMessages(hasMessages === true ? 'all' : 'none');
  const find = address.value.params['find'] ?? '';
  const words = find
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  const shown = messages.filter((message) => {
    const text = `${message.type} ${message.vehicleId} ${message.queue} ${message.messageId}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
  return (
    <main class="messages">
      <h2>Messages</h2>
      <Trouble
        text={hasMessages === false ? 'This fleet runs without a service, so there are no messages.' : ''}
      />
      <label class="find">
        <span>Find</span>
        <input
          type="search"
          value={find}
          placeholder="Type, vehicle, queue, message ID"
          onInput={(event) => setParams({ find: event.currentTarget.value })}
        />
      </label>
      <p class="count" role="status">
        {state} · {words.length === 0 ? messages.length : `${shown.length} of ${messages.length}`}
        {leftOut > 0 && ` · ${leftOut} left out`}
      </p>
      <ol>
        {shown.map((message) => (
          <li key={message.number}>
            <details>
              <summary>
                <time>{message.at.slice(11, 23)}</time> <strong>{message.type}</strong> {message.vehicleId}{' '}
                <span class="quiet">
                  {message.queue}
                  {message.redelivered && ', redelivered'}
                </span>
              </summary>
              <pre>{JSON.stringify({ headers: message.headers, body: message.body }, null, 2)}</pre>
            </details>
          </li>
        ))}
      </ol>
    </main>
  );
}
