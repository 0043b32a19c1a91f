import { useEffect, useState } from 'preact/hooks';
import type { MessageNews, SeenMessage } from '../../stream/messages.ts';
import { listenTo } from './event-stream.ts';

const KEPT = 500;

/** A message with the time of its arrival at this page, by the page's own clock. */
export interface ShownMessage extends SeenMessage {
  readonly seenMs: number;
}

/** The received messages, the newest first. */
export interface MessagesState {
  readonly messages: readonly ShownMessage[];
  /** The status of the connection. */
  readonly state: string;
  /** The number of messages that the page was too slow for. */
  readonly leftOut: number;
}

/** Messages as they arrive at the console's subscription: of all vehicles, of one by its id, or (`none`) not at all. */
export function useMessages(of: 'all' | 'none' | { readonly vehicleId: string }): MessagesState {
  const [messages, setMessages] = useState<readonly ShownMessage[]>([]);
  const [state, setState] = useState('Connecting');
  const [leftOut, setLeftOut] = useState(0);
  const query = typeof of === 'string' ? of : `vehicle=${encodeURIComponent(of.vehicleId)}`;
  useEffect(() => {
    if (query === 'none') return undefined;
    const take = (news: MessageNews): void => {
      setState(news.state);
      setLeftOut((before) => before + news.leftOut);
      const seenMs = performance.now();
      const fresh = news.messages.map((message) => ({ ...message, seenMs }));
      setMessages((before) => [...fresh.toReversed(), ...before].slice(0, KEPT));
    };
    return listenTo({
      path: `/console/messages${query === 'all' ? '' : `?${query}`}`,
      // A reopened stream sends all that the console keeps, and a restarted console counts from 1.
      opened: () => {
        setMessages([]);
        setLeftOut(0);
      },
      events: { messages: (data) => take(data as MessageNews) },
      lost: () => setState('Connection lost, retrying'),
    });
  }, [query]);
  return { messages, state, leftOut };
}
