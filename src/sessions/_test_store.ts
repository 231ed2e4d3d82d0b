/** A store over a temporary folder with a clock of its own, for the tests of this folder. */
import { createSessionStore, type Sessions, type SessionStoreOptions } from "./store.ts";

export interface TestStore {
  readonly store: Sessions;
  readonly directory: string;
  readonly stateRoot: string;
  /** What the person was told. */
  readonly told: string[];
  /** Moves the clock on. Milliseconds. */
  tick(ms: number): void;
  /** Another program's store over the same folder. */
  other(options?: Partial<SessionStoreOptions>): Sessions;
}

export async function withStore(
  body: (test: TestStore) => Promise<void>,
  overrides: Partial<SessionStoreOptions> = {},
): Promise<void> {
  const stateRoot = await Deno.makeTempDir({ prefix: "reasonix-sessions-" });
  const directory = `${stateRoot}/sessions`;
  Deno.mkdirSync(directory);
  const told: string[] = [];
  let time = Date.UTC(2026, 0, 31, 9, 45, 12);
  const options: SessionStoreOptions = {
    directory,
    stateRoot,
    holder: { pid: 4711, host: "desk", program: "reasonix run", startedAt: time },
    workspaceRoot: "/project",
    now: () => time,
    notify: (text) => told.push(text),
    ...overrides,
  };
  try {
    await body({
      store: createSessionStore(options),
      directory,
      stateRoot,
      told,
      tick: (ms) => time += ms,
      other: (more = {}) => createSessionStore({ ...options, ...more }),
    });
  } finally {
    await Deno.remove(stateRoot, { recursive: true });
  }
}
