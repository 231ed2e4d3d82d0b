/** The entry: arguments in, exit code out. Everything else is loaded when it is needed. */
import { main } from "./src/frontends/cli/mod.ts";

// Nothing is awaited at the top: a module that waits cannot be packed. A program that runs dry before its end has failed.
Deno.exitCode = 1;
main(Deno.args).then(Deno.exit);
