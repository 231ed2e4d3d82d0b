/**
 * A release's executable in place of another: fetched within bounds, checked against its published hash, started once,
 * and swapped in by a rename. Whatever fails, the old executable stands as it stood.
 */
import { ReasonixError } from "../../../contract/errors.ts";
import { removeStaleTemporaries, replaceFile } from "../../../lib/atomic_file.ts";
import { sha256 } from "../../../lib/bytes.ts";
import { errorText } from "../../../lib/error_text.ts";
import { dirname } from "../../../lib/path.ts";
import { readBounded } from "../../../lib/read_body.ts";
import { checksumFor, CHECKSUMS, type Release } from "./release.ts";

export interface InstallOptions {
  /** Absolute path, links resolved. */
  readonly executable: string;
  /** Its name in the release. */
  readonly asset: string;
  readonly fetch: typeof fetch;
  readonly signal: AbortSignal;
}

const TRIAL_MS = 30_000;
const MOST_TEXT = 4 * 1024 * 1024;
const MOST_BYTES = 512 * 1024 * 1024;

export async function install(release: Release, options: InstallOptions): Promise<void> {
  const { executable, asset } = options;
  const [file, sums] = [release.asset(asset), release.asset(CHECKSUMS)];
  if (file === undefined) {
    throw refused(`release ${release.tag} has no ${asset}`, "Build it from source for this machine.");
  }
  if (sums === undefined) throw refused(`release ${release.tag} has no ${CHECKSUMS}: it cannot be checked`);
  const expected = checksumFor(await fetchText(sums, options), asset);
  if (expected === undefined) throw refused(`${CHECKSUMS} of ${release.tag} does not name ${asset}`);
  const bytes = await fetchBytes(file, { ...options, most: MOST_BYTES });
  const actual = await sha256(bytes);
  if (actual !== expected) {
    throw refused(
      `${asset} of ${release.tag} is not what was published: its hash is ${actual}, not ${expected}`,
      "Try again later; if it stays so, tell the project.",
    );
  }
  await proveStart(bytes, { ...options, tag: release.tag });
  await swap(executable, bytes);
}

/** Started beside its later place: a file system that forbids programs is noticed before anything is replaced. */
async function proveStart(
  bytes: Uint8Array<ArrayBuffer>,
  { executable, tag }: InstallOptions & { readonly tag: string },
): Promise<void> {
  const name = `${dirname(executable)}/.reasonix-new-${crypto.randomUUID().slice(0, 8)}`;
  const trial = Deno.build.os === "windows" ? `${name}.exe` : name;
  try {
    await Deno.writeFile(trial, bytes, { createNew: true, mode: 0o700 });
    const said = await new Deno.Command(trial, {
      args: ["--version"],
      stdin: "null",
      stdout: "piped",
      stderr: "null",
      signal: AbortSignal.timeout(TRIAL_MS),
    }).output();
    const line = new TextDecoder().decode(said.stdout).trim();
    if (!said.success || line !== `reasonix ${tag}`) {
      throw refused(`the new program does not start as it should: it said "${line.slice(0, 80)}"`);
    }
  } catch (error) {
    throw error instanceof ReasonixError ? error : unwritable(executable, error);
  } finally {
    await Deno.remove(trial).catch(() => {});
  }
}

async function swap(executable: string, bytes: Uint8Array): Promise<void> {
  try {
    const stat = await Deno.stat(executable);
    // A running program cannot be replaced on Windows, but it can be moved aside.
    if (Deno.build.os === "windows") {
      await Deno.remove(`${executable}.old`).catch(() => {});
      await Deno.rename(executable, `${executable}.old`);
    }
    try {
      const owner = stat.uid === null || stat.gid === null ? undefined : { uid: stat.uid, gid: stat.gid };
      await replaceFile(executable, bytes, {
        mode: (stat.mode ?? 0o755) & 0o7777 | 0o100,
        ...(owner ? { owner } : {}),
      });
    } catch (error) {
      if (Deno.build.os === "windows") await Deno.rename(`${executable}.old`, executable).catch(() => {});
      throw error;
    }
    await removeStaleTemporaries(dirname(executable));
  } catch (error) {
    throw unwritable(executable, error);
  }
}

export async function fetchText(url: string, options: Pick<InstallOptions, "fetch" | "signal">): Promise<string> {
  return new TextDecoder().decode(await fetchBytes(url, { ...options, most: MOST_TEXT }));
}

async function fetchBytes(
  url: string,
  { fetch, signal, most }: Pick<InstallOptions, "fetch" | "signal"> & { readonly most: number },
): Promise<Uint8Array<ArrayBuffer>> {
  const host = new URL(url).host;
  let response: Response;
  try {
    response = await fetch(url, { signal, headers: { accept: "application/octet-stream, application/json" } });
  } catch (error) {
    throw unreachable(host, error);
  }
  if (!response.ok) {
    await response.body?.cancel();
    throw new ReasonixError(
      "provider.unreachable",
      `${host} answered ${response.status} for ${new URL(url).pathname}`,
      {
        retry: response.status >= 500,
        status: response.status,
      },
    );
  }
  let whole: Uint8Array<ArrayBuffer> | undefined;
  try {
    whole = await readBounded(response.body, { most, signal });
  } catch (error) {
    throw unreachable(host, error);
  }
  if (whole === undefined) throw refused(`${host} sent more than ${most} bytes`);
  return whole;
}

function unreachable(host: string, cause: unknown): ReasonixError {
  return new ReasonixError("provider.unreachable", `${host} cannot be reached`, {
    cause,
    retry: true,
    remedy: "Check the network and the proxy.",
  });
}

function refused(message: string, remedy?: string): ReasonixError {
  return new ReasonixError("provider.bad_response", `${message}; nothing was changed`, remedy ? { remedy } : {});
}

function unwritable(executable: string, cause: unknown): ReasonixError {
  const [why] = errorText(cause).split("\n");
  return new ReasonixError("config.write_failed", `${executable} cannot be replaced: ${why}`, {
    cause,
    remedy: "Run the upgrade as the user who owns the file, or copy the new release there yourself.",
  });
}
