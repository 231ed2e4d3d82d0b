/** Programs the person asks for: a command of their own, the editor, the clipboard. The model has no part in them. */
import { join } from "../../../lib/path.ts";
import { createFile } from "../../../lib/whole_writes.ts";
import type { Processes } from "../../../contract/workspace.ts";

export interface ShellRun {
  readonly ended: Promise<{ readonly code?: number; readonly signal?: string }>;
  kill(): Promise<void>;
}

export async function runShell(
  processes: Processes,
  command: string,
  onText: (text: string) => void,
): Promise<ShellRun> {
  const decoder = new TextDecoder();
  const running = await processes.start({
    command: { shell: command },
    onOutput: (bytes) => onText(decoder.decode(bytes, { stream: true })),
  });
  return { ended: running.ended, kill: () => running.kill() };
}

export type EditResult =
  | { readonly kind: "edited"; readonly text: string }
  | { readonly kind: "no_editor" }
  | { readonly kind: "failed"; readonly editor: string; readonly code: number };

/** Opens the text in the person's editor, which has the terminal meanwhile. */
export async function editOutside(text: string, env: (name: string) => string | undefined): Promise<EditResult> {
  const editor = (env("VISUAL") ?? "").trim() || (env("EDITOR") ?? "").trim();
  if (editor === "") return { kind: "no_editor" };
  const folder = await Deno.makeTempDir({ prefix: "reasonix-draft-" });
  const file = join(folder, "draft.md");
  try {
    await Deno.writeTextFile(file, text, { mode: 0o600 });
    const [program = "", ...args] = editor.split(/\s+/);
    const { code } = await new Deno.Command(program, {
      args: [...args, file],
      stdin: "inherit",
      stdout: "inherit",
      stderr: "inherit",
    })
      .spawn().status;
    if (code !== 0) return { kind: "failed", editor: program, code };
    return { kind: "edited", text: (await Deno.readTextFile(file)).replace(/\r?\n$/, "") };
  } catch {
    return { kind: "failed", editor, code: 127 };
  } finally {
    await Deno.remove(folder, { recursive: true }).catch(() => {});
  }
}

/** Programs that print the clipboard's image as PNG, by platform. */
const CLIPBOARD: Readonly<Record<string, readonly (readonly string[])[]>> = {
  darwin: [["pngpaste", "-"]],
  linux: [["wl-paste", "--type", "image/png"], ["xclip", "-selection", "clipboard", "-t", "image/png", "-o"]],
};

const PNG = [0x89, 0x50, 0x4e, 0x47];
const IMAGE_LIMIT = 20 * 1024 * 1024;

export type PastedImage =
  | { readonly kind: "kept"; readonly path: string }
  | { readonly kind: "none" }
  | { readonly kind: "unsupported"; readonly programs: readonly string[] };

/** Keeps the image of the clipboard as a private file in the home. */
export async function pasteImage(processes: Processes, home: string): Promise<PastedImage> {
  const known = CLIPBOARD[Deno.build.os] ?? [];
  let found = false;
  for (const [program, ...args] of known) {
    const path = await processes.which(program!);
    if (path === undefined) continue;
    found = true;
    const output = await new Deno.Command(path, { args, stdin: "null", stdout: "piped", stderr: "null" }).output()
      .catch(() => undefined);
    const bytes = output?.stdout;
    if (bytes === undefined || bytes.length > IMAGE_LIMIT || PNG.some((byte, at) => bytes[at] !== byte)) continue;
    const folder = join(home, "pasted-images");
    await Deno.mkdir(folder, { recursive: true, mode: 0o700 });
    const file = join(folder, `${new Date().toISOString().replaceAll(":", "-")}.png`);
    await createFile(file, bytes, { mode: 0o600 });
    return { kind: "kept", path: file };
  }
  return found ? { kind: "none" } : { kind: "unsupported", programs: known.map(([program]) => program!) };
}

/** Programs that take a text for the clipboard on their input, by platform. */
const COPY: Readonly<Record<string, readonly (readonly string[])[]>> = {
  darwin: [["pbcopy"]],
  linux: [["wl-copy"], ["xclip", "-selection", "clipboard"]],
  windows: [["clip"]],
};

/** False when no program here takes it: then only the terminal itself can. */
export async function copyText(processes: Processes, text: string): Promise<boolean> {
  for (const [program, ...args] of COPY[Deno.build.os] ?? []) {
    const path = await processes.which(program!);
    if (path === undefined) continue;
    try {
      const child = new Deno.Command(path, { args, stdin: "piped", stdout: "null", stderr: "null" }).spawn();
      const writer = child.stdin.getWriter();
      await writer.write(new TextEncoder().encode(text));
      await writer.close();
      if ((await child.status).success) return true;
    } catch {
      // The next one may do.
    }
  }
  return false;
}

/** Asks the terminal to take a text to its clipboard: works through SSH. */
export function terminalCopy(text: string): string {
  return `\x1b]52;c;${base64(text)}\x07`;
}

function base64(text: string): string {
  let binary = "";
  for (const byte of new TextEncoder().encode(text)) binary += String.fromCharCode(byte);
  return btoa(binary);
}
