import { Client } from 'pg';
import type { IngestBatch } from '../../../backend/store/port/ingest-store.ts';
import { arrayParameter } from '../../../backend/store/postgres/array-bytes.ts';
import type { SqlList } from '../../../backend/store/statements/statement.ts';

/** The statements that write a batch, and nothing more: no version is looked at, nothing is counted or bounded. */
const WRITES = {
  boxes: `
    update boxes b set version = c.version, last_contact_ms = c.last_contact_ms, journal = c.journal, state = c.state
    from unnest($1::text[], $2::bigint[], $3::bigint[], $4::text[], $5::text[])
      as c (id, version, last_contact_ms, journal, state)
    where b.id = c.id`,
  records: `
    insert into records (box_id, epoch, sequence, kind, clock_ms, received_ms, message_id, lost)
    select * from unnest($1::text[], $2::bigint[], $3::bigint[], $4::text[], $5::bigint[], $6::bigint[], $7::text[],
      $8::bigint[])`,
  outbox: `
    insert into outbox
      (position, partition, message_id, vehicle_id, fleet_id, name, version, flow_id, created_ms, body)
    select * from unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[],
      $9::bigint[], $10::text[])`,
} as const;

let positions = 0;

/** Writes batches by the driver alone, one transaction each. */
export async function bareWriter(
  place: string,
): Promise<{ write(batch: IngestBatch): Promise<void>; end(): Promise<void> }> {
  const client = new Client({ connectionString: place });
  await client.connect();
  const run = (name: keyof typeof WRITES, values: readonly SqlList[]) =>
    client.query({ name, text: WRITES[name], values: values.map((list) => arrayParameter(list)) });

  return {
    async write({ boxes, records, messages }) {
      await client.query('begin');
      await run('boxes', [
        boxes.map(({ boxId }) => boxId),
        boxes.map(({ version }) => version + 1),
        boxes.map(({ lastContactMs }) => lastContactMs ?? null),
        boxes.map(({ journal }) => JSON.stringify(journal)),
        boxes.map(({ stateText }) => stateText ?? null),
      ]);
      await run('records', [
        records.map(({ boxId }) => boxId),
        records.map(({ epoch }) => epoch),
        records.map(({ sequence }) => sequence),
        records.map(({ kind }) => kind),
        records.map(({ clockMs }) => clockMs),
        records.map(({ receivedMs }) => receivedMs),
        records.map(({ messageId }) => messageId ?? null),
        records.map(({ lost }) => lost),
      ]);
      await run('outbox', [
        messages.map(() => {
          positions += 1;
          return positions;
        }),
        messages.map(({ partition }) => partition),
        messages.map(({ messageId }) => messageId),
        messages.map(({ vehicleId }) => vehicleId),
        messages.map(({ fleetId }) => fleetId),
        messages.map(({ name }) => name),
        messages.map(({ version }) => version),
        messages.map(({ flowId }) => flowId),
        messages.map(({ createdMs }) => createdMs),
        messages.map(({ body }) => body),
      ]);
      await client.query('commit');
    },
    end: () => client.end(),
  };
}
