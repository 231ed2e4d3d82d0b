import assert from "node:assert/strict";
import { WALLS } from "../../../tests/support/walls.ts";
import { seatbeltProfile } from "./seatbelt.ts";

Deno.test("the walls in Seatbelt's words: what comes later decides", () => {
  const expected = `(version 1)
(allow default)
(deny file-write*)
(allow file-write* (subpath "/dev"))
(allow file-write* (subpath "/tmp"))
(allow file-write* (subpath "/private/tmp"))
(allow file-write* (subpath "/private/var/tmp"))
(allow file-write* (subpath "/private/var/folders"))
(allow file-write* (subpath "/tmp/reasonix-1"))
(allow file-write* (subpath "/ws"))
(allow file-write* (subpath "/more"))
(allow file-write* (subpath "/home/u/.cargo"))
(deny file-write* (subpath "/home/u/.cargo/bin"))
(allow file-write* (subpath "/ws/.git"))
(deny file-write-unlink (literal "/ws/.git"))
(deny file-write* (subpath "/ws/.git/hooks"))
(deny file-write-unlink (literal "/ws/.git/hooks"))
(deny file-read* file-write* (subpath "/home/u/.ssh"))
(deny file-write-unlink (literal "/home/u"))
(deny file-read* file-write* (subpath "/ws/secret"))
(deny file-write-unlink (literal "/ws"))
(deny network*)
(allow network-outbound (remote unix-socket))
(allow network-bind (local unix-socket))
(deny network-outbound (remote unix-socket (subpath "/home/u/.docker/run/docker.sock")))
`;
  assert.equal(seatbeltProfile(WALLS), expected);
});

Deno.test("a path cannot end its quotes, and only the proxy's port is reached", () => {
  const profile = seatbeltProfile({ ...WALLS, roots: ['/a"b\\c'], network: "proxy", proxyPort: 4711 });
  assert.match(profile, /\(subpath "\/a\\"b\\\\c"\)/);
  assert.match(profile, /\(deny network\*\)[^]*\(allow network-outbound \(remote ip "localhost:4711"\)\)/);
  assert.doesNotMatch(seatbeltProfile({ ...WALLS, network: "open" }), /deny network\*/);
});
