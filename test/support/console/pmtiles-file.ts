/**
 * A PMTiles file (version 3) with one tile of vectors, the whole world, which is a single polygon in a layer of that name.
 * https://github.com/protomaps/PMTiles/blob/main/spec/v3/spec.md, and the Mapbox Vector Tile specification 2.1.
 */
export function pmtilesOf(layer: string): Uint8Array {
  const tile = tileOf(layer);
  const metadata = new TextEncoder().encode(JSON.stringify({ vector_layers: [{ id: layer, fields: {} }] }));
  // One entry: tile 0, once, of that length, at the beginning of the data.
  const directory = Uint8Array.of(
    ...varint(1),
    ...varint(0),
    ...varint(1),
    ...varint(tile.length),
    ...varint(1),
  );
  const header = new DataView(new ArrayBuffer(127));
  [...'PMTiles'].forEach((letter, at) => {
    header.setUint8(at, letter.charCodeAt(0));
  });
  header.setUint8(7, 3);
  const parts = [directory, metadata, new Uint8Array(), tile];
  let offset = header.byteLength;
  parts.forEach((part, index) => {
    header.setBigUint64(8 + index * 16, BigInt(offset), true);
    header.setBigUint64(16 + index * 16, BigInt(part.length), true);
    offset += part.length;
  });
  for (const at of [72, 80, 88]) header.setBigUint64(at, 1n, true);
  // Clustered; neither the directory nor the tiles are compressed; vector tiles.
  [1, 1, 1, 1].forEach((value, at) => {
    header.setUint8(96 + at, value);
  });
  [-1_800_000_000, -850_000_000, 1_800_000_000, 850_000_000].forEach((value, at) => {
    header.setInt32(102 + at * 4, value, true);
  });
  return Uint8Array.from([new Uint8Array(header.buffer), ...parts].flatMap((part) => [...part]));
}

/** One polygon over all of the tile's 4096 units. */
function tileOf(layer: string): Uint8Array {
  const moveTo = [9, 0, 0];
  const lineTo = [26, 8192, 0, 0, 8192, 8191, 0];
  const geometry = [...moveTo, ...lineTo, 15].flatMap(varint);
  const feature = [...field(3, 0), ...varint(3), ...bytes(4, geometry)];
  const name = [...new TextEncoder().encode(layer)];
  return Uint8Array.from(
    bytes(3, [
      ...[...field(15, 0), ...varint(2)],
      ...bytes(1, name),
      ...bytes(2, feature),
      ...[...field(5, 0), ...varint(4096)],
    ]),
  );
}

function field(number: number, type: number): number[] {
  return varint((number << 3) | type);
}

function bytes(number: number, content: readonly number[]): number[] {
  return [...field(number, 2), ...varint(content.length), ...content];
}

function varint(value: number): number[] {
  return value < 128 ? [value] : [(value & 127) | 128, ...varint(value >>> 7)];
}
