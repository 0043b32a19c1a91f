import { beforeAll, describe, expect, test } from 'vitest';
import { asyncApiDocument } from '../../backend/events/asyncapi.ts';
import { openStage } from '../unit/backend/http/stage.ts';
import { reader } from './undescribed.ts';

type Node = Readonly<Record<string, unknown>>;

describe('the reference', () => {
  let read: ReturnType<typeof reader>;

  beforeAll(async () => {
    const stage = await openStage();
    read = reader((await (await stage.ask('GET', '/openapi.json')).json()) as Node);
  });

  test('describes every property, parameter, header and schema of the HTTP interface', () => {
    expect(read.undescribed()).toEqual([]);
  });

  test('describes every schema of the messages and every property in it', () => {
    const document = asyncApiDocument({ baseUrl: 'http://service.test' });
    const { schemas } = document['components'] as { schemas: Node };
    expect(reader(document).inSchemas(schemas)).toEqual([]);
  });
});
