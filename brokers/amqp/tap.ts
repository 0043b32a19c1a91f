/** Watches the connections of a broker: their bytes as they pass, inside TLS where there is any. */
export interface AmqpTap {
  /** A connection was opened; `sever` ends it as a failing network does. */
  opened(connection: number, sever: () => void): void;
  /** Before the broker reads them; it does not if the connection is severed now. */
  received(connection: number, bytes: Uint8Array): void;
  sent(connection: number, bytes: Uint8Array): void;
  closed(connection: number): void;
}
