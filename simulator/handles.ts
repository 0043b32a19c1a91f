import type { Deed } from './vehicle/deeds.ts';
import type { Maneuver } from './vehicle/maneuver.ts';
import type { Mechanics } from './vehicle/mechanics.ts';
import type { DriveOrder, Incident, InstallationFault, Vehicle } from './vehicle/senses.ts';
import type { Supply } from './vehicle/supply.ts';

/** What can be done to the vehicle around a box, each by one touch of it; fleet.ts says what each one means. */
export abstract class Handles {
  /** Something happens to the vehicle, at once. */
  protected abstract touch(change: (vehicle: Vehicle) => void): void;
  /** Asks the vehicle as it is now; nothing happens to it. */
  protected abstract ask<T>(what: (vehicle: Vehicle) => T): T;

  truth(): Record<string, unknown> {
    return this.ask((vehicle) => vehicle.truth());
  }

  remember(room: number): void {
    this.ask((vehicle) => vehicle.remember(room));
  }

  truths(fromMs: number, toMs: number): ReturnType<Vehicle['truths']> {
    return this.ask((vehicle) => vehicle.truths(fromMs, toMs));
  }

  drive(how?: DriveOrder): void {
    this.touch((vehicle) => vehicle.drive(how));
  }

  maneuver(what: Maneuver): boolean {
    let isAccepted = false;
    this.touch((vehicle) => {
      isAccepted = vehicle.maneuver(what);
    });
    return isAccepted;
  }

  suffer(incident: Incident): void {
    this.touch((vehicle) => vehicle.suffer(incident));
  }

  routes(): readonly string[] {
    let routes: readonly string[] = [];
    this.touch((vehicle) => {
      routes = vehicle.routes();
    });
    return routes;
  }

  park(): void {
    this.touch((vehicle) => vehicle.park());
  }

  openDoor(isOpen: boolean): void {
    this.touch((vehicle) => vehicle.openDoor(isOpen));
  }

  turnIgnition(isOn: boolean): void {
    this.touch((vehicle) => vehicle.turnIgnition(isOn));
  }

  setCoverage(hasCoverage: boolean): void {
    this.touch((vehicle) => vehicle.setCoverage(hasCoverage));
  }

  setSignalQuality(csq: number | undefined): void {
    this.touch((vehicle) => vehicle.setSignalQuality(csq));
  }

  brownOut(): void {
    this.touch((vehicle) => vehicle.brownOut());
  }

  setSupply(supply: Supply): void {
    this.touch((vehicle) => vehicle.setSupply(supply));
  }

  setSky(isHeard: boolean): void {
    this.touch((vehicle) => vehicle.setSky(isHeard));
  }

  crossBorder(isAbroad: boolean, gapMs: number): void {
    this.touch((vehicle) => vehicle.crossBorder(isAbroad, gapMs));
  }

  setInstallationFault(fault: InstallationFault | undefined, durationMs?: number): void {
    this.touch((vehicle) => vehicle.setInstallationFault(fault, durationMs));
  }

  openTopCase(isOpen: boolean): void {
    this.touch((vehicle) => vehicle.openTopCase(isOpen));
  }

  shutCompartment(): void {
    this.touch((vehicle) => vehicle.shutCompartment());
  }

  putOnStand(isExtended: boolean): void {
    this.touch((vehicle) => vehicle.putOnStand(isExtended));
  }

  tend(deed: Deed): string | undefined {
    let refusal: string | undefined;
    this.touch((vehicle) => {
      refusal = vehicle.tend(deed);
    });
    return refusal;
  }

  setMechanics(change: Readonly<Partial<Mechanics>>): void {
    this.touch((vehicle) => vehicle.setMechanics(change));
  }
}
