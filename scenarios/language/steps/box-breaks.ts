import { z } from 'zod';
import { SIM_PROVIDER_NAMES } from '../../../simulator/box-plan.ts';
import { signedSpan, span } from '../document/quantity.ts';
import { BOTH_WORLDS, onlyVirtual, type WordTable, wordRow } from '../document/word-row.ts';

const nothing = z.strictObject({});

/** More than the drift of a working clock: a second in fifty. */
const MOST_PPM = 20_000;

/** What can break in a box. */
export const BOX_BREAKS = {
  'brown-out': wordRow({
    settings: nothing,
    does: 'The supply voltage sinks below what the box needs, for a few seconds; it starts again after it.',
    example: {},
    worlds: BOTH_WORLDS,
  }),
  watchdog: wordRow({
    settings: nothing,
    does: 'The watchdog resets the box, in the midst of whatever it does.',
    example: {},
    worlds: BOTH_WORLDS,
  }),
  reset: wordRow({
    settings: z.strictObject({
      reason: z.enum(['GENERAL', 'BACKUP', 'WATCHDOG', 'SOFTWARE', 'USER', 'UNKNOWN', 'POWER_DOWN_MODE']),
    }),
    does: 'The box is reset from outside, with this reason in its next system status.',
    example: { reason: 'USER' },
    worlds: BOTH_WORLDS,
  }),
  'power-loss': wordRow({
    settings: nothing,
    does: 'The supply is cut, and the box lives on its backup battery as long as that lasts.',
    example: {},
    worlds: BOTH_WORLDS,
    lasts: true,
  }),
  'flash-full': wordRow({
    settings: nothing,
    does: 'The flash is full: the oldest records are dropped to make room, or replaced by a tombstone.',
    example: {},
    worlds: BOTH_WORLDS,
    lasts: true,
  }),
  'torn-write': wordRow({
    settings: nothing,
    does: 'The power of the box fails in its next write of a record, half of which is in the flash then; the box starts again, and takes it for none.',
    example: {},
    worlds: onlyVirtual('Over sockets the flash is a database, whose writes are whole or not at all.'),
    lasts: true,
  }),
  'lost-write': wordRow({
    settings: nothing,
    does: 'The power of the box fails before its next write of a record is in the flash; the box starts again without it.',
    example: {},
    worlds: BOTH_WORLDS,
    lasts: true,
  }),
  'flash-slow': wordRow({
    settings: z.strictObject({ by: span }),
    does: 'Every write to the flash of the box takes so much longer; the box does nothing else meanwhile.',
    example: { by: '500ms' },
    worlds: BOTH_WORLDS,
    lasts: true,
  }),
  'clock-jump': wordRow({
    settings: z.strictObject({ by: signedSpan }),
    does: "The box's clock jumps forward, or back with a minus.",
    example: { by: '-2h' },
    worlds: BOTH_WORLDS,
  }),
  'clock-drift': wordRow({
    settings: z.strictObject({ ppm: z.int().min(-MOST_PPM).max(MOST_PPM) }),
    does: "The box's clock runs fast by this many millionths, or slow if negative; its firmware assumes at most 100. At the end the clock keeps its deviation.",
    example: { ppm: -20_000 },
    worlds: BOTH_WORLDS,
    lasts: true,
  }),
  'gnss-lost': wordRow({
    settings: nothing,
    does: 'The box receives no satellites: it has neither position nor time from them.',
    example: {},
    worlds: BOTH_WORLDS,
    lasts: true,
  }),
  wipe: wordRow({
    settings: nothing,
    does: 'The flash is wiped, as in a repair: the box begins a new journal epoch.',
    example: {},
    worlds: BOTH_WORLDS,
  }),
  hang: wordRow({
    settings: nothing,
    does: "The box's application hangs: commands arrive and are not answered, until the watchdog resets it.",
    example: {},
    worlds: BOTH_WORLDS,
    lasts: true,
  }),
  error: wordRow({
    settings: z.strictObject({
      text: z
        .string()
        .min(1)
        .max(64)
        .regex(/^[ -~]*$/, 'printable ASCII only'),
      once: z.boolean().default(true),
    }),
    does: 'Something in the box breaks: it answers the next command (once), or every one, with this error.',
    example: { text: 'output driver over temperature', once: true },
    worlds: BOTH_WORLDS,
    lasts: true,
  }),
  card: wordRow({
    settings: z.strictObject({
      provider: z.enum(SIM_PROVIDER_NAMES),
      recorded: z.boolean().default(true),
    }),
    does: 'The SIM card is replaced by one of this provider, and the box restarts with it; the service records it, or goes on asking the provider of the old card.',
    example: { provider: 'harbour', recorded: false },
    worlds: BOTH_WORLDS,
    lasts: true,
  }),
  installation: wordRow({
    settings: z.strictObject({ obstacle: z.enum(['no-vehicle-bus', 'no-gnss', 'low-supply']) }),
    does: 'Something is wrong with how the box is built in; a setup that meets it fails.',
    example: { obstacle: 'no-gnss' },
    worlds: BOTH_WORLDS,
    lasts: true,
  }),
} as const satisfies WordTable;
