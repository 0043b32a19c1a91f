import fc from 'fast-check';
import { expect, test } from 'vitest';
import { answersOf, boxId, onboarded, openThreeFleets, putInStock } from '../support/backend/three-fleets.ts';
import { anyCharacter } from '../support/run/any-character.ts';

/** What any client may try with the records of vehicles. The stage holds every answer against the document. */
const name = fc.constantFrom(
  'vin',
  'license_plate',
  'custom_name',
  'fuel_type',
  'year_of_production',
  'wheels',
);
const word = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 70 }),
  fc.constantFrom('WVWZZZ1JZXW000002', 'PETROL', 'GARAGE', '', '\u0000', '\ud800'),
);
const leaf = fc.oneof(word, fc.integer(), fc.double(), fc.boolean(), fc.constant(null), fc.array(word));
const patch = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.dictionary(
      fc.constantFrom(
        'master_data',
        'custom_fields',
        'tags',
        'operation_status',
        'rental_status',
        '__proto__',
        'id',
      ),
      fc.oneof(
        leaf,
        fc.dictionary(fc.oneof(name, word, fc.constantFrom('value', 'constructor')), leaf, { maxKeys: 4 }),
      ),
      { maxKeys: 4 },
    ),
  },
  { weight: 1, arbitrary: fc.jsonValue() },
);

test('a patch of any shape is a 200 that shows it, or a refusal that changes nothing; never a 500', async () => {
  const { stage, owner } = await openThreeFleets();
  const path = `/vehicles/${await onboarded(owner)}`;
  await fc.assert(
    fc.asyncProperty(patch, fc.option(word), async (body, condition) => {
      const header = condition === null ? undefined : condition.replaceAll(/[^\x20-\x7e]/g, '?').trim();
      const before = await owner.send('GET', path);
      const ifMatch = header === undefined ? {} : { 'if-match': header };
      const answer = await owner.send('PATCH', path, JSON.stringify(body), ifMatch);
      expect([200, 400, 412]).toContain(answer.status);
      const after = await owner.send('GET', path);
      if (answer.status === 200) expect(after.body).toEqual(answer.body);
      else {
        expect(after.body).toEqual(before.body);
        expect(after.headers.get('etag')).toBe(before.headers.get('etag'));
      }
    }),
    { numRuns: 150 },
  );
  expect(stage.complaints).toEqual([]);
});

test('a valid patch gives the result of a merge, field by field', async () => {
  const { owner } = await openThreeFleets();
  const path = `/vehicles/${await onboarded(owner)}`;
  const model: Record<string, string> = {};
  const key = fc.constantFrom('a', 'b', 'c', 'constructor', 'toString', 'x.y-z');
  await fc.assert(
    fc.asyncProperty(fc.dictionary(key, fc.option(fc.string({ maxLength: 20 }))), async (fields) => {
      for (const [field, value] of Object.entries(fields)) {
        if (value === null) delete model[field];
        else model[field] = value;
      }
      const answer = await owner.send('PATCH', path, { custom_fields: fields });
      expect(answer.status).toBe(200);
      expect(answer.body['custom_fields']).toEqual(model);
    }),
    { numRuns: 80 },
  );
});

test('of any number of concurrent changes of one version exactly one succeeds', async () => {
  const { stage, owner } = await openThreeFleets();
  const path = `/vehicles/${await onboarded(owner)}`;
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 2, max: 6 }), async (count) => {
      const ifMatch = { 'if-match': (await owner.send('GET', path)).headers.get('etag') ?? '' };
      const tags = Array.from({ length: count }, (_, index) => `t${index}`);
      const started = tags.map((tag) => owner.start('PATCH', path, { tags: [tag] }, ifMatch));
      const answers = await answersOf(stage, started);
      const won = answers.filter((answer) => answer.status === 200);
      expect(won).toHaveLength(1);
      expect(answers.filter((answer) => answer.status === 412)).toHaveLength(count - 1);
      expect((await owner.send('GET', path)).body['tags']).toEqual(won[0]?.body['tags']);
    }),
    { numRuns: 20 },
  );
});

test('paging returns every vehicle that remains exactly once, while others are added and removed', async () => {
  const { stage, owner } = await openThreeFleets();
  const count = 12;
  for (let n = 10; n < 10 + count; n += 1) await putInStock(stage, boxId(n));
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 4 }),
      fc.infiniteStream(fc.integer({ min: 0, max: count - 1 })),
      async (limit, choices) => {
        const present = new Map<number, string>();
        for (let n = 0; n < count; n += 2) present.set(n, await onboarded(owner, boxId(10 + n)));
        const stay = new Set(present.values());
        const seen: string[] = [];
        let next: string | undefined;
        do {
          const token: string = next === undefined ? '' : `&page_token=${next}`;
          const { body } = await owner.send('GET', `/vehicles?limit=${limit}${token}`);
          const items = body['items'] as { id: string }[];
          seen.push(...items.map(({ id }) => id));
          next = body['next_page_token'] as string | undefined;
          const [n = 0] = choices.take(1);
          const id = present.get(n);
          if (id === undefined) present.set(n, await onboarded(owner, boxId(10 + n)));
          else {
            stay.delete(id);
            present.delete(n);
            await owner.send('DELETE', `/vehicles/${id}`);
          }
        } while (next !== undefined);
        expect(seen).toEqual([...new Set(seen)].sort(byLetters));
        for (const id of stay) expect(seen).toContain(id);
        for (const id of present.values()) await owner.send('DELETE', `/vehicles/${id}`);
      },
    ),
    { numRuns: 15 },
  );
});

function byLetters(one: string, other: string): number {
  return one < other ? -1 : 1;
}
