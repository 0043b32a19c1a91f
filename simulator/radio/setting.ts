/**
 * How true to the road the radio of a box is. `ideal`: link, processor and motors take no time of their own, a receiver
 * has its first fix at once, and under way there is a network everywhere. `road`: all of that as it is.
 */
export const RADIO_SETTINGS = ['road', 'ideal'] as const;
export type RadioSetting = (typeof RADIO_SETTINGS)[number];
