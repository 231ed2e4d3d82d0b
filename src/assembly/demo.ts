/** The offline demo: a small broken project in a temporary folder, and a session on the built-in scripted model. */
import { demoTask } from "../providers/mod.ts";
import { assemble } from "./assemble.ts";
import type { Assembly } from "./request.ts";

export interface Demo {
  readonly assembly: Assembly;
  readonly prompt: string;
  /** The project's folder. */
  readonly folder: string;
  /** Removes what the demo made. */
  remove(): Promise<void>;
}

const CONFIG = `default_model = "demo/scripted"

[[providers]]
name = "demo"
kind = "demo"
base_url = "http://127.0.0.1/"
model = "scripted"
api_key_env = ""
context_window = 64000

# The commands are this program's own: the demo also runs where no sandbox is installed.
[sandbox]
bash = "off"
`;

/** The demo has a home of its own: it reads no settings and no keys of the person, and leaves no session behind. */
export async function assembleDemo(): Promise<Demo> {
  const base = await Deno.realPath(await Deno.makeTempDir({ prefix: "reasonix-demo-" }));
  const folder = `${base}/project`;
  const home = `${base}/home`;
  await Promise.all([Deno.mkdir(folder), Deno.mkdir(home)]);
  await Promise.all([
    Deno.writeTextFile(`${home}/config.toml`, CONFIG),
    ...demoTask.files.map((file) => Deno.writeTextFile(`${folder}/${file.path}`, file.text)),
  ]);
  const assembly = await assemble({
    directory: folder,
    posture: "auto",
    maxSteps: 0,
    addDirs: [],
    allowedTools: [],
    copy: false,
    takeover: false,
    interactive: false,
    environment: (name) => name === "REASONIX_HOME" ? home : Deno.env.get(name),
  });
  return { assembly, prompt: demoTask.prompt, folder, remove: () => Deno.remove(base, { recursive: true }) };
}
