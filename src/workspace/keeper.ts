/**
 * The first process of a room: walls that stand while commands run in them one after another. It is a bash that starts
 * each command as its child and tells how it ended. Nobody inside can stop it, since it is the first process of its
 * namespace, nor look into it, since the file it was started from cannot be read (the kernel then keeps `/proc/1` and
 * `ptrace` from everyone); it says `open` and gives up where that does not hold. Limits and priority can be set on it:
 * it looks at them, and at places of the room itself, after each command. Before each it proves that the walls are those
 * it began with, and after each that no process is left.
 *
 * Requests are fields that end with a NUL: a nonce, the reporter of pipelines or nothing, the number of words, the
 * words, none for no command. The walls are looked at when the nonce has come, so that it can be sent ahead. The nonce
 * is never shown to the command, so nothing the command writes can be taken for the keeper's word. On standard error
 * come lines:
 *
 *     up                     the room can be used
 *     stale N                the walls or the folder have changed, or commands before it left something in places of
 *                            the room itself or on the keeper; this one was not begun
 *     begun N
 *     ended N 3 pipe 1 0     the command has ended
 *     free N                 nothing of it is left, and the next may come
 *     left N                 it left processes behind, which have the room from now on
 *
 * What follows the exit code was written by the reporter of pipelines and is the command's own word: it goes by a pipe
 * of its own, so that no command ever holds this channel. On standard output comes the command's own output and then,
 * when nothing is left, a mark that holds the nonce. It tells nothing else: somebody may have been handed that pipe.
 *
 * Pure.
 */
import { toBytes } from "../lib/bytes.ts";

/** Words of a request are read byte by byte. Longer commands are quicker in a start of their own. */
export const LONGEST_REQUEST = 8000;

/**
 * Variables have names that no environment has: one that came in would reach the command changed. `SHLVL` is what it
 * would be without this shell in between.
 */
const SCRIPT = `
unset reasonix_script
SHLVL=$((SHLVL - 1))
shopt -s nullglob dotglob
# A pipe out of which nothing ever comes, to wait for: a program would be looked for where commands may write. Aside,
# since a shell that has read with a limit can be ended by signals.
exec 6<<<"" && read -r -u 6 && [[ -p /proc/self/fd/6 ]] && exec 5<>/proc/self/fd/6 6<&- || exit 3
reasonix_wait() { ( read -r -t "$1" -u 5 ); }
reasonix_walls() { mapfile -t reasonix_mounts </proc/self/mountinfo; }
# What only a process inside can set: limits, priority, niceness and policy, the processors that may be used.
reasonix_settings() {
  mapfile -t reasonix_limits </proc/self/limits && mapfile -t reasonix_facts </proc/self/status &&
    read -r -a reasonix_numbers </proc/self/stat || return
  reasonix_there+=("\${reasonix_limits[@]}" "\${reasonix_numbers[@]:17:2}" "\${reasonix_numbers[@]:39:2}")
  for reasonix_fact in "\${reasonix_facts[@]}"; do
    if [[ $reasonix_fact == Cpus_allowed:* ]]; then reasonix_there+=("$reasonix_fact"); fi
  done
}
# Folders of the room's own: what lies above a mount in /run.
reasonix_folders() {
  reasonix_own=(/dev/shm /run \${XDG_RUNTIME_DIR:+"$XDG_RUNTIME_DIR"})
  for reasonix_mount in "\${reasonix_mounts[@]}" "- - - - \${XDG_RUNTIME_DIR:-/}"; do
    read -r _ _ _ _ reasonix_mount _ <<<"$reasonix_mount"
    while [[ $reasonix_mount == /run/*/* ]]; do
      reasonix_mount=\${reasonix_mount%/*}
      reasonix_own+=("$reasonix_mount")
    done
  done
}
reasonix_traces() {
  reasonix_there=()
  for reasonix_folder in "\${reasonix_own[@]}"; do
    [[ -r $reasonix_folder && -w $reasonix_folder && -x $reasonix_folder ]] || reasonix_there+=(closed)
    reasonix_there+=("$reasonix_folder"/*)
  done
  for reasonix_file in /proc/sysvipc/*; do
    mapfile -t reasonix_lines <"$reasonix_file" && reasonix_there+=("\${reasonix_lines[@]}")
  done
  reasonix_settings || reasonix_there+=(unknown)
}
# Whatever has lost its parent is a child of this process. What cannot be looked at may be there.
reasonix_others() {
  reasonix_found=unknown
  { reasonix_found=; read -r reasonix_found; } </proc/1/task/1/children
  [[ $reasonix_found ]]
}
reasonix_walls || exit 3
[[ -r /proc/1/task/1/children ]] || exit 3
reasonix_first="\${reasonix_mounts[*]}"
reasonix_folders
reasonix_traces
reasonix_clean="\${reasonix_there[*]}"
if ( : </proc/1/environ ) 2>/dev/null; then echo open >&2; exit 3; fi
echo up >&2
while IFS= read -r -d '' reasonix_nonce; do
  reasonix_fit=
  reasonix_walls && [ "\${reasonix_mounts[*]}" = "$reasonix_first" ] && [ "\${reasonix_there[*]}" = "$reasonix_clean" ] &&
    [ . -ef "$1" ] && reasonix_fit=yes
  IFS= read -r -d '' reasonix_report && IFS= read -r -d '' reasonix_count || exit 3
  reasonix_words=()
  while ((\${#reasonix_words[@]} < reasonix_count)); do
    IFS= read -r -d '' reasonix_word || exit 3
    reasonix_words+=("$reasonix_word")
  done
  ((reasonix_count)) || continue
  if [[ ! $reasonix_fit ]]; then
    echo "stale $reasonix_nonce" >&2
    exit
  fi
  echo "begun $reasonix_nonce" >&2
  # The pipe is opened anew: what a command sets on its end of it stays its own.
  if [[ $reasonix_report ]]; then
    exec 6<<<"" && read -r -u 6
    BASH_ENV=/proc/self/fd/8 "\${reasonix_words[@]}" </dev/null >/proc/self/fd/1 2>&1 5<&- 9>/proc/self/fd/6 6<&- 8<<E
$reasonix_report
E
  else
    "\${reasonix_words[@]}" </dev/null >/proc/self/fd/1 2>&1 5<&-
  fi
  reasonix_status=$?
  reasonix_codes=
  if [[ $reasonix_report ]]; then
    read -t 0 -u 6 && read -r -n 1000 -u 6 reasonix_codes
    exec 6<&-
  fi
  echo "ended $reasonix_nonce $reasonix_status $reasonix_codes" >&2
  reasonix_others
  # What ends with the command may take a moment, and has to be collected.
  for reasonix_moment in 0.001 0.001 0.002 0.01 0.01 0.02 0.02; do
    [[ $reasonix_found ]] || break
    reasonix_wait $reasonix_moment
    reasonix_others
  done
  if [[ $reasonix_found ]]; then
    echo "left $reasonix_nonce" >&2
    while reasonix_others; do reasonix_wait 0.3; done
    exit $reasonix_status
  fi
  printf '\\036%s' "$reasonix_nonce"
  echo "free $reasonix_nonce" >&2
  # Looked at while nobody waits.
  reasonix_traces
done
`;

/** `-p`: nothing in the environment is run or imported. `cwd`: the folder commands start in, as they were told it. */
export function keeperArguments(keeper: string, cwd: string): string[] {
  return [keeper, "-p", "-c", 'eval "$reasonix_script"', "keeper", cwd];
}

/** Over the environment of the commands. As an argument the script would fill every list of processes that they read. */
export const KEEPER_ENVIRONMENT = { reasonix_script: SCRIPT };

export interface KeeperRequest {
  /** The script of `launch.ts` that reports pipelines; empty for none. */
  readonly reporter: string;
  readonly argv: readonly string[];
}

/** The fields after the nonce. */
export function requestFields({ reporter, argv }: KeeperRequest): string[] {
  return [reporter, String(argv.length), ...argv];
}

/** Ends a request whose command will not come. */
export const NO_COMMAND: readonly string[] = requestFields({ reporter: "", argv: [] });

export function encodeFields(fields: readonly string[]): Uint8Array<ArrayBuffer> {
  return toBytes(fields.map((field) => `${field}\0`).join(""));
}

/** Variables that change how a shell reads or looks, that it would change on their way, or that are its own here. */
const UNFIT = /^(?:TMOUT|POSIXLY_CORRECT|GLOBIGNORE|BASHOPTS|BASH_ARGV0|reasonix_.*)$/;

/** Whether a shell with this environment reads requests as they are written. */
export function canKeep(env: Readonly<Record<string, string>>): boolean {
  const locale = env.LC_ALL || env.LC_CTYPE || env.LANG || "C";
  return !Object.keys(env).some((name) => UNFIT.test(name)) && /^(?:C|POSIX)$|utf-?8/i.test(locale);
}

export type Word = "stale" | "begun" | "ended" | "free" | "left";

/** Takes what comes on the control channel while one command is in the room. */
export class KeeperWords {
  readonly #nonce: string;
  #rest = "";

  constructor(nonce: string) {
    this.#nonce = nonce;
  }

  /** Answers what the keeper has said with this piece. */
  add(piece: string): readonly { readonly word: Word; readonly text: string }[] {
    const text = this.#rest + piece;
    const end = text.lastIndexOf("\n") + 1;
    this.#rest = text.slice(end).slice(0, 4000);
    return text.slice(0, end).split("\n").flatMap((line) => {
      const [word, nonce] = line.split(" ", 2);
      return nonce === this.#nonce ? [{ word: word as Word, text: line.slice(`${word} ${nonce} `.length) }] : [];
    });
  }
}

/** What stands behind `ended`. */
export function parseEnd(text: string): { readonly code: number; readonly stages: string } {
  const [code = "", ...stages] = text.split(" ");
  return { code: Number(code), stages: stages.join(" ") };
}

/** Gives on what a command writes and stops at the mark after it, in whatever pieces they come. */
export class OutputUntil {
  readonly #mark: Uint8Array;
  readonly #onBytes: (bytes: Uint8Array) => void;
  /** How much of the mark has come and is held back. */
  #held = 0;
  #marked = true;
  #done = false;
  #strays = false;

  constructor(nonce: string, onBytes: (bytes: Uint8Array) => void) {
    this.#mark = new TextEncoder().encode(`\x1e${nonce}`);
    this.#onBytes = onBytes;
  }

  /** The mark has come, and nothing comes after it. */
  get done(): boolean {
    return this.#done;
  }

  /** Something came after the mark, which no command wrote that was in the room. */
  get strays(): boolean {
    return this.#strays;
  }

  add(piece: Uint8Array): void {
    if (!this.#marked) return this.#onBytes(piece);
    if (this.#done) return void (this.#strays = true);
    let bytes = piece;
    if (this.#held > 0) {
      bytes = new Uint8Array(this.#held + piece.length);
      bytes.set(this.#mark.subarray(0, this.#held));
      bytes.set(piece, this.#held);
    }
    const { at, length } = this.#find(bytes);
    this.#held = length;
    this.#done = length === this.#mark.length;
    this.#strays = at + length < bytes.length;
    if (at > 0) this.#onBytes(bytes.subarray(0, at));
  }

  /** No mark will come: what is held back was the command's own, as is all that follows. */
  release(): void {
    if (this.#held > 0 && !this.#done) this.#onBytes(this.#mark.slice(0, this.#held));
    this.#held = 0;
    this.#marked = false;
  }

  /** The mark, or its beginning at the end of the bytes. */
  #find(bytes: Uint8Array): { readonly at: number; readonly length: number } {
    const mark = this.#mark;
    for (let at = bytes.indexOf(mark[0]!); at >= 0; at = bytes.indexOf(mark[0]!, at + 1)) {
      const most = Math.min(mark.length, bytes.length - at);
      let length = 1;
      while (length < most && bytes[at + length] === mark[length]) length++;
      if (length === most) return { at, length };
    }
    return { at: bytes.length, length: 0 };
  }
}
