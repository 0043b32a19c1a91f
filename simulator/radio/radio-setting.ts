/**
 * How realistic the radio of a box is. `ideal`: connection, processor and motors take no time, a receiver has
 * its first fix at once, and there is a network everywhere. `road`: all of these as in reality.
 */
export const RADIO_SETTINGS = ['road', 'ideal'] as const;
export type RadioSetting = (typeof RADIO_SETTINGS)[number];
