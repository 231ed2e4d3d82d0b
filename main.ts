/** The entry: arguments in, exit code out. Everything else is loaded when it is needed. */
import { main } from "./src/frontends/cli/mod.ts";

Deno.exit(await main(Deno.args));
