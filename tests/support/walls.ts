/** Walls with one of everything, for tests of what is made of them. */
import type { Walls } from "../../src/safety/mod.ts";

export const WALLS: Walls = {
  roots: ["/ws", "/more"],
  caches: [{ path: "/home/u/.cargo", access: "rw" }, { path: "/home/u/.cargo/bin", access: "ro" }],
  guards: [{ path: "/ws/.git", access: "rw" }, { path: "/ws/.git/hooks", access: "ro" }],
  masks: [{ path: "/home/u/.ssh", kind: "folder" }, { path: "/ws/secret", kind: "file" }],
  deniedSockets: ["/home/u/.docker/run/docker.sock"],
  emptied: ["/run"],
  runtimeFolder: "/run/user/1000",
  kept: ["/run/systemd/resolve/stub-resolv.conf"],
  temp: "/tmp/reasonix-1",
  network: "off",
  absentGitFiles: [],
  cacheFallbacks: {},
  foreignRoot: false,
};
