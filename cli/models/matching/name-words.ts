/** Abbreviations of DBC files, and the word that they stand for. An empty word says nothing. */
const ABBREVIATIONS: Readonly<Record<string, string>> = {
  ...{
    spd: 'speed',
    vel: 'speed',
    velocity: 'speed',
    veh: 'vehicle',
    eng: 'engine',
    engn: 'engine',
    rpm: 'rpm',
  },
  ...{ temp: 'temperature', tmp: 'temperature', temperatur: 'temperature', clnt: 'coolant', ect: 'coolant' },
  ...{
    lvl: 'level',
    lev: 'level',
    batt: 'battery',
    bat: 'battery',
    bcu: 'battery',
    volt: 'voltage',
    volts: 'voltage',
  },
  ...{ vltg: 'voltage', odo: 'odometer', dist: 'distance', distance: 'distance', trvld: 'travelled' },
  ...{ drv: 'driver', drvr: 'driver', psg: 'passenger', pass: 'passenger', passngr: 'passenger' },
  ...{
    pct: 'percent',
    perc: 'percent',
    ign: 'ignition',
    ignn: 'ignition',
    brk: 'brake',
    pk: 'park',
    prk: 'park',
  },
  ...{
    parking: 'park',
    pkg: 'park',
    hand: 'park',
    emergency: 'park',
    tyre: 'tire',
    tyres: 'tire',
    tires: 'tire',
  },
  ...{
    lo: 'low',
    wrn: 'warning',
    warn: 'warning',
    wrng: 'warning',
    ind: 'warning',
    wrning: 'warning',
    trac: 'traction',
    indicator: 'warning',
  },
  ...{ lamps: 'lamp', tell: 'warning', telltale: 'warning', chrg: 'charge', chg: 'charge' },
  ...{
    chrgng: 'charging',
    prs: 'pressure',
    press: 'pressure',
    pres: 'pressure',
    flt: 'failure',
    fault: 'failure',
  },
  ...{
    failed: 'failure',
    err: 'failure',
    error: 'failure',
    dr: 'door',
    doors: 'door',
    drs: 'door',
    ajr: 'ajar',
  },
  ...{
    lck: 'lock',
    locked: 'lock',
    lckd: 'lock',
    locking: 'lock',
    belts: 'belt',
    bucklesw: 'buckle',
    bckl: 'buckle',
  },
  ...{
    buckled: 'belt',
    buckle: 'belt',
    seatbelt: 'belt',
    fl: 'frontleft',
    fr: 'frontright',
    lf: 'frontleft',
  },
  ...{ rf: 'frontright', windows: 'window', wndw: 'window', wdw: 'window', sun: 'sunroof', srf: 'sunroof' },
  ...{
    gr: 'gear',
    prnd: 'gear',
    prndl: 'gear',
    shifter: 'gear',
    selector: 'gear',
    shift: 'gear',
    lever: 'gear',
  },
  ...{
    tot: 'total',
    ttl: 'total',
    rmn: 'remaining',
    rem: 'remaining',
    rng: 'range',
    esc: 'esp',
    vsc: 'esp',
    vdc: 'esp',
  },
  ...{
    dsc: 'esp',
    eps: 'steering',
    strg: 'steering',
    hdlmp: 'headlight',
    headlamp: 'headlight',
    headlights: 'headlight',
  },
  ...{
    headlamps: 'headlight',
    def: 'adblue',
    urea: 'adblue',
    ad: 'adblue',
    tank: 'level',
    qty: 'level',
    volume: 'level',
  },
  ...{
    opn: 'open',
    opened: 'open',
    tpms: 'tirepressure',
    pad: 'lining',
    pads: 'lining',
    kl: 'terminal',
    hv: 'traction',
  },
  ...{
    sts: '',
    stat: '',
    status: '',
    state: '',
    st: '',
    sig: '',
    signal: '',
    val: '',
    value: '',
    disp: '',
    display: '',
  },
};

/**
 * The words of a name as DBC files have it, small and written out: `VehSpd_FL` is vehicle, speed, frontleft. Where it changes
 * between small and capital letters, letters and digits, or has a `_`, a word begins.
 */
export function wordsOf(name: string): readonly string[] {
  return name
    .replaceAll(/([a-z])([A-Z])/g, '$1_$2')
    .replaceAll(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .replaceAll(/([A-Za-z])(\d)|(\d)([A-Za-z])/g, '$1$3_$2$4')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .map((word) => ABBREVIATIONS[word] ?? word)
    .filter((word) => word !== '');
}
