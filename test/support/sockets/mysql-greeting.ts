/** What a server of MySQL or MariaDB says first: its length depends on what it calls its version (MySQL's HandshakeV10). */
export function mysqlGreeting(version: string): Buffer {
  const body = Buffer.concat([
    Buffer.from([10]),
    Buffer.from(`${version}\0`),
    // the connection's number, the first part of the salt, and a zero
    Buffer.from([9, 0, 0, 0, ...Buffer.from('Vj4bq5O!'), 0]),
    // abilities, character set, status, abilities, length of the salt
    Buffer.from([0xfe, 0xf7, 0x2d, 0x02, 0x00, 0xff, 0x81, 0x15]),
    Buffer.alloc(10),
    Buffer.from('pc$#&1e,IiXZ\0mysql_native_password\0'),
  ]);
  return mysqlPacket(0, body);
}

/** A packet of that protocol, by its place in the conversation. */
export function mysqlPacket(place: number, body: Uint8Array): Buffer {
  const head = Buffer.alloc(4);
  head.writeUIntLE(body.length, 0, 3);
  head.writeUInt8(place, 3);
  return Buffer.concat([head, body]);
}
