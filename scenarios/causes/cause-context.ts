import { z } from 'zod';
import { causeLimits } from '../limits.ts';
import type { CandidateVehicle } from './cause.ts';
import { answered, answeredIfThere, type CausePorts, jsonRequest } from './cause-ports.ts';

/** The vehicles, boxes and fleets with which causes can be brought about. */
export interface CauseContext {
  /** Vehicles of the own fleet that are set up. */
  readonly vehicles: readonly CandidateVehicle[];
  /** Boxes in stock, built into no vehicle. */
  readonly shelf: readonly { readonly boxId: string; readonly model: string }[];
  readonly fleetId: string;
  readonly partnerFleetId: string;
  readonly strangerFleetId: string;
}

const vehiclePage = z.looseObject({
  items: z.array(
    z.looseObject({
      id: z.string(),
      fleet_id: z.string(),
      setup_status: z.string(),
      shared_with: z.string().optional(),
      master_data: z.looseObject({ vin: z.string().nullish() }),
      capabilities: z.looseObject({ commands: z.array(z.string()) }),
      telematics_unit: z
        .looseObject({
          id: z.string(),
          hardware_revision: z.number().nullable(),
          firmware_version: z.string().nullable(),
          installation_variant: z.enum(['OBD', 'HARDWIRED']).nullable(),
        })
        .nullable(),
    }),
  ),
  next_page_token: z.string().optional(),
});
type Item = z.infer<typeof vehiclePage>['items'][number];

const boxPage = z.looseObject({
  items: z.array(
    z.looseObject({
      boxId: z.string(),
      model: z.string(),
      generation: z.number(),
      sim: z.looseObject({ provider: z.string() }),
    }),
  ),
  next: z.string().optional(),
});
type Box = z.infer<typeof boxPage>['items'][number];

const service = z.looseObject({
  fleet_id: z.string(),
  partner_fleet_id: z.string(),
  stranger_fleet_id: z.string(),
});
const cars = z.looseObject({ items: z.array(z.looseObject({ vehicleId: z.string(), model: z.string() })) });

/**
 * Reads the context, with a token of the own fleet that may read vehicles. Rejects when the service or the
 * simulator refuses.
 */
export async function readCauseContext(ports: CausePorts, authorization: string): Promise<CauseContext> {
  const boxes = await allBoxes(ports);
  const items = await allVehicles(ports, authorization);
  const ids = (await serviceOf(ports)) ?? { ...NO_SERVICE, fleet_id: items[0]?.fleet_id ?? '' };
  const models = new Map(
    items.some((item) => item.telematics_unit === null)
      ? cars
          .parse(await answered(ports, jsonRequest('simulator', 'GET', '/maker-vehicles')))
          .items.map((car) => [car.vehicleId, car.model] as const)
      : [],
  );
  const taken = new Set(items.map((item) => item.telematics_unit?.id));
  return {
    vehicles: items
      .filter((item) => item.setup_status === 'SUCCEEDED' && item.fleet_id === ids.fleet_id)
      .map((item) => candidate(item, boxes.get(item.telematics_unit?.id ?? ''), models)),
    shelf: [...boxes.values()]
      .filter((box) => !taken.has(box.boxId))
      .map(({ boxId, model }) => ({ boxId, model })),
    fleetId: ids.fleet_id,
    partnerFleetId: ids.partner_fleet_id,
    strangerFleetId: ids.stranger_fleet_id,
  };
}

/** Other fleets have no clients where the simulator has no service beside it. */
const NO_SERVICE = { partner_fleet_id: '', stranger_fleet_id: '' };

/** Undefined: the simulator is that of `boxtwin fleet`, which has no service beside it that it could change. */
async function serviceOf(ports: CausePorts): Promise<z.infer<typeof service> | undefined> {
  const found = await answeredIfThere(ports, jsonRequest('simulator', 'GET', '/service'));
  return found === undefined ? undefined : service.parse(found);
}

function candidate(item: Item, box: Box | undefined, cars: ReadonlyMap<string, string>): CandidateVehicle {
  const unit = item.telematics_unit;
  return {
    id: item.id,
    telematics: unit === null ? 'maker' : 'box',
    capabilities: item.capabilities.commands,
    sharedWith: item.shared_with,
    vin: item.master_data.vin ?? '',
    model: box?.model ?? cars.get(item.id) ?? '',
    boxId: unit?.id,
    installation: unit?.installation_variant ?? undefined,
    generation: box?.generation,
    hardwareRevision: unit?.hardware_revision ?? undefined,
    firmware: unit?.firmware_version ?? undefined,
    simProvider: box?.sim.provider,
  };
}

async function allVehicles(ports: CausePorts, authorization: string): Promise<readonly Item[]> {
  const items: Item[] = [];
  let token: string | undefined;
  do {
    const more = token === undefined ? '' : `&page_token=${encodeURIComponent(token)}`;
    const path = `/vehicles?limit=${causeLimits.pageVehicles}${more}`;
    const page = vehiclePage.parse(
      await answered(ports, jsonRequest('api', 'GET', path, undefined, { authorization })),
    );
    items.push(...page.items);
    token = page.next_page_token;
  } while (token !== undefined);
  return items;
}

async function allBoxes(ports: CausePorts): Promise<ReadonlyMap<string, Box>> {
  const boxes = new Map<string, Box>();
  let path: string | undefined = `/boxes?limit=${causeLimits.pageVehicles}`;
  while (path !== undefined) {
    const page: z.infer<typeof boxPage> = boxPage.parse(
      await answered(ports, jsonRequest('simulator', 'GET', path)),
    );
    for (const box of page.items) boxes.set(box.boxId, box);
    path = page.next;
  }
  return boxes;
}
