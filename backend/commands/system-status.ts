import type { SystemStatus } from '../../protocol/message.ts';
import { dateTime } from '../http/date-time.ts';

/**
 * The body of request-system-status: the fifteen properties of service.md 2.2 and nothing else. A clock that is not
 * set, or a connection that has not been up since boot, is 0 on the wire and reads 1970-01-01T00:00:00Z here.
 */
export function systemStatusBody(status: SystemStatus): Readonly<Record<string, unknown>> {
  return {
    real_time_clock: dateTime(status.realTimeClockMs),
    device_up_since: dateTime(status.deviceUpSinceMs),
    modem_up_since: dateTime(status.modemUpSinceMs),
    data_connection_up_since: dateTime(status.dataConnectionUpSinceMs),
    cpu_time_in_seconds: status.cpuTimeS,
    board_reset_reason: status.resetReason,
    cpu_temperature_in_degrees_celsius: status.cpuTemperatureDeciC / 10,
    hardware_revision: status.hardwareRevision,
    pio_port_levels: status.pioPortLevels.map(hex),
    free_heap_in_bytes: status.freeHeapBytes,
    // Deprecated in favour of the two below it.
    can_bus_active: status.canBus0Active || status.canBus1Active,
    can_bus_0_active: status.canBus0Active,
    can_bus_0_error_flags: hex(status.canBus0ErrorFlags),
    can_bus_1_active: status.canBus1Active,
    can_bus_1_error_flags: hex(status.canBus1ErrorFlags),
  };
}

/** Whole bytes in lower case: 10 is `0a`, 4095 is `0fff`. */
function hex(value: number): string {
  const digits = value.toString(16);
  return digits.length % 2 === 0 ? digits : `0${digits}`;
}
