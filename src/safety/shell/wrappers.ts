/**
 * Programs that run the program named by their arguments, as data. Deny and ask rules look through all of them; an allow
 * rule for the inner program reaches through the harmless ones only, which change how it runs and not what it may do.
 */
import { type OptionGrammar, options } from "./options.ts";

export interface Wrapper {
  readonly options: OptionGrammar;
  /** Words that must follow the name, as `run` in `uv run`. */
  readonly verbs?: readonly (readonly string[])[];
  /** Words between the options and the program: `timeout 5 make` has one. */
  readonly before?: number;
  /** `NAME=value` words may stand in front of the program. */
  readonly assigns?: boolean;
  readonly harmless?: boolean;
  /** Options that let a harmless wrapper do more than run the program. */
  readonly harmfulWith?: readonly string[];
  /** Options with which it only tells something. */
  readonly asksWith?: readonly string[];
  /** Options whose value is a line for a shell. */
  readonly lineOptions?: readonly string[];
  /** The words that follow are a line for a shell, as with `watch`. */
  readonly line?: boolean;
  /** Words of the inner call come from standard input: at its end, or where the value of one of these options stands. */
  readonly fillsIn?: readonly string[];
  /** Options that open a shell when no program is named. */
  readonly shellWith?: readonly string[];
}

const runs = (notation = "", more: Omit<Wrapper, "options"> = {}): Wrapper => ({ options: options(notation), ...more });
const list = (text: string): readonly string[] => text.split(" ");
const verbs = (text: string): readonly (readonly string[])[] => text.split(", ").map(list);

const TIMEOUT = runs("fpv k: s: --foreground --preserve-status --verbose --kill-after= --signal=", {
  before: 1,
  harmless: true,
});

export const WRAPPERS: ReadonlyMap<string, Wrapper> = new Map(Object.entries<Wrapper>({
  // Time, priority, signals, buffers: harmless.
  time: runs("pqvaV f: o: --portability --verbose --append --quiet --format= --output=", {
    harmless: true,
    harmfulWith: list("-o --output"),
  }),
  timeout: TIMEOUT,
  gtimeout: TIMEOUT,
  nice: runs("# n: --adjustment=", { harmless: true }),
  ionice: runs("t c: n: p: P: u: --ignore --class= --classdata= --pid= --pgid= --uid=", {
    harmless: true,
    asksWith: list("-p -P -u --pid --pgid --uid"),
  }),
  nohup: runs("", { harmless: true }),
  setsid: runs("cfw --ctty --fork --wait", { harmless: true }),
  stdbuf: runs("i: o: e: --input= --output= --error=", { harmless: true }),
  command: runs("pvV", { harmless: true, asksWith: list("-v -V") }),
  caffeinate: runs("disum t: w:", { harmless: true }),
  unbuffer: runs("p", { harmless: true }),
  builtin: runs(),
  exec: runs("cl a:"),
  chronic: runs("ev"),

  // The environment decides what a program loads.
  env: runs(
    `i0v u: C: S: - --ignore-environment --null --debug --unset= --chdir= --split-string= --block-signal=?
     --default-signal=? --ignore-signal=?`,
    { assigns: true, lineOptions: list("-S --split-string") },
  ),
  dotenv: runs("e: f:"),
  direnv: runs("", { verbs: verbs("exec"), before: 1 }),

  // Other rights, other roots.
  sudo: runs(
    `AbBEHikKlnNPSsvV u: g: h: p: C: c: D: R: T: r: t: U: a:
     --askpass --background --bell --edit --list --login --non-interactive --preserve-env=? --preserve-groups
     --remove-timestamp --reset-timestamp --set-home --shell --stdin --validate --chdir= --chroot= --close-from=
     --command-timeout= --group= --host= --prompt= --role= --type= --user= --other-user=`,
    { assigns: true, shellWith: list("-i -s --login --shell") },
  ),
  doas: runs("Lns a: C: u:", { assigns: true, shellWith: ["-s"] }),
  pkexec: runs("--disable-internal-agent --keep-cwd --user="),
  run0: runs("--user= --group= --nice= --chdir= --setenv= --background= --no-ask-password", { assigns: true }),
  su: runs(
    `flmpP c: s: g: G: w: - --login --preserve-environment --pty --fast --command= --session-command= --shell= --group=
     --supp-group= --whitelist-environment=`,
    { before: 1, lineOptions: list("-c --command --session-command") },
  ),
  runuser: runs(
    `flmpP u: c: s: g: G: w: --login --preserve-environment --pty --fast --user= --command= --session-command= --shell=
     --group= --supp-group=`,
    { lineOptions: list("-c --command --session-command") },
  ),
  chroot: runs("--groups= --userspec= --skip-chdir", { before: 1 }),
  unshare: runs(
    `fimnpuUCTrc R: w: S: G: --fork --ipc=? --mount=? --net=? --pid=? --uts=? --user=? --cgroup=? --time=?
     --map-root-user --map-current-user --mount-proc=? --kill-child=? --propagation= --root= --wd= --setuid= --setgid=`,
  ),
  nsenter: runs(
    `aFZ t: S: G: m? u? i? n? p? C? U? T? r? w? --all --target= --mount=? --uts=? --ipc=? --net=? --pid=? --user=?
     --cgroup=? --root=? --wd=? --no-fork --preserve-credentials`,
  ),
  setpriv: runs(
    `d --dump --clear-groups --init-groups --keep-groups --no-new-privs --reuid= --regid= --groups= --inh-caps=
     --ambient-caps= --bounding-set= --securebits= --pdeathsig= --reset-env`,
  ),
  firejail: runs("--quiet --noprofile --private=? --net= --profile= --noroot --nosound"),
  bwrap: runs(),
  fakeroot: runs("huv l: s: i: b: --unknown-is-real --lib= --faked="),
  "dbus-run-session": runs("--config-file= --dbus-daemon="),
  "systemd-run": runs(
    `GPStqdr p: u: E: M: H: --user --scope --wait --pty --pipe --quiet --collect --same-dir --shell --unit= --property=
     --setenv= --slice= --uid= --gid= --nice= --working-directory= --description=`,
    { shellWith: list("-S --shell") },
  ),
  "start-stop-daemon": runs(),

  // Scheduling, tracing, terminals.
  chrt: runs(
    "abdfiormv p: T: P: D: --all-tasks --batch --deadline --fifo --idle --other --rr --reset-on-fork --verbose",
    { before: 1 },
  ),
  taskset: runs("ac --all-tasks --cpu-list", { before: 1 }),
  numactl: runs("lHs i: m: N: C: p: --interleave= --membind= --cpunodebind= --physcpubind= --localalloc --preferred="),
  prlimit: runs("p: n? c? --pid= --core=? --data=? --nofile=? --nproc=? --as=? --cpu=?"),
  strace: runs("cCdfFhiknqrtTvVwxyYzZ a: b: e: E: I: o: O: p: P: s: S: u: U: X:"),
  ltrace: runs("bcCfhiLrStTV a: A: D: e: F: l: n: o: p: s: u: w: x:"),
  perf: runs("", { verbs: verbs("stat, record, trace") }),
  valgrind: runs("qv --tool= --leak-check= --error-exitcode= --quiet --verbose --track-origins= --log-file="),
  "xvfb-run": runs("alh e: f: n: p: s: w: --auto-servernum --server-num= --server-args="),
  rlwrap: runs(),
  proxychains: runs("q f:"),
  proxychains4: runs("q f:"),
  torsocks: runs("iq"),
  script: runs(
    `aefqr c: E: I: O: B: T: m: o: t? --append --quiet --flush --return --command= --echo= --log-io= --log-in=
     --log-out= --log-timing= --output-limit=`,
    { before: 1, lineOptions: list("-c --command") },
  ),
  flock: runs(
    `enosuxFv c: E: w: --shared --exclusive --unlock --nonblock --nb --no-fork --close --verbose --command=
     --conflict-exit-code= --timeout= --wait=`,
    { before: 1, lineOptions: list("-c --command") },
  ),
  watch: runs(
    `bcdeghprtwx n: q: --beep --color --differences=? --errexit --exec --chgexit --interval= --precise --no-title`,
    { line: true },
  ),
  parallel: runs("j: P: k --jobs= --keep-order --bar --halt=", { line: true }),

  // More arguments come from standard input.
  xargs: runs(
    `0oprtx a: d: E: I: L: n: P: s: e? i? l? --null --open-tty --interactive --no-run-if-empty --verbose --exit
     --show-limits --arg-file= --delimiter= --eof=? --replace=? --max-lines=? --max-args= --max-procs= --max-chars=
     --process-slot-var=`,
    { fillsIn: list("-I -i --replace") },
  ),

  // Many programs in one file.
  busybox: runs(),
  toybox: runs(),

  // Runners of package managers.
  npx: runs("yq p: c: w: --yes --no --quiet --package= --call= --workspace=", { lineOptions: list("-c --call") }),
  bunx: runs("--bun"),
  pnpx: runs(),
  uvx: runs("qv p: --from= --with= --python= --quiet --isolated"),
  npm: runs("s w: --silent --prefix= --workspace=", { verbs: verbs("exec, x") }),
  pnpm: runs("rw C: F: --recursive --silent --dir= --filter=", { verbs: verbs("exec, dlx") }),
  yarn: runs("--silent --cwd=", { verbs: verbs("exec, dlx") }),
  bun: runs("--bun", { verbs: verbs("x") }),
  bundle: runs("", { verbs: verbs("exec") }),
  poetry: runs("qvn C: --quiet --directory=", { verbs: verbs("run") }),
  pipenv: runs("q", { verbs: verbs("run") }),
  pdm: runs("qv p:", { verbs: verbs("run") }),
  hatch: runs("e:", { verbs: verbs("run") }),
  conda: runs("n: p: --name= --prefix= --no-capture-output --live-stream", { verbs: verbs("run") }),
  uv: runs(
    "qn p: --quiet --no-sync --frozen --locked --isolated --with= --python= --project= --directory= --extra= --group=",
    { verbs: verbs("run, tool run") },
  ),
  mise: runs("qv C:", { verbs: verbs("exec, x") }),
  asdf: runs("", { verbs: verbs("exec") }),
  rbenv: runs("", { verbs: verbs("exec") }),
  opam: runs("--switch=", { verbs: verbs("exec") }),
}));
