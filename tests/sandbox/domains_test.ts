/** Hosts are filtered by a proxy that a command inside the walls reaches through the bridge, and nothing else. */
import assert from "node:assert/strict";
import { insideWalls } from "../support/inside_walls.ts";
import { confinedTest, withBed } from "./bed.ts";

const BRIDGE = [
  Deno.execPath(),
  "run",
  "-A",
  "--no-check",
  "--no-lock",
  insideWalls("tests/sandbox/bridge_main.ts"),
];

async function serving(test: (port: number) => Promise<void>): Promise<void> {
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, (request) => {
    return new Response(
      `${request.method} ${new URL(request.url).pathname} ${request.headers.has("proxy-connection")}\n`,
    );
  });
  try {
    await test((server.addr as Deno.NetAddr).port);
  } finally {
    await server.shutdown();
  }
}

confinedTest(
  "an allowed host is reached through the proxy, plainly and through a tunnel",
  () =>
    serving((port) =>
      withBed({ bridge: BRIDGE, settings: () => ({ allowedDomains: [`127.0.0.1:${port}`] }) }, async ({ run }) => {
        const url = `http://127.0.0.1:${port}/x?y`;
        assert.deepEqual(await run(`curl -sS --noproxy '' ${url}; exit 3`), { code: 3, output: "GET /x false\n" });
        assert.equal((await run(`curl -sS --noproxy '' --proxytunnel ${url}`)).output, "GET /x false\n");
        assert.equal((await run(`curl -sS --noproxy '' --data abc ${url}`)).output, "POST /x false\n");
      })
    ),
);

confinedTest(
  "another host is refused and the refusal names it and the setting",
  () =>
    serving((port) =>
      withBed({ bridge: BRIDGE, settings: () => ({ allowedDomains: ["example.org"] }) }, async ({ run }) => {
        for (const how of ["", "--proxytunnel"]) {
          const ran = await run(`curl -sSf --noproxy '' ${how} http://127.0.0.1:${port}/`);
          assert.notEqual(ran.code, 0);
          assert.match(ran.wallHints![0]!.text, new RegExp(`127.0.0.1:${port}.*allowed_domains`));
        }
      })
    ),
);

confinedTest(
  "there is no way around the proxy",
  () =>
    serving((port) =>
      withBed({ bridge: BRIDGE, settings: () => ({ deniedDomains: ["example.org"] }) }, async ({ run }) => {
        const direct = `curl -sS --noproxy '*' http://127.0.0.1:${port}/`;
        assert.notEqual((await run(direct)).code, 0);
        assert.equal((await run(`curl -sS --noproxy '' http://127.0.0.1:${port}/`)).output, "GET / false\n");
      })
    ),
);

confinedTest(
  "commands run side by side and leave nothing waiting",
  () =>
    withBed({ bridge: BRIDGE, settings: () => ({ allowedDomains: ["example.org"] }) }, async ({ run }) => {
      const outputs = await Promise.all([1, 2, 3].map(async (i) => (await run(`echo ${i}; false | true`)).output));
      assert.deepEqual(outputs, ["1\n", "2\n", "3\n"]);
    }),
);

confinedTest(
  "without a bridge nothing runs that should be filtered",
  () =>
    withBed({ settings: () => ({ allowedDomains: ["example.org"] }) }, async ({ run }) => {
      await assert.rejects(run("true"), { name: "Refusal", code: "sandbox.unavailable", message: /allowed_domains/ });
    }),
);
