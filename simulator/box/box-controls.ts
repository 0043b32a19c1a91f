import type { Maneuver } from '../vehicle/driving/maneuver.ts';
import type { Mechanics } from '../vehicle/driving/mechanics.ts';
import type { Supply } from '../vehicle/energy/supply.ts';
import type { VehicleOperation } from '../vehicle/equipment/vehicle-operations.ts';
import type { DriveOrder, Incident, InstallationFault, Vehicle } from '../vehicle/sensing/vehicle-ports.ts';

/** The operations on the vehicle around a box, each as one change of it; simulator/box/fleet-box.ts documents them. */
export abstract class BoxControls {
  /** Changes the vehicle, immediately. */
  protected abstract changeVehicle(change: (vehicle: Vehicle) => void): void;
  /** Reads the current vehicle without changing it. */
  protected abstract readVehicle<T>(what: (vehicle: Vehicle) => T): T;

  truth(): Record<string, unknown> {
    return this.readVehicle((vehicle) => vehicle.truth());
  }

  held(): Record<string, unknown> {
    return this.readVehicle((vehicle) => vehicle.held());
  }

  keepHistory(room: number): void {
    this.readVehicle((vehicle) => vehicle.keepHistory(room));
  }

  truthsBetween(fromMs: number, toMs: number): ReturnType<Vehicle['truthsBetween']> {
    return this.readVehicle((vehicle) => vehicle.truthsBetween(fromMs, toMs));
  }

  drive(how?: DriveOrder): void {
    this.changeVehicle((vehicle) => vehicle.drive(how));
  }

  maneuver(what: Maneuver): boolean {
    let isAccepted = false;
    this.changeVehicle((vehicle) => {
      isAccepted = vehicle.maneuver(what);
    });
    return isAccepted;
  }

  applyIncident(incident: Incident): void {
    this.changeVehicle((vehicle) => vehicle.applyIncident(incident));
  }

  routes(): readonly string[] {
    let routes: readonly string[] = [];
    this.changeVehicle((vehicle) => {
      routes = vehicle.routes();
    });
    return routes;
  }

  park(): void {
    this.changeVehicle((vehicle) => vehicle.park());
  }

  openDoor(isOpen: boolean): void {
    this.changeVehicle((vehicle) => vehicle.openDoor(isOpen));
  }

  turnIgnition(isOn: boolean): void {
    this.changeVehicle((vehicle) => vehicle.turnIgnition(isOn));
  }

  setCoverage(hasCoverage: boolean): void {
    this.changeVehicle((vehicle) => vehicle.setCoverage(hasCoverage));
  }

  setSignalQuality(csq: number | undefined): void {
    this.changeVehicle((vehicle) => vehicle.setSignalQuality(csq));
  }

  brownOut(): void {
    this.changeVehicle((vehicle) => vehicle.brownOut());
  }

  setSupply(supply: Supply): void {
    this.changeVehicle((vehicle) => vehicle.setSupply(supply));
  }

  setGnssReception(isHeard: boolean): void {
    this.changeVehicle((vehicle) => vehicle.setGnssReception(isHeard));
  }

  crossBorder(isAbroad: boolean, gapMs: number): void {
    this.changeVehicle((vehicle) => vehicle.crossBorder(isAbroad, gapMs));
  }

  setInstallationFault(fault: InstallationFault | undefined, durationMs?: number): void {
    this.changeVehicle((vehicle) => vehicle.setInstallationFault(fault, durationMs));
  }

  openTopCase(isOpen: boolean): void {
    this.changeVehicle((vehicle) => vehicle.openTopCase(isOpen));
  }

  shutCompartment(): void {
    this.changeVehicle((vehicle) => vehicle.shutCompartment());
  }

  putOnStand(isExtended: boolean): void {
    this.changeVehicle((vehicle) => vehicle.putOnStand(isExtended));
  }

  operate(operation: VehicleOperation): string | undefined {
    let refusal: string | undefined;
    this.changeVehicle((vehicle) => {
      refusal = vehicle.operate(operation);
    });
    return refusal;
  }

  setMechanics(change: Readonly<Partial<Mechanics>>): void {
    this.changeVehicle((vehicle) => vehicle.setMechanics(change));
  }
}
