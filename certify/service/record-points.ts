import { ID_FORM } from '../../contract/limits.ts';
import type { Operation } from '../../contract/operation.ts';
import { BULK_PATH, SUBSCRIPTIONS_PATH } from '../../contract/operation.ts';
import { OPERATIONS } from '../../contract/operations.ts';
import { expectAnswer } from '../../judge/certify/expected-answer.ts';
import { limits as bounds } from '../../judge/certify/limits.ts';
import { failed, notSeen, type Verdict } from '../../judge/verdict.ts';
import { jsonOf, valueAt } from '../../world/json.ts';
import { limits } from '../limits.ts';
import { ask, type CertifySession, type PointList, until } from './certify-session.ts';
import { successPoint } from './success-points.ts';

const ULID = /^[0-9A-HJKMNP-TV-Z]{26}$/;

/** Tests the operations on records: vehicles, sharing, bulk jobs, subscriptions. */
export async function tryRecords(session: CertifySession, list: PointList): Promise<void> {
  await tryVehicles(session, list);
  await trySharing(session, list);
  await tryOnboarding(session, list);
  await tryBulk(session, list);
  await trySubscriptions(session, list);
}

function operationOf(kind: Operation['kind']): Operation {
  const found = OPERATIONS.find((one) => one.kind === kind);
  if (found === undefined) throw new Error(`No operation is of the kind ${kind}.`);
  return found;
}

/** Adds the result of an operation, if its point is wanted. */
function add(list: PointList, kind: Operation['kind'], result: Verdict): void {
  const point = successPoint(operationOf(kind));
  if (list.wants(point)) list.add(point, result);
}

function wantsAny(list: PointList, kinds: readonly Operation['kind'][]): boolean {
  return kinds.some((kind) => list.wants(successPoint(operationOf(kind))));
}

async function tryVehicles(session: CertifySession, list: PointList): Promise<void> {
  if (!wantsAny(list, ['list', 'read', 'change'])) return;
  const vehicle = session.vehicles[0];
  if (vehicle === undefined) return;
  const { vehicleId } = vehicle;
  const path = `/vehicles/${vehicleId}`;
  const first = await ask(session, 'GET', '/vehicles?limit=1');
  const pages = new Set<string>();
  let answer = first;
  for (let count = 0; count <= limits.boxes; count += 1) {
    const body = jsonOf(answer.text);
    for (const item of (valueAt(body, 'items') as readonly unknown[] | undefined) ?? [])
      pages.add(String(valueAt(item, 'id')));
    const next = valueAt(body, 'next_page_token');
    if (typeof next !== 'string') break;
    answer = await ask(session, 'GET', `/vehicles?limit=2&page_token=${encodeURIComponent(next)}`);
  }
  const unlisted = session.vehicles.filter((one) => !pages.has(one.vehicleId));
  add(
    list,
    'list',
    expectAnswer(first, 200, () =>
      unlisted.map((one) => `Its pages, one after the other, do not have the vehicle ${one.vehicleId}.`),
    ),
  );
  const read = await ask(session, 'GET', path);
  add(
    list,
    'read',
    expectAnswer(read, 200, (body) => [
      ...(valueAt(body, 'id') === vehicleId ? [] : ['Its id is another one.']),
      ...(valueAt(body, 'latest_vehicle_state') === undefined ? ['It lacks latest_vehicle_state.'] : []),
      ...(read.headers['etag'] === undefined ? ['It lacks the header ETag.'] : []),
    ]),
  );
  const tags = [`certified-${session.time.nowMs()}`];
  const changed = await ask(session, 'PATCH', path, { tags });
  const again = jsonOf((await ask(session, 'GET', path)).text);
  const isKept = JSON.stringify(valueAt(again, 'tags')) === JSON.stringify(tags);
  add(
    list,
    'change',
    expectAnswer(changed, 200, (body) => [
      ...(JSON.stringify(valueAt(body, 'tags')) === JSON.stringify(tags)
        ? []
        : ['Its tags are not those of the request.']),
      ...(isKept ? [] : ['GET does not show the tags of the request.']),
      ...(changed.headers['etag'] === read.headers['etag'] ? ['Its ETag is that of before the change.'] : []),
    ]),
  );
  await ask(session, 'PATCH', path, { tags: [] });
}

async function trySharing(session: CertifySession, list: PointList): Promise<void> {
  if (!wantsAny(list, ['share', 'unshare'])) return;
  if (!session.means.hasAdmin) {
    const why = notSeen('Another fleet is needed: give the admin interface with --admin.');
    for (const kind of ['share', 'unshare'] as const) add(list, kind, why);
    return;
  }
  const vehicle = `/vehicles/${session.vehicles[0]?.vehicleId ?? ''}`;
  const path = `${vehicle}/sharing`;
  const partner = session.context.partnerFleetId;
  const isSharedWith = async () => valueAt(jsonOf((await ask(session, 'GET', vehicle)).text), 'shared_with');
  const shared = await ask(session, 'PUT', path, { partner_fleet_id: partner });
  const kept = await isSharedWith();
  add(
    list,
    'share',
    expectAnswer(shared, 200, (body) => [
      ...(valueAt(body, 'shared_with') === partner ? [] : [`shared_with is not ${partner}.`]),
      ...(kept === partner ? [] : [`GET does not show that it is shared with ${partner}.`]),
    ]),
  );
  const unshared = expectAnswer(await ask(session, 'DELETE', path), 204);
  const still = await isSharedWith();
  add(
    list,
    'unshare',
    unshared.result === 'passed' && still !== undefined
      ? failed(
          'a vehicle of one fleet afterwards',
          `GET says that it is shared with ${JSON.stringify(still)}.`,
        )
      : unshared,
  );
}

async function tryOnboarding(session: CertifySession, list: PointList): Promise<void> {
  if (!wantsAny(list, ['onboard', 'offboard'])) return;
  const [shelf] = session.context.shelf;
  if (shelf === undefined) {
    const why = notSeen('No box is in stock.');
    for (const kind of ['onboard', 'offboard'] as const) add(list, kind, why);
    return;
  }
  const body = { telematics_unit: { id: shelf.boxId }, vehicle_model: shelf.model };
  // As in a workshop: its bus answers only then.
  const box = session.fleet.fleet.boxes.get(shelf.boxId);
  box?.turnIgnition(true);
  const made = await ask(session, 'POST', '/vehicles', body);
  const id = String(valueAt(jsonOf(made.text), 'id'));
  const path = `/vehicles/${id}`;
  const setupOf = async () => valueAt(jsonOf((await ask(session, 'GET', path)).text), 'setup_status');
  let setup: unknown;
  if (made.status === 201)
    await until(session.time, bounds.settleMs, async () => {
      setup = await setupOf();
      return setup === 'SUCCEEDED';
    });
  add(
    list,
    'onboard',
    expectAnswer(made, 201, () => [
      ...(made.headers['location']?.endsWith(path) === true
        ? []
        : ['Its Location does not lead to the vehicle.']),
      ...(new RegExp(`^${ID_FORM}$`).test(id) ? [] : [`Its id ${id} is not of 5 to 12 letters and digits.`]),
      ...(setup === 'SUCCEEDED' ? [] : [`Its setup is ${String(setup)} after ${bounds.settleMs / 1_000} s.`]),
    ]),
  );
  box?.turnIgnition(false);
  const deleted = expectAnswer(await ask(session, 'DELETE', path), 204);
  const { status } = await ask(session, 'GET', path);
  const isThere = deleted.result === 'passed' && status !== 404;
  add(list, 'offboard', isThere ? failed('404 to GET afterwards', `${status}`) : deleted);
}

async function tryBulk(session: CertifySession, list: PointList): Promise<void> {
  if (!wantsAny(list, ['bulk', 'read-bulk'])) return;
  const ids = [...session.vehicles.slice(0, 2).map(({ vehicleId }) => vehicleId), 'ZZZZZZZZZZ'];
  const made = await ask(session, 'POST', BULK_PATH, {
    items: ids.map((id) => ({ id })),
    feature_configuration: { tracking: {}, parking_events: null },
  });
  const id = String(valueAt(jsonOf(made.text), 'id'));
  add(
    list,
    'bulk',
    expectAnswer(made, 201, () => [
      ...(ULID.test(id) ? [] : [`Its id ${id} is no ULID.`]),
      ...(made.headers['location']?.endsWith(`${BULK_PATH}/${id}`) === true
        ? []
        : ['Its Location does not lead to the job.']),
    ]),
  );
  let answer = await ask(session, 'GET', `${BULK_PATH}/${id}`);
  await until(session.time, limits.jobMs, async () => {
    answer = await ask(session, 'GET', `${BULK_PATH}/${id}`);
    return answer.status !== 200 || valueAt(jsonOf(answer.text), 'status') === 'COMPLETED';
  });
  add(
    list,
    'read-bulk',
    expectAnswer(answer, 200, (body) => {
      const items = (valueAt(body, 'items') as readonly unknown[] | undefined) ?? [];
      const told = items
        .map((item) => `${String(valueAt(item, 'id'))} ${String(valueAt(item, 'status'))}`)
        .sort(byText);
      const wanted = ids.map((one) => `${one} ${one === 'ZZZZZZZZZZ' ? 'FAILED' : 'APPLIED'}`).sort(byText);
      return JSON.stringify(told) === JSON.stringify(wanted)
        ? []
        : [`Its results are ${told.join(', ')}, and not ${wanted.join(', ')}.`];
    }),
  );
}

async function trySubscriptions(session: CertifySession, list: PointList): Promise<void> {
  if (!wantsAny(list, ['subscribe', 'list-subscriptions', 'read-subscription', 'cancel-subscription']))
    return;
  const discriminator = `certify-try-${session.time.nowMs()}`;
  const queue = `VehicleState_v1-${discriminator}`;
  const made = await ask(session, 'POST', SUBSCRIPTIONS_PATH, {
    queue_discriminator: discriminator,
    topics: ['VehicleState_v1'],
  });
  const id = String(valueAt(jsonOf(made.text), 'id'));
  add(
    list,
    'subscribe',
    expectAnswer(made, 201, (body) =>
      valueAt(body, 'queues', '0', 'name') === queue ? [] : [`Its queue is not called ${queue}.`],
    ),
  );
  const path = `${SUBSCRIPTIONS_PATH}/${id}`;
  const listed = await ask(session, 'GET', SUBSCRIPTIONS_PATH);
  add(
    list,
    'list-subscriptions',
    expectAnswer(listed, 200, () => (listed.text.includes(id) ? [] : [`It lacks the subscription ${id}.`])),
  );
  const read = await ask(session, 'GET', path);
  add(
    list,
    'read-subscription',
    expectAnswer(read, 200, (body) => [
      ...(valueAt(body, 'id') === id ? [] : ['Its id is another one.']),
      ...(valueAt(body, 'password') === undefined
        ? []
        : ['It contains the password, which the service returns only once.']),
    ]),
  );
  const cancelled = expectAnswer(await ask(session, 'DELETE', path), 204);
  const { status } = await ask(session, 'GET', path);
  const isThere = cancelled.result === 'passed' && status !== 404;
  add(list, 'cancel-subscription', isThere ? failed('404 to GET afterwards', `${status}`) : cancelled);
}

function byText(one: string, other: string): number {
  return one < other ? -1 : 1;
}
