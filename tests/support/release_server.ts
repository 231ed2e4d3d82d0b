/** A host of releases on loopback: an index, and the files of each tag. */
import { toHex } from "../../src/lib/bytes.ts";

export interface ServedRelease {
  readonly tag: string;
  readonly files: Readonly<Record<string, string | Uint8Array<ArrayBuffer>>>;
  /** Hashes in place of the right ones; undefined as a value leaves the line out. */
  readonly sums?: Readonly<Record<string, string | undefined>>;
  readonly more?: Readonly<Record<string, unknown>>;
}

export class ReleaseServer implements AsyncDisposable {
  readonly asked: string[] = [];
  readonly index: string;
  readonly #server: Deno.HttpServer<Deno.NetAddr>;

  constructor(releases: readonly ServedRelease[], options: { readonly form?: "list" | "github" } = {}) {
    const onListen = () => {};
    this.#server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen }, async (request) => {
      const { pathname, origin } = new URL(request.url);
      this.asked.push(pathname);
      if (pathname === "/index.json") return Response.json(toIndex(releases, options.form ?? "list", origin));
      const [, tag, name] = pathname.split("/");
      const release = releases.find((entry) => entry.tag === tag);
      if (release && name === "SHA256SUMS") return new Response(await sumsOf(release));
      const body = release?.files[name ?? ""];
      return body === undefined ? new Response("no such file", { status: 404 }) : new Response(body);
    });
    this.index = `http://127.0.0.1:${this.#server.addr.port}/index.json`;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server.shutdown();
  }
}

function toIndex(releases: readonly ServedRelease[], form: "list" | "github", origin: string): unknown {
  if (form === "list") return { releases: releases.map(({ tag, more }) => ({ tag, ...more })) };
  return releases.map(({ tag, files, more }) => ({
    tag_name: tag,
    assets: [...Object.keys(files), "SHA256SUMS"].map((name) => ({
      name,
      browser_download_url: `${origin}/${tag}/${name}`,
    })),
    ...more,
  }));
}

async function sumsOf({ files, sums = {} }: ServedRelease): Promise<string> {
  const lines = await Promise.all(
    Object.entries(files).filter(([name]) => !(name in sums) || sums[name] !== undefined).map(
      async ([name, content]) => {
        const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content;
        const hash = sums[name] ?? toHex(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)));
        return `${hash}  ${name}\n`;
      },
    ),
  );
  return lines.join("");
}
