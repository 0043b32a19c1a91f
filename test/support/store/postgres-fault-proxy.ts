import { connect, createServer, type Socket } from 'node:net';
import { BackendMessages, FrontendMessages, type Request } from './postgres-messages.ts';

/** What befalls a request to the server, in place of its answer or after it. */
export type PostgresFault =
  /** serialization_failure */
  | 'serialization'
  /** deadlock_detected */
  | 'deadlock'
  /** unique_violation, in a serializable transaction, where a race can cause it; elsewhere as `serialization`. */
  | 'taken'
  /** query_canceled, by statement_timeout */
  | 'time limit'
  /** The connection is lost, and the server has not got the request. */
  | 'lost before'
  /** The server has carried it out, and the connection is lost before its answer. */
  | 'lost after'
  /** The connection is lost at once, while the server carries it out. */
  | 'lost during'
  /** The server ends the session in place of the request (admin_shutdown). */
  | 'terminated'
  /** As `lost before`, and the server then has no connection left for the next one that is made (too_many_connections). */
  | 'refused'
  /** It comes a little later, so that others overtake it. */
  | 'slow';

export const POSTGRES_FAULTS: readonly PostgresFault[] = [
  'serialization',
  'deadlock',
  'taken',
  'time limit',
  'lost before',
  'lost after',
  'lost during',
  'terminated',
  'refused',
  'slow',
];

/** How much later: as long as some requests of others take. */
const SLOW_MS = 8;

/** The faults after which a call may fail: the medium has failed. After the others it is carried out again. */
export const MEDIUM_FAULTS: ReadonlySet<PostgresFault> = new Set([
  'time limit',
  'lost before',
  'lost after',
  'lost during',
  'terminated',
  'refused',
]);

const SQLSTATES: Partial<Readonly<Record<PostgresFault, string>>> = {
  serialization: '40001',
  deadlock: '40P01',
  taken: '23505',
  'time limit': '57014',
};

/** A fault that has happened, and the request that it befell. */
export interface HappenedFault {
  readonly fault: PostgresFault;
  readonly request: string;
}

/** A line to a server of PostgreSQL on which requests meet faults. */
export interface PostgresFaultProxy {
  readonly port: number;
  /** From here on requests are counted from 0, over all connections; each that has a fault at its number meets it. */
  plan(faults: ReadonlyMap<number, PostgresFault>): void;
  /** What has happened since `plan`. */
  happened(): readonly HappenedFault[];
  /** Whether the server has answered all that it was given, whoever still waits for it. */
  isQuiet(): boolean;
  close(): Promise<void>;
}

interface Plan {
  faults: ReadonlyMap<number, PostgresFault>;
  requests: number;
  refused: number;
  happened: HappenedFault[];
}

export async function startPostgresFaultProxy(to: {
  readonly host: string;
  readonly port: number;
}): Promise<PostgresFaultProxy> {
  const plan: Plan = { faults: new Map(), requests: 0, refused: 0, happened: [] };
  const lines = new Set<Line>();
  const server = createServer((near) => {
    near.on('error', () => near.destroy());
    if (plan.refused > 0) {
      plan.refused -= 1;
      near.once('data', () => near.end(fatal('53300', 'sorry, too many clients already')));
      return;
    }
    const line = new Line(near, connect(to), plan);
    lines.add(line);
    line.onEnd(() => lines.delete(line));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve());
  });
  const address = server.address();
  return {
    port: address !== null && typeof address === 'object' ? address.port : 0,
    plan(faults) {
      plan.faults = faults;
      plan.requests = 0;
      plan.refused = 0;
      plan.happened = [];
    },
    happened: () => plan.happened,
    isQuiet: () => [...lines].every((line) => !line.isWaited),
    close: () =>
      new Promise((resolve) => {
        for (const line of lines) line.end();
        server.close(() => resolve());
      }),
  };
}

/** A connection of the store, and that to the server for it. */
class Line {
  readonly #near: Socket;
  readonly #far: Socket;
  readonly #plan: Plan;
  readonly #asked = new FrontendMessages();
  readonly #answered = new BackendMessages();
  /** Requests that the server has not answered yet; its greeting counts as one. */
  #waited = 1;
  /** What happens with the end of the next answer. */
  #atAnswer: 'pass' | 'cut' = 'pass';
  #isSerializable = false;

  constructor(near: Socket, far: Socket, plan: Plan) {
    this.#near = near;
    this.#far = far;
    this.#plan = plan;
    near.on('data', (bytes: Buffer) => {
      for (const request of this.#asked.take(bytes)) this.#ask(request);
    });
    far.on('data', (bytes: Buffer) => this.#answer(bytes));
    far.on('error', () => this.end());
    far.on('close', () => this.end());
    near.on('close', () => {
      if (this.#waited === 0) this.end();
    });
  }

  get isWaited(): boolean {
    return this.#waited > 0;
  }

  onEnd(then: () => void): void {
    this.#far.once('close', then);
  }

  end(): void {
    this.#waited = 0;
    this.#near.destroy();
    this.#far.destroy();
  }

  #ask({ bytes, text, isCounted }: Request): void {
    if (!isCounted) {
      this.#far.write(bytes);
      return;
    }
    const fault = this.#faultOf(text);
    if (/^(begin|commit|rollback)/.test(text))
      this.#isSerializable = text === 'begin isolation level serializable';
    if (fault === undefined) this.#pass(bytes);
    else this.#happen(fault, bytes, text);
  }

  #faultOf(text: string): PostgresFault | undefined {
    const planned = this.#plan.faults.get(this.#plan.requests);
    this.#plan.requests += 1;
    if (planned === undefined || (SQLSTATES[planned] !== undefined && !this.#canRefuse(text)))
      return undefined;
    const fault = planned === 'taken' && !this.#isSerializable ? 'serialization' : planned;
    this.#plan.happened.push({ fault, request: text });
    return fault;
  }

  /** A server refuses nobody the end of a transaction, but for the commit of a serializable one. */
  #canRefuse(text: string): boolean {
    return text === 'commit' ? this.#isSerializable : text !== 'rollback';
  }

  #happen(fault: PostgresFault, bytes: Buffer, text: string): void {
    const state = SQLSTATES[fault];
    if (state !== undefined) {
      // The server raises it itself: so its transaction is as after an error of its own.
      this.#pass(raise(state, text === 'commit'));
    } else if (fault === 'slow') {
      this.#waited += 1;
      setTimeout(() => this.#far.write(bytes), SLOW_MS);
    } else if (fault === 'lost after') {
      this.#atAnswer = 'cut';
      this.#pass(bytes);
    } else if (fault === 'lost during') {
      this.#pass(bytes);
      this.#near.destroy();
    } else {
      if (fault === 'refused') this.#plan.refused += 1;
      if (fault === 'terminated')
        this.#near.end(fatal('57P01', 'terminating connection due to administrator command'));
      else this.#near.destroy();
      this.#far.destroy();
    }
  }

  #pass(bytes: Buffer): void {
    this.#waited += 1;
    this.#far.write(bytes);
  }

  #answer(bytes: Buffer): void {
    const ends = this.#answered.ends(bytes);
    if (this.#atAnswer === 'pass') this.#near.write(bytes);
    this.#waited = Math.max(0, this.#waited - ends);
    if (this.#waited === 0 && (this.#atAnswer === 'cut' || this.#near.destroyed)) this.end();
  }
}

/** A query whose answer is that error. After a commit that fails there is no transaction any more. */
function raise(state: string, isCommit: boolean): Buffer {
  const sql = `${isCommit ? 'rollback; ' : ''}do $$ begin raise exception 'injected' using errcode = '${state}'; end $$`;
  const text = Buffer.from(`${sql}\0`);
  const head = Buffer.alloc(5);
  head.write('Q');
  head.writeInt32BE(text.length + 4, 1);
  return Buffer.concat([head, text]);
}

function fatal(code: string, message: string): Buffer {
  const fields = Buffer.from(`SFATAL\0VFATAL\0C${code}\0M${message}\0\0`);
  const head = Buffer.alloc(5);
  head.write('E');
  head.writeInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields]);
}
