import { beforeAll, describe, expect, test } from 'vitest';
import { asyncApiDocument } from '../../backend/http/openapi/asyncapi.ts';
import { openTestService } from '../support/http/test-service.ts';
import { documentReader } from '../support/openapi/undescribed-parts.ts';

type Node = Readonly<Record<string, unknown>>;

describe('the reference', () => {
  let read: ReturnType<typeof documentReader>;

  beforeAll(async () => {
    const stage = await openTestService();
    read = documentReader((await (await stage.ask('GET', '/openapi.json')).json()) as Node);
  });

  test('describes every property, parameter, header and schema of the HTTP interface', () => {
    expect(read.undescribed()).toEqual([]);
  });

  test('describes every schema of the messages and every property in it', () => {
    const document = asyncApiDocument({ baseUrl: 'http://service.test' });
    const { schemas } = document['components'] as { schemas: Node };
    expect(documentReader(document).inSchemas(schemas)).toEqual([]);
  });
});
