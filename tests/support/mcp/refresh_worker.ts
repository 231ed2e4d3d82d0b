/** One of several processes that find a token ended at the same time: prints the token it ends up with. */
import { createCredentials } from "../../../src/mcp/oauth/credentials.ts";
import { SignInStore } from "../../../src/mcp/oauth/store.ts";

const [folder = "", resource = ""] = Deno.args;
const credentials = createCredentials({ store: new SignInStore(folder), resource, fetch });
await credentials.token();
await credentials.onUnauthorized!({ response: new Response(), serverUrl: new URL(resource), fetchFn: fetch });
console.log(await credentials.token());
