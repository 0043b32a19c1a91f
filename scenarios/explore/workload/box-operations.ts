import { BLUETOOTH_ACTIONS } from '../../../protocol/bluetooth.ts';
import type { RandomSource } from '../../language/vary/draw.ts';
import { type DrawnPart, drawnOne } from '../../language/vary/step-action.ts';
import { later, type OperationContext, type OperationRow, type TimedStep } from './operation.ts';

const ACTIONS = BLUETOOTH_ACTIONS.map(({ name }) => name);
const RESET: DrawnPart = { break: { box: { reset: { reason: 'WATCHDOG' } } } };

/** The areas of a box's promises: phones, motors that jam, incidents, long outages, the automatic immobilizer. */
export const BOX_OPERATIONS = {
  bluetooth: {
    does: 'A phone next to the vehicle presents tokens: any token, one with few rights or uses, repeatedly, or while the vehicle moves.',
    share: 2,
    needs: ['box'],
    draw(source, context, on) {
      const { atMs } = context;
      const action = drawnOne(source, ACTIONS);
      const ask = (what: DrawnPart): DrawnPart => ({ ...on, bluetooth: { action, token: 'right', ...what } });
      switch (source.whole(0, 4)) {
        case 0: {
          const token = drawnOne(source, ['right', 'right', 'expired', 'withdrawn', 'used-up', 'forged']);
          return [{ atMs, step: ask({ token }) }];
        }
        case 1:
          return [{ atMs, step: ask({ uses: source.whole(1, 2), times: source.whole(2, 4) }) }];
        case 2:
          return [{ atMs, step: ask({ allows: [drawnOne(source, ACTIONS)] }) }];
        case 3:
          return keptToken(source, context, on);
        default:
          return [
            { atMs, step: { ...on, ignition: { on: true } } },
            { atMs: atMs + 1, step: { ...on, drive: {} } },
            { atMs: atMs + source.whole(1_000, 30_000), step: ask({}) },
          ];
      }
    },
  },
  motors: {
    does: 'A part jams, and the vehicle is asked to move two; or the request comes late, or the box is reset in the midst.',
    share: 2,
    needs: ['box'],
    draw(source, { atMs }, on) {
      const part = drawnOne(source, ['lock', 'immobilizer']);
      const command = drawnOne(source, ['unlock-and-enable-driving', 'lock-and-disable-driving']);
      const others = ['unlock-central-lock', 'lock-central-lock', 'enable-driving', 'disable-driving'];
      const sentMs = atMs + 1_000;
      const by = `${source.whole(1, 40)}s`;
      return [
        { atMs, step: { ...on, call: { command: drawnOne(source, others) } } },
        ...(source.whole(0, 1) === 1
          ? [
              {
                atMs: sentMs - 10,
                step: { ...on, mechanics: { [part]: drawnOne(source, ['jammed', 'failing']) } },
              },
            ]
          : []),
        ...(source.whole(0, 2) === 2
          ? [
              {
                atMs: sentMs - 5,
                step: { ...on, weather: { delay: { message: 'command-request', by, count: 1 } }, for: '1s' },
              },
            ]
          : []),
        source.whole(0, 3) === 3
          ? { atMs: sentMs, step: { ...on, bluetooth: { action: command, token: 'right' } } }
          : { atMs: sentMs, step: { ...on, call: { command } } },
        ...(source.whole(0, 1) === 1
          ? [{ atMs: sentMs + source.whole(0, 2_000), step: { ...on, ...RESET } }]
          : []),
        { atMs: sentMs + 60_000, step: { ...on, mechanics: { [part]: 'works' } } },
      ];
    },
  },
  incidents: {
    does: 'A moving or parked vehicle has a collision or smoke; sometimes its box is reset afterwards.',
    share: 2,
    needs: ['box'],
    draw(source, { atMs }, on) {
      const isDriving = source.whole(0, 1) === 1;
      const hitMs = atMs + source.whole(5_000, 40_000);
      const accelerationMg = source.whole(2_600, 12_000);
      const direction = drawnOne(source, ['front', 'rear', 'left', 'right']);
      const blow = { acceleration_in_mg: accelerationMg, duration_ms: source.whole(31, 120), direction };
      const incident = isDriving
        ? { crash: blow }
        : drawnOne<DrawnPart>(source, [
            { shock: blow },
            { smoke: { concentration_in_micrograms_per_cubic_meter: 900, duration_s: source.whole(15, 60) } },
          ]);
      const feature = isDriving
        ? { 'driving-events': {} }
        : 'smoke' in incident
          ? { 'smoke-detection': {} }
          : { 'parking-events': {} };
      return [
        { atMs, step: { ...on, call: { configure: feature } } },
        { atMs: atMs + 1, step: { ...on, ...(isDriving ? { drive: {} } : { park: {} }) } },
        { atMs: hitMs, step: { ...on, ...incident } },
        ...(source.whole(0, 2) === 2
          ? [{ atMs: hitMs + source.whole(100, 12_000), step: { ...on, ...RESET } }]
          : []),
      ];
    },
  },
  outages: {
    does: 'The broker is away for long while much happens to the vehicles.',
    share: 1,
    needs: ['box'],
    draw(source, context, on) {
      const { atMs, gapMs } = context;
      const lengthMs = Math.max(20_000, later(source, context) - atMs);
      const count = source.whole(4, 16);
      const happenings: readonly DrawnPart[] = [
        { open: 'door' },
        { close: 'door' },
        { ignition: { on: true } },
        { ignition: { on: false } },
        { bluetooth: { action: drawnOne(source, ACTIONS), token: 'right' } },
      ];
      return [
        { atMs, step: { break: { broker: { restart: {} } }, for: `${Math.ceil(lengthMs / 1_000)}s` } },
        ...Array.from({ length: count }, (): TimedStep => {
          const happening = drawnOne(source, happenings);
          return { atMs: atMs + source.whole(0, Math.max(lengthMs, gapMs)), step: { ...on, ...happening } };
        }),
      ];
    },
  },
  immobilizer: {
    does: 'A vehicle with the automatic immobilizer is left locked, and its driver may return before the immobilizer engages.',
    share: 1,
    needs: ['box'],
    draw(source, { atMs }, on) {
      const delayS = source.whole(0, 40);
      const leftMs = atMs + 3_000;
      const call = (command: string): DrawnPart => ({ ...on, call: { command } });
      return [
        {
          atMs,
          step: { ...on, call: { configure: { 'auto-immobilizer-control': { delay_in_seconds: delayS } } } },
        },
        { atMs: atMs + 500, step: call('unlock-and-enable-driving') },
        { atMs: atMs + 1_500, step: { ...on, park: {} } },
        { atMs: leftMs, step: call('lock-central-lock') },
        ...(source.whole(0, 1) === 1
          ? [{ atMs: leftMs + source.whole(1, 40_000), step: call('unlock-central-lock') }]
          : []),
      ];
    },
  },
} as const satisfies Record<string, OperationRow>;

/** A phone that uses the same token repeatedly, while the box is reset, away, or informed of the token's withdrawal. */
function keptToken(source: RandomSource, context: OperationContext, on: DrawnPart): readonly TimedStep[] {
  const { atMs } = context;
  const keeps = `phone-${source.whole(1, 2)}`;
  const uses = source.whole(1, 3);
  const moments = [later(source, context), later(source, context), later(source, context)];
  const ask = (token: string): DrawnPart => ({
    ...on,
    bluetooth: { action: drawnOne(source, ACTIONS), token, keeps, uses },
  });
  const between = drawnOne<DrawnPart>(source, [
    RESET,
    { weather: { coverage: 'none' }, for: '30s' },
    { break: { box: { 'brown-out': {} } } },
  ]);
  return [
    { atMs, step: ask('right') },
    { atMs: Math.min(...moments), step: { ...on, ...between } },
    ...moments.map((ms, index) => ({
      atMs: ms + 6_000,
      step: ask(index === 2 && source.whole(0, 2) === 2 ? 'withdrawn' : 'right'),
    })),
  ];
}
