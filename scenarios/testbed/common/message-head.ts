const FIELD = Buffer.from('"vehicle_id":"');
const QUOTE = 0x22;

/**
 * Reads the head fields of messages without parsing all bodies, since few of many messages are needed. In messages of
 * one type the vehicle's id is nearly always at the same offset, which is tried first.
 */
export class MessageHeads {
  readonly #names = new Map<string, { readonly name: string; place: number }>();

  /** The name of the message and the id of its vehicle; empty when it has none. */
  read(type: string, body: Uint8Array): { readonly name: string; readonly vehicleId: string } {
    let known = this.#names.get(type);
    if (known === undefined) {
      known = { name: type.slice(type.lastIndexOf('.') + 1), place: 0 };
      this.#names.set(type, known);
    }
    const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
    const place = standsAt(bytes, known.place) ? known.place : bytes.indexOf(FIELD);
    if (place < 0) return { name: known.name, vehicleId: '' };
    known.place = place;
    const from = place + FIELD.byteLength;
    return { name: known.name, vehicleId: bytes.toString('latin1', from, bytes.indexOf(QUOTE, from)) };
  }
}

function standsAt(bytes: Uint8Array, place: number): boolean {
  for (let at = 0; at < FIELD.byteLength; at += 1) if (bytes[place + at] !== FIELD[at]) return false;
  return true;
}
