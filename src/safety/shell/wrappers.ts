/**
 * Programs that run the program named by their arguments, as data. Deny and ask rules look through all of them; an allow
 * rule for the inner program reaches through the harmless ones only, which change how it runs and not what it may do.
 */
import { type OptionGrammar, options } from "./options.ts";

export interface Wrapper {
  readonly options: OptionGrammar;
  /** Words between the options and the program: `timeout 5 make` has one. */
  readonly before?: number;
  /** `NAME=value` words may stand in front of the program. */
  readonly assigns?: boolean;
  readonly harmless?: boolean;
  /** Options that change the meaning so that nothing is run. */
  readonly queries?: readonly string[];
  /** Options that let the call do more than run the program. */
  readonly spoils?: readonly string[];
  /** Words that must follow the name, as `run` in `uv run`. */
  readonly verbs?: readonly (readonly string[])[];
  /** What follows is a line for a shell, as with `watch`. */
  readonly line?: boolean;
  /** Arguments arrive from standard input. */
  readonly feeds?: boolean;
  /** Option whose value is a line for a shell, as `su -c`. */
  readonly lineOption?: readonly string[];
}

export const WRAPPERS: ReadonlyMap<string, Wrapper> = new Map(Object.entries<Wrapper>({
  // Time, priority and signals: harmless.
  time: {
    options: options("pqvaV f: o: --portability --verbose --append --quiet --format= --output="),
    harmless: true,
    spoils: ["-o", "--output"],
  },
  timeout: {
    options: options("fpv k: s: --foreground --preserve-status --verbose --kill-after= --signal="),
    before: 1,
    harmless: true,
  },
  gtimeout: {
    options: options("fpv k: s: --foreground --preserve-status --verbose --kill-after= --signal="),
    before: 1,
    harmless: true,
  },
  nice: { options: options("# n: --adjustment="), harmless: true },
  ionice: {
    options: options("t c: n: p: P: u: --ignore --class= --classdata= --pid="),
    harmless: true,
    queries: ["-p", "-P", "-u", "--pid"],
  },
  nohup: { options: options(""), harmless: true },
  setsid: { options: options("cfw --ctty --fork --wait"), harmless: true },
  stdbuf: { options: options("i: o: e: --input= --output= --error="), harmless: true },
  command: { options: options("pvV"), harmless: true, queries: ["-v", "-V"] },
  builtin: { options: options("") },
  exec: { options: options("cl a:") },
  caffeinate: { options: options("disum t: w:"), harmless: true },
  unbuffer: { options: options("p"), harmless: true },
  chronic: { options: options("ev") },

  // Environment.
  env: {
    options: options(
      "i0v u: C: S: --ignore-environment --null --debug --unset= --chdir= --split-string= --block-signal=? --default-signal=? --ignore-signal=?",
    ),
    assigns: true,
    spoils: ["-i", "-u", "-C", "--ignore-environment", "--unset", "--chdir"],
  },

  // Other rights, other roots.
  sudo: {
    options: options(
      "AbBEHikKlnNPSsvV u: g: h: p: C: c: D: R: T: r: t: U: a: --askpass --background --bell --edit --list --login --non-interactive --preserve-env=? --preserve-groups --remove-timestamp --reset-timestamp --set-home --shell --stdin --validate --chdir= --chroot= --close-from= --command-timeout= --group= --host= --prompt= --role= --type= --user= --other-user=",
    ),
    assigns: true,
  },
  doas: { options: options("Lns a: C: u:"), assigns: true },
  pkexec: { options: options("--disable-internal-agent --keep-cwd --user=") },
  run0: {
    options: options("--user= --group= --nice= --chdir= --setenv= --background= --no-ask-password"),
    assigns: true,
  },
  su: {
    options: options(
      "flmpP c: s: g: G: w: --login --preserve-environment --pty --fast --command= --session-command= --shell= --group= --supp-group= --whitelist-environment=",
    ),
    before: 1,
    lineOption: ["-c", "--command", "--session-command"],
  },
  runuser: {
    options: options(
      "flmpP u: c: s: g: G: w: --login --preserve-environment --pty --fast --user= --command= --session-command= --shell= --group= --supp-group=",
    ),
    lineOption: ["-c", "--command", "--session-command"],
  },
  chroot: { options: options("--groups= --userspec= --skip-chdir"), before: 1 },
  unshare: {
    options: options(
      "fimnpuUCTrcr R: w: S: G: --fork --ipc=? --mount=? --net=? --pid=? --uts=? --user=? --cgroup=? --time=? --map-root-user --map-current-user --mount-proc=? --kill-child=? --propagation= --root= --wd= --setuid= --setgid=",
    ),
  },
  nsenter: {
    options: options(
      "aFZ t: S: G: m? u? i? n? p? C? U? T? r? w? --all --target= --mount=? --uts=? --ipc=? --net=? --pid=? --user=? --cgroup=? --root=? --wd=? --no-fork --preserve-credentials",
    ),
  },
  setpriv: {
    options: options(
      "d --dump --clear-groups --init-groups --keep-groups --no-new-privs --reuid= --regid= --groups= --inh-caps= --ambient-caps= --bounding-set= --securebits= --pdeathsig= --reset-env",
    ),
  },
  capsh: { options: options("--print") },
  firejail: { options: options("--quiet --noprofile --private=? --net= --profile= --noroot --nosound") },
  bwrap: { options: options("") },
  fakeroot: { options: options("huv l: s: i: b: --unknown-is-real --lib= --faked=") },
  dbus_run_session: { options: options("--config-file= --dbus-daemon=") },
  "dbus-run-session": { options: options("--config-file= --dbus-daemon=") },
  "systemd-run": {
    options: options(
      "GPStqdr p: u: E: M: H: --user --scope --wait --pipe --pty --quiet --collect --same-dir --shell --unit= --property= --setenv= --slice= --uid= --gid= --nice= --working-directory= --description=",
    ),
  },
  "start-stop-daemon": { options: options("") },

  // Scheduling and tracing.
  chrt: {
    options: options(
      "abdfiormv p: T: P: D: --all-tasks --batch --deadline --fifo --idle --other --rr --reset-on-fork --verbose",
    ),
    before: 1,
  },
  taskset: { options: options("a c: --all-tasks --cpu-list="), before: 1 },
  numactl: {
    options: options(
      "sHSl i: m: N: C: p: --interleave= --membind= --cpunodebind= --physcpubind= --localalloc --preferred=",
    ),
  },
  prlimit: {
    options: options(
      "c? d? e? f? i? l? m? n? q? r? s? t? u? v? x? y? p: --pid= --core=? --data=? --nofile=? --nproc=? --as=? --cpu=?",
    ),
  },
  strace: { options: options("cCdfFhiknqrtTvVwxyYzZ a: b: e: E: I: o: O: p: P: s: S: u: U: X:") },
  ltrace: { options: options("bcCfhiLrStTV a: A: D: e: F: l: n: o: p: s: u: w: x:") },
  perf: { options: options(""), verbs: [["stat"], ["record"]] },
  valgrind: {
    options: options("qv --tool= --leak-check= --error-exitcode= --quiet --verbose --track-origins= --log-file="),
  },
  "xvfb-run": { options: options("alh e: f: n: p: s: w: --auto-servernum --server-num= --server-args=") },
  rlwrap: { options: options("") },
  proxychains: { options: options("q f:") },
  proxychains4: { options: options("q f:") },
  torsocks: { options: options("iq") },
  watch: {
    options: options(
      "bcdeghprtwx n: q: --beep --color --differences=? --errexit --exec --chgexit --interval= --precise --no-title",
    ),
    line: true,
  },
  flock: {
    options: options(
      "efnosuxFv c: E: w: --shared --exclusive --unlock --nonblock --nb --no-fork --close --verbose --command= --conflict-exit-code= --timeout= --wait=",
    ),
    before: 1,
    lineOption: ["-c", "--command"],
  },
  script: {
    options: options("aefqr c: E: I: O: B: T: m: o: t? --append --quiet --flush --return --command= --echo= --log-io="),
    before: 1,
    lineOption: ["-c", "--command"],
  },
  parallel: { options: options(""), line: true, feeds: true },

  // Arguments from elsewhere.
  xargs: {
    options: options(
      "0oprtx a: d: E: I: L: n: P: s: e? i? l? --null --open-tty --interactive --no-run-if-empty --verbose --exit --show-limits --arg-file= --delimiter= --eof=? --replace=? --max-lines=? --max-args= --max-procs= --max-chars= --process-slot-var=",
    ),
    feeds: true,
  },

  // Many programs in one file.
  busybox: { options: options("") },
  toybox: { options: options("") },

  // Package runners: they run a program of a package.
  npx: {
    options: options("yqw p: c: --yes --no --quiet --package= --call= --workspace="),
    lineOption: ["-c", "--call"],
  },
  bunx: { options: options("--bun") },
  pnpx: { options: options("") },
  uvx: { options: options("qv p: --from= --with= --python= --quiet --isolated") },
  pnpm: { options: options("rw C: F: --recursive --silent --dir= --filter="), verbs: [["exec"], ["dlx"]] },
  yarn: { options: options("--silent --cwd="), verbs: [["exec"], ["dlx"]] },
  npm: { options: options("s w: --silent --prefix= --workspace="), verbs: [["exec"], ["x"]] },
  bundle: { options: options(""), verbs: [["exec"]] },
  poetry: { options: options("qvn C: --quiet --directory="), verbs: [["run"]] },
  pipenv: { options: options("q"), verbs: [["run"]] },
  pdm: { options: options("qv p:"), verbs: [["run"]] },
  uv: {
    options: options("qn p: --quiet --no-sync --frozen --locked --isolated --with= --python= --project= --directory="),
    verbs: [["run"], ["tool", "run"]],
  },
  hatch: { options: options("e:"), verbs: [["run"]] },
  conda: { options: options(""), verbs: [["run"]] },
  mise: { options: options("qv C:"), verbs: [["exec"], ["x"]] },
  asdf: { options: options(""), verbs: [["exec"]] },
  direnv: { options: options(""), verbs: [["exec"]], before: 1 },
  opam: { options: options("--switch="), verbs: [["exec"]] },
  rbenv: { options: options(""), verbs: [["exec"]] },
  dotenv: { options: options("e: f: --") },
}));
