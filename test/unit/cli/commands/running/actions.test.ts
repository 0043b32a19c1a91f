import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type ActionWish,
  actionsOf,
  exampleValues,
  faultWords,
  refusedText,
  requestFor,
} from '../../../../../cli/commands/running/actions.ts';

const actions = actionsOf({
  acts: {
    '/boxes/{id}/drive': { does: 'It drives.', example: { pace: 0.8 } },
    '/boxes/{id}/doors': { does: 'A door.', example: { open: true } },
    '/boxes/{id}/firmware': { does: 'Another firmware.', example: { version: '2.23' } },
    '/boxes/{id}/silence': { does: 'It hangs.', example: { seconds: 30 } },
    '/boxes/{id}/coverage': { does: 'The former act.', example: { available: false } },
  },
  makers: {
    'GET /makers': 'The clouds.',
    'POST /maker-vehicles/{id}/drive': { does: 'It drives.', example: { pace: 0.8 } },
    'POST /maker-vehicles/{id}/sleep': { does: 'It sleeps.', example: { asleep: true } },
  },
  faults: [
    fault('weather', 'coverage', { weather: { coverage: 'none' } }),
    fault('weather', 'signal', { weather: { signal: 9 } }),
    fault('weather', 'latency', { weather: { latency: { base: '300ms', jitter: '200ms' } } }),
    fault('box', 'watchdog', { break: { box: { watchdog: {} } } }),
    fault('broker', 'restart', { break: { broker: { restart: { sessions: 'lost' } } } }),
    fault('backend', 'restart', { break: { backend: { restart: {} } } }),
  ],
});

function fault(of: string, name: string, example: Readonly<Record<string, unknown>>) {
  return { of, name, does: 'A fault.', example, isOfBoxes: ['weather', 'box'].includes(of), lasts: true };
}

function wish(line: string, more: Partial<ActionWish> = {}): ActionWish {
  const [vehicle = '', action = '', ...values] = line.split(' ');
  return {
    vehicle: vehicle === 'all' ? undefined : vehicle,
    isOfMaker: false,
    action,
    values,
    for: undefined,
    ...more,
  };
}

describe('what "do" asks of the simulator', () => {
  test.each([
    ['V drive pace=0.5', '/boxes/V/drive', { pace: 0.5 }],
    ['V doors open', '/boxes/V/doors', { open: true }],
    ['V doors open=false', '/boxes/V/doors', { open: false }],
    ['V doors {"open":false}', '/boxes/V/doors', { open: false }],
    ['V drive', '/boxes/V/drive', {}],
    ['V coverage none', '/faults', { weather: { coverage: 'none' }, on: ['V'] }],
    ['V coverage off', '/faults', { weather: { coverage: 'none' }, on: ['V'] }],
    ['V signal 9', '/faults', { weather: { signal: 9 }, on: ['V'] }],
    [
      'V latency base=2s jitter=1s',
      '/faults',
      { weather: { latency: { base: '2s', jitter: '1s' } }, on: ['V'] },
    ],
    ['V watchdog', '/faults', { break: { box: { watchdog: {} } }, on: ['V'] }],
    ['all coverage none', '/faults', { weather: { coverage: 'none' } }],
    ['all broker.restart', '/faults', { break: { broker: { restart: {} } } }],
  ])('"%s" is one request', (line, path, body) => {
    expect(requestFor(actions, wish(line))).toMatchObject({ path, body });
  });

  test('a version keeps its zero, where JSON would take it for a number', () => {
    expect(requestFor(actions, wish('V firmware version=2.40'))).toMatchObject({ body: { version: '2.40' } });
  });

  test('a fault has its duration', () => {
    expect(requestFor(actions, wish('V coverage none', { for: '90s' }))).toMatchObject({
      body: { weather: { coverage: 'none' }, on: ['V'], for: '90s' },
    });
  });

  test('a vehicle of a maker does what its maker lets it do', () => {
    const isOfMaker = true;
    expect(requestFor(actions, wish('C sleep asleep', { isOfMaker }))).toMatchObject({
      path: '/maker-vehicles/C/sleep',
      body: { asleep: true },
    });
    for (const line of ['C doors open', 'C coverage none'])
      expect(requestFor(actions, wish(line, { isOfMaker }))).toHaveProperty('refusal');
  });

  test.each([
    ['V drvie', {}, 'Did you mean drive?'],
    ['all restart', {}, 'Did you mean broker.restart or backend.restart?'],
    ['V broker.restart', {}, 'boxtwin do all broker.restart'],
    ['all drive', {}, 'name it'],
    ['V sleep', {}, 'connected by their maker'],
    ['V coverage', {}, 'takes one value, such as none'],
    ['V drive', { for: '90s' }, '--for is how long a fault lasts'],
    ['V silence', { for: '1m30s' }, 'Give seconds=90: boxtwin do V silence seconds=90'],
    [
      'V coverage none',
      { for: '90' },
      '--for "90" is not a span of time, such as 90s, 2m30s or 12h. Did you mean 90s?',
    ],
    ['V coverage none', { for: '5 min' }, 'Did you mean 5m?'],
    ['V coverage none', { for: 'long' }, '--for "long" is not a span of time'],
    ['V unlok', {}, 'a command of the API: boxtwin api post /vehicles/V/commands/unlock-central-lock'],
    ['V doors {open:true}', {}, 'is not JSON'],
  ])('"%s" is refused with what to do', (line, more, text) => {
    const request = requestFor(actions, wish(line, more));
    expect('refusal' in request ? request.refusal : '').toContain(text);
  });

  test.each([
    ['coverage', 'weather.coverage should be one of none, poor', 'coverage should be one of none, poor'],
    ['latency', 'weather.latency.base should be a span', 'latency: base should be a span'],
    [
      'latency',
      'weather.latency.x: There is no "x" in weather.latency.',
      'latency: x: There is no "x" in latency.',
    ],
    ['broker.restart', 'break.broker.restart.sessions should be', 'broker.restart: sessions should be'],
    ['doors', 'open: must be true or false', 'doors: open: must be true or false'],
  ])('what the simulator refuses in %s is named as it was typed: %s', (name, detail, text) => {
    const action = actions.find((one) => one.name === name);
    expect(action === undefined ? '' : refusedText(action, detail)).toBe(text);
  });

  test.each([
    [{ weather: { coverage: 'none' } }, 'coverage none'],
    [{ weather: { latency: { base: '1s', jitter: '2s' } } }, 'latency base=1s jitter=2s'],
    [{ break: { box: { watchdog: {} } } }, 'watchdog'],
    [{ break: { broker: { restart: { sessions: 'lost' } } } }, 'broker.restart sessions=lost'],
    [{ other: 1 }, '{"other":1}'],
  ])('the fault %j is said in the words that apply it', (fault, words) => {
    expect(faultWords(fault)).toBe(words);
  });

  test('an act of which there is a fault of the same name is not offered', () => {
    expect(actions.filter(({ name }) => name === 'coverage').map(({ kind }) => kind)).toEqual(['fault']);
  });

  test('each example, typed as it is shown, asks for that example', () => {
    for (const action of actions) {
      const { name, example } = action;
      const values = exampleValues(example).map((text) => text.replaceAll("'", ''));
      const vehicle = action.kind === 'fault' && !action.isOfVehicles ? undefined : 'V';
      const isOfMaker = name === 'sleep';
      const request = requestFor(actions, { vehicle, isOfMaker, action: name, values, for: undefined });
      expect(JSON.stringify(request)).toContain(JSON.stringify(example));
    }
  });

  test('whatever is typed becomes a request or a refusal', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...actions.map(({ name }) => name), 'nothing'),
        fc.array(fc.string()),
        fc.boolean(),
        (action, values, isOfMaker) => {
          const request = requestFor(actions, { vehicle: 'V', isOfMaker, action, values, for: undefined });
          expect('refusal' in request ? request.refusal : request.path).not.toBe('');
        },
      ),
    );
  });
});
