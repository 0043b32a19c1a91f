import type { DbcDatabase, DbcMessage, DbcSignal } from './database.ts';

type Mutable<Type> = { -readonly [Name in keyof Type]: Type[Name] };

/** A signal that later statements may still add to. */
export interface SignalDraft extends Omit<Mutable<DbcSignal>, 'values'> {
  values: Map<number, string>;
}

/** A message with its signals by name; of two with one name the first stays. */
export interface MessageDraft extends Omit<Mutable<DbcMessage>, 'signals'> {
  signals: Map<string, SignalDraft>;
}

/** The content of a file read so far. Messages are found by their number as the file writes it. */
export class DatabaseDraft {
  version = '';
  nodes: readonly string[] = [];
  readonly messages = new Map<number, MessageDraft>();
  signalCount = 0;

  signalOf(id: number, name: string): SignalDraft | undefined {
    return this.messages.get(id)?.signals.get(name);
  }

  finished(): DbcDatabase {
    const messages = [...this.messages.values()].map((one) => ({
      ...one,
      signals: [...one.signals.values()],
    }));
    return { version: this.version, nodes: this.nodes, messages };
  }
}
