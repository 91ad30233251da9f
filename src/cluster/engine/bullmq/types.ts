/**
 * What is used of BullMQ and ioredis. Their own types would make every program that sees ours fetch these packages.
 *
 * @module
 */

/** A connection of ioredis. */
export interface Redis {
  /** Opens it, where it is not opened at once. */
  connect(): Promise<void>;
  /** Sends a command. */
  call(command: string, ...args: (string | number)[]): Promise<unknown>;
  /** Closes it without waiting. */
  disconnect(): void;
  /** Listens. */
  on(event: "error", listener: (error: Error) => void): unknown;
}

/** How a connection behaves. */
export interface RedisOptions {
  /** Host. */
  readonly host?: string;
  /** Port. */
  readonly port?: number;
  /** Sentinels. */
  readonly sentinels?: readonly { readonly host: string; readonly port: number }[];
  /** Name of the group that sentinels watch. */
  readonly name?: string;
  /** User. */
  readonly username?: string;
  /** Password. */
  readonly password?: string;
  /** Password of sentinels. */
  readonly sentinelPassword?: string;
  /** Number of the data base. */
  readonly db?: number;
  /** Set: TLS. */
  readonly tls?: object;
  /** Whether to wait for `connect()`. */
  readonly lazyConnect?: boolean;
  /** Milliseconds to wait for a connection. */
  readonly connectTimeout?: number;
  /** How often a command is sent again; `null`: for ever. */
  readonly maxRetriesPerRequest?: number | null;
  /** Milliseconds until the next attempt to connect; `null`: none. */
  readonly retryStrategy?: (times: number) => number | null;
}

/** The package ioredis. */
export interface IoRedis {
  /** Makes connections. */
  readonly Redis: new (options: RedisOptions) => Redis;
}

/** A job of BullMQ. */
export interface BullJob {
  /** Its name. */
  readonly id?: string;
  /** What it says. */
  readonly data: unknown;
  /** What its worker said last. */
  readonly progress: unknown;
  /** Why it failed last. */
  readonly failedReason?: string;
  /** When it ended. */
  readonly finishedOn?: number;
  /** How often its worker vanished. */
  readonly stalledCounter: number;
  /** How often it failed. */
  readonly attemptsMade: number;
  /** Keeps it. 0: it is not held. */
  extendLock(token: string, milliseconds: number): Promise<number>;
  /** Says how far it is. */
  updateProgress(progress: unknown): Promise<void>;
  /** Ends it. */
  moveToCompleted(value: unknown, token: string, fetchNext: boolean): Promise<unknown>;
  /** Ends it with an error, or tries it again, as its options say. */
  moveToFailed(error: Error, token: string, fetchNext: boolean): Promise<unknown>;
  /** Gives it back. */
  moveToWait(token: string): Promise<unknown>;
  /** Puts it into the queue, if it waits for a delay. */
  promote(): Promise<void>;
}

/** How a job is added. */
interface BullJobOptions {
  /** Its name: the second one of a name is not added. */
  readonly jobId: string;
  /** Lower numbers first, from 1. */
  readonly priority: number;
  /** How often it is tried. */
  readonly attempts: number;
  /** Pauses between tries. */
  readonly backoff: { readonly type: "exponential" | "fixed"; readonly delay: number };
  /** Whether it is forgotten when it is done. */
  readonly removeOnComplete: boolean;
}

/** A queue. */
export interface BullQueue {
  /** Adds jobs. */
  addBulk(jobs: readonly { name: string; data: unknown; opts: BullJobOptions }[]): Promise<unknown>;
  /** The names of jobs in these states, at one moment for each of them. */
  getRanges(states: readonly string[], start: number, end: number): Promise<string[]>;
  /** Jobs in these states. */
  getJobs(states: readonly string[]): Promise<(BullJob | undefined)[]>;
  /** A job. */
  getJob(id: string): Promise<BullJob | undefined>;
  /** Removes a job; 0 if it is held. */
  remove(id: string): Promise<number>;
  /** Ends it. */
  close(): Promise<void>;
  /** Listens. */
  on(event: "error", listener: (error: Error) => void): unknown;
}

/** What takes jobs from a queue. */
export interface BullWorker {
  /** The next job. */
  getNextJob(token: string, options: { block: boolean }): Promise<BullJob | undefined>;
  /** Searches for jobs whose worker vanished, now and then. */
  startStalledCheckTimer(): Promise<void>;
  /** Ends it; with `force`, without waiting. */
  close(force: boolean): Promise<void>;
  /** Listens. */
  on(event: "error", listener: (error: Error) => void): unknown;
}

/** How a worker waits. */
export interface BullWaits {
  /** Milliseconds for which a job is locked. */
  readonly lockDuration: number;
  /** Milliseconds between two searches for jobs whose worker vanished. */
  readonly stalledInterval: number;
  /** How often a job may be stalled. */
  readonly maxStalledCount: number;
  /** Whether locks are renewed by hand. */
  readonly skipLockRenewal: boolean;
  /** Whether it begins by itself. */
  readonly autorun: boolean;
}

/** Where a queue is; `prefix` stands before its keys on Redis. */
interface BullConnection {
  /** The connection. */
  readonly connection: Redis | PgPool;
  /** Before the keys. */
  readonly prefix?: string;
}

/** What speaks to a server; default: to Redis. */
type BullBackend = (...args: never[]) => unknown;

/** The package BullMQ. */
export interface BullMq {
  /** Makes queues. */
  readonly Queue: new (name: string, options: BullConnection, backend?: BullBackend) => BullQueue;
  /** Makes workers. */
  readonly Worker: new (
    name: string,
    processor: null,
    options: BullWaits & BullConnection,
    backend?: BullBackend,
  ) => BullWorker;
  /** An error after which a job is not tried again. */
  readonly UnrecoverableError: new (message: string) => Error;
  /** Speaks to PostgreSQL. */
  readonly createPostgresBackend: BullBackend;
  /** Makes tables and functions, or brings them up to date; one process at a time. */
  readonly runMigrations: (client: PgClient) => Promise<number>;
}

/** What PostgreSQL answers. */
export interface PgAnswer {
  /** The rows. */
  readonly rows: readonly Readonly<Record<string, unknown>>[];
}

/** A connection to PostgreSQL. */
export interface PgClient {
  /** Sends a query. */
  query(text: string, values?: readonly unknown[]): Promise<PgAnswer>;
  /** Listens. */
  on(event: "error", listener: (error: Error) => void): unknown;
  /** Gives it back to its pool, or closes it. */
  release(close?: boolean): void;
}

/** Connections to PostgreSQL. */
export interface PgPool {
  /** Sends a query on one of them. */
  query(text: string, values?: readonly unknown[]): Promise<PgAnswer>;
  /** One of them alone. */
  connect(): Promise<PgClient>;
  /** Closes them. */
  end(): Promise<void>;
  /** Listens. */
  on(event: "error", listener: (error: Error) => void): unknown;
  /** Is told of every new connection. */
  on(event: "connect", listener: (client: PgClient) => void): unknown;
}

/** The package pg. */
export interface Pg {
  /** Makes connections. */
  readonly Pool: new (options: {
    readonly connectionString: string;
    readonly options: string;
    readonly keepAlive: boolean;
    readonly max: number;
    readonly connectionTimeoutMillis: number;
  }) => PgPool;
}
