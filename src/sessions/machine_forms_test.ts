import assert from "node:assert/strict";
import { ReasonixError } from "../contract/errors.ts";
import { type TestStore, withStore } from "./_test_store.ts";
import { toSessionError, toSessionList, toSessionRecovery, toSessionShow, toSessionStatus } from "./machine_forms.ts";

async function saved(test: TestStore) {
  const made = await test.store.create({ model: "demo/one" });
  made.append({ role: "user", content: "Fix the build" });
  made.append({ role: "assistant", content: "Done." });
  await made.close();
  return made;
}

const ROW = {
  preview: "Fix the build",
  status: "idle",
  turns: 1,
  model: "demo/one",
  created_at: "2026-01-31T09:45:12.000Z",
  updated_at: "2026-01-31T09:45:12.000Z",
  recovered: false,
};

Deno.test("programs read sessions as one envelope a command", async () => {
  await withStore(async (test) => {
    assert.deepEqual(toSessionList(await test.store.inspectAll()), {
      schema_version: 1,
      command: "session.list",
      sessions: [],
    });
    const { id, path } = await saved(test);
    const session = await test.store.inspect(id);
    const row = { id: session.machineId, ...ROW };
    assert.deepEqual(toSessionList(await test.store.inspectAll()), {
      schema_version: 1,
      command: "session.list",
      sessions: [row],
    });
    assert.deepEqual(toSessionShow(session), {
      schema_version: 1,
      command: "session.show",
      session: { ...row, transcript_id: id, path, bytes: Deno.statSync(path).size, workspace_root: "/project" },
    });
    assert.deepEqual(toSessionStatus(session), {
      schema_version: 1,
      command: "session.status",
      session: { id: session.machineId, status: "idle", updated_at: "2026-01-31T09:45:12.000Z" },
    });
    assert.deepEqual(toSessionRecovery([session]), {
      schema_version: 1,
      command: "session.recovery",
      recoveries: [],
    });
  });
});

Deno.test("a turn is running while its holder lives and interrupted after", async () => {
  await withStore(async (test) => {
    const made = await test.store.create({ model: "demo/one" });
    made.beginTurn({ id: "t1" });
    made.append({ role: "user", content: "go" });
    const status = async () => (toSessionStatus(await test.store.inspect(made.id)) as { session: unknown }).session;
    const { machineId } = await test.store.inspect(made.id);
    const rest = {
      id: machineId,
      updated_at: "2026-01-31T09:45:12.000Z",
      in_flight_turn: { id: "t1", started_at: "2026-01-31T09:45:12.000Z" },
    };
    assert.deepEqual(await status(), {
      ...rest,
      status: "running",
      holder: { pid: 4711, host: "desk", program: "reasonix run", started_at: "2026-01-31T09:45:12.000Z" },
    });
    await made.close();
    assert.deepEqual(await status(), { ...rest, status: "interrupted" });
  });
});

Deno.test("recovery names branches and what was set aside", async () => {
  await withStore(async (test) => {
    const made = await saved(test);
    const original = made.path;
    const { transcript } = await test.store.open(made.id);
    Deno.writeTextFileSync(original, "torn", { append: true });
    transcript.append({ role: "user", content: "more" });
    await transcript.close();
    await (await test.store.open(made.id)).transcript.close();
    const branch = await test.store.inspect(transcript.id);
    const parent = await test.store.inspect(made.id);
    assert.deepEqual(toSessionRecovery([branch, parent]), {
      schema_version: 1,
      command: "session.recovery",
      recoveries: [
        {
          id: branch.machineId,
          kind: "branch",
          parent_id: parent.machineId,
          reason: "changed",
          path: transcript.path,
          updated_at: "2026-01-31T09:45:12.000Z",
        },
        { id: parent.machineId, kind: "set_aside", path: `${original}.damaged`, bytes: 5 },
      ],
    });
  });
});

Deno.test("a failure is an envelope with a code", () => {
  assert.deepEqual(toSessionError("session.show", new ReasonixError("session.not_found", `no session matches "x"`)), {
    schema_version: 1,
    command: "session.show",
    error: { code: "session_not_found", message: `no session matches "x"` },
  });
  assert.deepEqual(toSessionError("session.list", new TypeError("oops")), {
    schema_version: 1,
    command: "session.list",
    error: { code: "internal_bug", message: "oops" },
  });
});
