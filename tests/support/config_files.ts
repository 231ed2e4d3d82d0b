/** A home and a workspace of their own, with the files a test names, and what loading them needs. */
import { type LoadOptions, resolvePaths } from "../../src/config/mod.ts";

export interface ConfigFiles {
  /** `<home>/config.toml`. */
  readonly user?: string;
  /** `./reasonix.toml`. */
  readonly project?: string;
  /** `./.reasonix/reasonix.toml`. */
  readonly hiddenProject?: string;
  readonly mcpJson?: string;
  /** `<home>/.env`. */
  readonly keys?: string;
  /** The workspace's `.env`. */
  readonly projectEnv?: string;
  readonly trusted?: boolean;
  readonly answered?: boolean;
  readonly agreed?: LoadOptions["agreed"];
  /** Environment; `HOME` is set. */
  readonly env?: Readonly<Record<string, string>>;
  /** More files, relative to the folder above home and workspace. */
  readonly others?: Readonly<Record<string, string>>;
}

export function configFiles(files: ConfigFiles = {}) {
  const base = Deno.realPathSync(Deno.makeTempDirSync());
  const [osHome, workspace] = [`${base}/home`, `${base}/ws`];
  const env = (name: string) => name === "HOME" ? osHome : files.env?.[name];
  const paths = resolvePaths(env, { os: "linux", cwd: workspace });
  Deno.mkdirSync(workspace);
  Deno.mkdirSync(osHome);
  write(paths.userConfig, files.user);
  write(paths.envFile, files.keys);
  write(`${workspace}/reasonix.toml`, files.project);
  write(`${workspace}/.reasonix/reasonix.toml`, files.hiddenProject);
  write(`${workspace}/.mcp.json`, files.mcpJson);
  write(`${workspace}/.env`, files.projectEnv);
  for (const [name, text] of Object.entries(files.others ?? {})) write(`${base}/${name}`, text);
  const options: LoadOptions = {
    ...{ paths, workspace, env },
    trusted: files.trusted ?? false,
    ...(files.answered === undefined ? {} : { answered: files.answered }),
    ...(files.agreed === undefined ? {} : { agreed: files.agreed }),
  };
  return { base, workspace, paths, env, options, [Symbol.dispose]: () => Deno.removeSync(base, { recursive: true }) };
}

function write(path: string, text: string | undefined): void {
  if (text === undefined) return;
  Deno.mkdirSync(path.slice(0, path.lastIndexOf("/")), { recursive: true });
  Deno.writeTextFileSync(path, text);
}
