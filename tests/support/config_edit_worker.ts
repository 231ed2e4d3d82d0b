/** One of several processes that change the same config file: `<file> <name> <count>`. Says `ready`, waits for a line, works. */
import { editConfigFile } from "../../src/config/edit/edit_config_file.ts";

const [file, name, count] = Deno.args as [string, string, string];
await Deno.stdout.write(new TextEncoder().encode("ready\n"));
await Deno.stdin.read(new Uint8Array(16));
for (let i = 0; i < Number(count); i++) {
  await editConfigFile(file, [{ set: ["workers", name, `key_${i}`], value: i }]);
}
