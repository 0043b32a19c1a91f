/** `mqttPort` as `--mqtt-port`. */
export function optionOf(name: string): string {
  return `--${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
}

/** `mqttPort` as `mqtt_port`. */
export function keyOf(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** `mqttPort` as `BOXTWIN_MQTT_PORT`. */
export function variableOf(name: string): string {
  return `BOXTWIN_${keyOf(name).toUpperCase()}`;
}
