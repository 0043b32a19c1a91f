import type { WarnRefusal } from '../refusal-log.ts';
import { mayPublish, maySubscribe } from './rules.ts';
import type { MqttSignIn } from './sign-in.ts';

/** A connection of the broker: a client of aedes, or a session within this process. */
export interface Connection {
  readonly id: string;
}

/** The topic rules, for connections with a socket and without one. Each refusal is logged. */
export interface Authorizers {
  /** Whether it may publish on this topic, directly or as its will. */
  mayPublish(connection: Connection | null, topic: string, isRetained: boolean): boolean;
  maySubscribe(connection: Connection, filter: string): boolean;
  /** Whether its publications may wait while the service is behind: those of boxes may, commands may not. */
  mayWait(connection: Connection): boolean;
}

export function makeAuthorizers(signIn: MqttSignIn, warn: WarnRefusal): Authorizers {
  return {
    mayPublish(connection, topic, isRetained) {
      const account = connection === null ? undefined : signIn.accountOf(connection);
      if (account !== undefined && mayPublish(account, topic, isRetained)) return true;
      warn(connection?.id ?? '', 'it may not publish on this topic', 'A publication was refused.');
      return false;
    },
    maySubscribe(connection, filter) {
      const account = signIn.accountOf(connection);
      if (account !== undefined && maySubscribe(account, filter)) return true;
      warn(connection.id, 'it may not subscribe this filter', 'A subscription was refused.');
      return false;
    },
    mayWait: (connection) => signIn.accountOf(connection)?.kind === 'box',
  };
}
