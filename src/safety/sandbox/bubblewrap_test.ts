import assert from "node:assert/strict";
import { bwrapArguments } from "./bubblewrap.ts";
import { WALLS } from "../../../tests/support/walls.ts";

const OPTIONS = { standIns: { "/ws/secret": "/masks/1" }, cwd: "/ws/sub", forbidsNesting: true };

Deno.test("the walls in bubblewrap's words, in the order that makes them hold", () => {
  const expected = `
    --unshare-user --disable-userns --cap-drop ALL
    --unshare-pid --unshare-ipc --unshare-uts --unshare-cgroup-try --die-with-parent --new-session
    --unshare-net
    --ro-bind / /
    --dev /dev --tmpfs /dev/shm --proc /proc --remount-ro /proc
    --tmpfs /run --dir /run/user/1000
    --bind /tmp/reasonix-1 /tmp
    --ro-bind-try /run/systemd/resolve/stub-resolv.conf /run/systemd/resolve/stub-resolv.conf
    --bind /ws /ws --bind /more /more
    --bind-try /home/u/.cargo /home/u/.cargo --ro-bind-try /home/u/.cargo/bin /home/u/.cargo/bin
    --bind /ws/.git /ws/.git --ro-bind /ws/.git/hooks /ws/.git/hooks
    --tmpfs /home/u/.ssh --remount-ro /home/u/.ssh
    --ro-bind /masks/1 /ws/secret
    --ro-bind /dev/null /home/u/.docker/run/docker.sock
    --remount-ro /dev
    --chdir /ws/sub --`;
  assert.deepEqual(bwrapArguments(WALLS, OPTIONS), expected.trim().split(/\s+/));
});

Deno.test("an open network, no folder for temporary files, an old bubblewrap", () => {
  const { temp: _, ...rest } = WALLS;
  const args = bwrapArguments({ ...rest, network: "open" }, { ...OPTIONS, forbidsNesting: false }).join(" ");
  assert.doesNotMatch(args, /--unshare-net|--disable-userns/);
  assert.match(args, /--tmpfs \/tmp /);
});

Deno.test("what a workspace in the machine's /tmp lies in is not there to be written", () => {
  const roots = ["/tmp/a/ws", "/tmp/b", "/ws"];
  const guards = [{ path: "/tmp/c/main/.git", access: "rw" }, { path: "/tmp/b/.git", access: "rw" }] as const;
  const args = bwrapArguments({ ...WALLS, roots, guards }, OPTIONS).join(" ");
  assert.match(args, /--bind \/tmp\/reasonix-1 \/tmp --tmpfs \/tmp\/a --tmpfs \/tmp\/c --ro-bind-try /);
  assert.match(args, / --remount-ro \/tmp\/a --remount-ro \/tmp\/c --remount-ro \/dev --chdir /);
  const whole = bwrapArguments({ ...WALLS, roots: ["/tmp"], guards }, OPTIONS).join(" ");
  assert.doesNotMatch(whole, /--tmpfs \/tmp/);
});

Deno.test("the proxy's socket appears inside a network of its own", () => {
  const args = bwrapArguments({ ...WALLS, network: "proxy", proxySocket: "/p/proxy.sock" }, OPTIONS).join(" ");
  assert.match(args, /--unshare-net .*--ro-bind \/p\/proxy\.sock \/run\/reasonix-proxy\.sock /);
});

Deno.test("root in somebody else's workspace keeps the rights to files and nothing else", () => {
  const args = bwrapArguments({ ...WALLS, foreignRoot: true }, OPTIONS).join(" ");
  assert.match(
    args,
    /^--cap-drop ALL --cap-add CAP_DAC_OVERRIDE --cap-add CAP_FOWNER --cap-add CAP_CHOWN --unshare-pid/,
  );
});

Deno.test("the whole disk as a write root leaves devices and processes their own", () => {
  const args = bwrapArguments({ ...WALLS, roots: ["/"] }, OPTIONS);
  assert.deepEqual(args.slice(args.indexOf("--unshare-net") + 1).slice(0, 5), ["--bind", "/", "/", "--dev", "/dev"]);
  assert.equal(args.filter((arg) => arg === "/").length, 2);
});
