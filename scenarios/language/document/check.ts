import { queueName, TOPICS } from '../../../contract/messages.ts';
import { knownModelNames } from '../../../protocol/models/known-models.ts';
import { mappingOf } from '../../../simulator/recorded-drives/columns.ts';
import { languageLimits } from '../../limits.ts';
import { BREAKS } from '../steps/breaks.ts';
import { CALLERS } from '../steps/calls.ts';
import { checkRemembered } from '../steps/check-remembered.ts';
import { arrivedMessage } from '../steps/message-frames.ts';
import { ACT_NAMES, type ActName, canDo, type VehicleKind } from '../steps/vehicle-acts.ts';
import { WEATHER } from '../steps/weather.ts';
import type { DocumentPlace } from '../vary/vary.ts';
import type { DocumentFault } from './explain.ts';
import { hintFor } from './nearest.ts';
import type { FleetGroup, Scenario, Step } from './scenario.ts';
import { MAKER_MODEL_NAMES } from './schema.ts';

/** What a schema cannot check: names that must exist, and inconsistencies. Places are of the document. */
export function checkScenario(scenario: Scenario): readonly DocumentFault[] {
  return [
    ...checkFleet(scenario.fleet),
    ...duplicates(scenario.clients, 'clients', 'name'),
    ...scenario.clients.flatMap(({ name }, index) =>
      Object.hasOwn(CALLERS, name)
        ? [
            fault(
              ['clients', index, 'name'],
              `There is a client ${name} in every scenario. Choose another name.`,
            ),
          ]
        : [],
    ),
    ...duplicates(scenario.steps, 'steps', 'label'),
    ...scenario.steps.flatMap((step, index) => checkStep(step, index, scenario)),
    ...checkRemembered(scenario),
  ];
}

function mappingText(group: FleetGroup | undefined): string {
  return JSON.stringify(mappingOf(group?.driveColumns ?? {}));
}

function checkFleet(fleet: readonly FleetGroup[]): readonly DocumentFault[] {
  const boxes = fleet.reduce((sum, { count }) => sum + count, 0);
  return [
    ...(boxes > languageLimits.boxes
      ? [fault(['fleet'], `The fleet has ${boxes} vehicles. A scenario has ${languageLimits.boxes} at most.`)]
      : []),
    ...duplicates(fleet, 'fleet', 'as'),
    ...fleet.flatMap((group, index) => {
      const place = (name: string): DocumentPlace => ['fleet', index, name];
      const found: DocumentFault[] = [];
      if (group.as === 'all')
        found.push(fault(place('as'), 'The name all means every vehicle. Choose another.'));
      const models = group.maker === undefined ? knownModelNames() : MAKER_MODEL_NAMES;
      if (group.model !== undefined && !models.includes(group.model)) {
        const whose = group.maker === undefined ? 'with a box' : `of the maker ${group.maker}`;
        found.push(
          fault(place('model'), `There is no ${group.model} ${whose}.`, `There are: ${models.join(', ')}.`),
        );
      }
      if (group.recordedDrive !== undefined && group.route !== undefined)
        found.push(
          fault(
            place('route'),
            'A recorded drive has its own way.',
            'Leave `route` or `recorded_drive` out.',
          ),
        );
      if (group.driveColumns !== undefined && group.recordedDrive === undefined)
        found.push(
          fault(
            place('drive_columns'),
            'They are of a recorded drive, and the group replays none.',
            'Name it with `recorded_drive`, or leave `drive_columns` out.',
          ),
        );
      const first = fleet.find(({ recordedDrive }) => recordedDrive === group.recordedDrive);
      if (group.recordedDrive !== undefined && mappingText(first) !== mappingText(group))
        found.push(
          fault(
            place(group.driveColumns === undefined ? 'recorded_drive' : 'drive_columns'),
            `Another group replays ${group.recordedDrive} by other columns.`,
            'Give both the same `drive_columns`, or copy the file.',
          ),
        );
      const boxOnly = { firmware: 'firmware', sim: 'sim', generation: 'generation', radio: 'radio' } as const;
      const renamed = {
        hardwareRevision: 'hardware_revision',
        mqttSession: 'mqtt_session',
        recordedDrive: 'recorded_drive',
      } as const;
      for (const [name, word] of Object.entries({ ...boxOnly, ...renamed })) {
        if (group.maker === undefined || group[name as keyof FleetGroup] === undefined) continue;
        found.push(fault(place(word), `A vehicle of a maker has no box, and so no ${word}.`));
      }
      if (group.maker !== undefined && group.isOnShelf) {
        found.push(fault(place('on_shelf'), 'A vehicle of a maker has no box that could be unassigned.'));
      }
      const { generation, hardwareRevision: revision } = group;
      if (generation !== undefined && revision !== undefined && revision > 3 !== (generation === 2)) {
        found.push(
          fault(
            place('hardware_revision'),
            'Boxes of generation 1 have revisions 1 to 3, later ones 4 to 6.',
          ),
        );
      }
      return found;
    }),
  ];
}

function checkStep(step: Step, index: number, scenario: Scenario): readonly DocumentFault[] {
  const before = scenario.steps.slice(0, index);
  const labels = labelsOf(before);
  const at = (...more: DocumentPlace): DocumentPlace => ['steps', index, ...more];
  const found: DocumentFault[] = [];
  const needs = (label: string | undefined, names: readonly string[], place: DocumentPlace, what: string) => {
    if (label === undefined || names.includes(label)) return;
    found.push(
      fault(
        place,
        `There is no ${what} ${JSON.stringify(label)}.`,
        hintFor(label, names) ?? giveOne(label, what),
      ),
    );
  };
  const { when, on, does } = step;
  if ('after' in when) needs(when.after, labels, at('after'), 'step before this one with the label');
  const groups = scenario.fleet.map(({ as }) => as);
  needs(on.group, groups, at('on'), 'group of the fleet');
  if (typeof on.pick === 'object') {
    if ('sameAs' in on.pick)
      needs(on.pick.sameAs, labels, at('on', 'same_as'), 'earlier step with the label');
    if ('othersThan' in on.pick) {
      needs(on.pick.othersThan, labels, at('on', 'others_than'), 'earlier step with the label');
    }
    const size = sizeOf(scenario.fleet, on.group);
    if ('box' in on.pick && on.pick.box > size && size > 0) {
      found.push(fault(at('on', 'box'), `There is no vehicle ${on.pick.box}: there are ${size}, from 1.`));
    }
  }
  if (does?.kind === 'call') {
    const { call } = does;
    const callers = [...Object.keys(CALLERS), ...scenario.clients.map(({ name }) => name)];
    needs(call.as, callers, at('call', 'as'), 'client');
    const kept = before.flatMap(({ does }) =>
      does?.kind === 'call' && does.call.name === 'token' ? [does.call.settings] : [],
    );
    needs(call.bearer, kept, at('call', 'bearer'), 'token that an earlier step keeps as');
    if (call.name === 'share') needs(call.settings, ['partner', 'stranger'], at('call', 'share'), 'fleet');
  }
  if (does?.kind === 'vehicle') found.push(...checkAct(does.act.name, on.group, scenario.fleet, at()));
  if (step.forMs !== undefined && !lasts(step)) {
    const what = does === undefined ? 'This step applies no fault' : `What this step does is over at once`;
    found.push(fault(at('for'), `${what}, so that nothing can end.`, 'Leave `for` out.'));
  }
  const arrived = arrivedMessage(step);
  if (arrived !== undefined) {
    const frame = String(step.trigger?.settings);
    const message = `A \`${frame}\` has arrived once the box receives it: what begins with it cannot meet this ${arrived}, and would wait for another one.`;
    const hint = `Leave \`when\` out: the next ${arrived} is met as soon as the step begins. If one after this is meant, add a \`delay\`.`;
    found.push(fault(at('when', 'frame'), message, hint));
  }
  if (step.place !== undefined && !lasts(step)) {
    const message = 'This weather ends at once, so no vehicle can drive into it.';
    found.push(fault(at('in'), message, 'Leave `in` out, or choose weather that lasts.'));
  }
  for (const list of ['expect', 'never'] as const) {
    for (const [place, expectation] of step[list].entries()) {
      found.push(...checkExpectation(expectation, step, scenario, index, at(list, place)));
    }
  }
  return found;
}

function checkAct(
  name: ActName,
  group: string | undefined,
  fleet: readonly FleetGroup[],
  at: DocumentPlace,
): readonly DocumentFault[] {
  const chosen = fleet.filter((one) => group === undefined || one.as === group);
  const kindOf = ({ maker }: FleetGroup): VehicleKind => (maker === undefined ? 'box' : 'maker');
  const [first] = chosen;
  if (first === undefined || chosen.some((one) => canDo(kindOf(one), name))) return [];
  const kind = kindOf(first);
  const names = ACT_NAMES.filter((word) => canDo(kind, word));
  const whose = kind === 'box' ? 'with a box' : "with its maker's telematics";
  return [
    fault([...at, name], `No vehicle ${whose} can ${name}.`, `There are: ${names.join(', ')}.`, 'name'),
  ];
}

function checkExpectation(
  expectation: Step['expect'][number],
  step: Step,
  scenario: Scenario,
  index: number,
  at: DocumentPlace,
): readonly DocumentFault[] {
  const isCall = step.does?.kind === 'call';
  const labelled = labelsOf(scenario.steps);
  const missing = (label: string, names: readonly string[], what: string, ...word: DocumentPlace) =>
    names.includes(label)
      ? []
      : [
          fault(
            [...at, ...word],
            `There is no ${what} ${JSON.stringify(label)}.`,
            hintFor(label, names) ?? giveOne(label, what),
          ),
        ];
  switch (expectation.kind) {
    case 'answer': {
      if (expectation.of === undefined) {
        if (isCall) return [];
        return [
          fault(
            at,
            'This step calls nothing, so that no answer comes.',
            'Name the step that does: `of: its-label`.',
          ),
        ];
      }
      const calls = labelsOf(scenario.steps.slice(0, index + 1).filter(({ does }) => does?.kind === 'call'));
      return missing(expectation.of, calls, 'step with a call and the label', 'of');
    }
    case 'took':
      return isCall ? [] : [fault(at, 'This step calls nothing, so that no answer comes.')];
    case 'phone': {
      const isPhone = step.does?.kind === 'vehicle' && step.does.act.name === 'bluetooth';
      return isPhone ? [] : [fault(at, 'This step has no bluetooth, so that no phone is answered.')];
    }
    case 'message': {
      const { occurred_during: during, queue } = expectation.with ?? {};
      const queues = queuesFor(expectation.message, scenario.steps);
      return [
        ...(during === undefined
          ? []
          : missing(
              during,
              [...labelled, 'weather', 'break'],
              'step with the label',
              'with',
              'occurred_during',
            )),
        ...(typeof queue !== 'string' || queues === undefined
          ? []
          : missing(queue, queues, `queue for ${expectation.message} named`, 'with', 'queue')),
      ];
    }
    case 'bulk': {
      const { job } = expectation.bulk;
      const jobs = labelsOf(
        scenario.steps.filter(({ does }) => does?.kind === 'call' && does.call.name === 'bulk'),
      );
      return job === undefined
        ? []
        : missing(job, jobs, 'step with a bulk call and the label', 'bulk', 'job');
    }
    default:
      return [];
  }
}

/** The possible queues of such a message; undefined: a request may create others. */
export function queuesFor(message: string, steps: readonly Step[]): readonly string[] | undefined {
  const calls = steps.flatMap(({ does }) => (does?.kind === 'call' ? [does.call] : []));
  if (calls.some(({ name, remember }) => name === 'request' || remember !== undefined)) return undefined;
  const subscribed = calls.flatMap((call) => (call.name === 'subscribe' ? [call.settings.name] : []));
  const topic = TOPICS.find((one) => one.message === message)?.topic ?? '';
  return ['own', 'partner', 'stranger', ...subscribed].map((whose) => queueName(topic, whose));
}

/** Where nothing has a name of the kind. */
function giveOne(label: string, what: string): string {
  if (what.startsWith('token'))
    return `No step before this one keeps a token. One does so: \`call: { token: ${label} }\`.`;
  return `No such step has a label. Give it one: \`label: ${label}\`.`;
}

/** Whether the step's action lasts until its `for`. */
function lasts({ does }: Step): boolean {
  if (does?.kind === 'weather') return 'lasts' in WEATHER[does.weather.name];
  if (does?.kind !== 'break') return false;
  const table: Readonly<Record<string, object>> = BREAKS[does.break.part];
  return 'lasts' in (table[does.break.name] ?? {});
}

function sizeOf(fleet: readonly FleetGroup[], group: string | undefined): number {
  return fleet.reduce((sum, { as, count }) => sum + (group === undefined || as === group ? count : 0), 0);
}

function labelsOf(steps: readonly Step[]): readonly string[] {
  return steps.flatMap(({ label }) => (label === undefined ? [] : [label]));
}

/** Two of a list with the same name. */
function duplicates<Name extends string>(
  list: readonly { readonly [N in Name]?: string }[],
  where: string,
  name: Name,
): readonly DocumentFault[] {
  return list.flatMap((one, index) => {
    const text: string | undefined = one[name];
    const first = list.findIndex((other) => other[name] === text);
    if (text === undefined || first === index) return [];
    return [
      fault([where, index, name], `${where}[${first}] has the name ${text}, too. Names are given once.`),
    ];
  });
}

function fault(
  place: DocumentPlace,
  message: string,
  hint?: string,
  of: DocumentFault['of'] = 'value',
): DocumentFault {
  return { place, of, message, ...(hint === undefined ? {} : { hint }) };
}
