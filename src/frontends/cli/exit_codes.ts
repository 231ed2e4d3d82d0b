/** The process's exit codes. */
export const EXIT = {
  success: 0,
  failure: 1,
  usage: 2,
  /** Work left unverified under `--fail-on-unverified`. */
  unverified: 3,
  /** Needed writes or commands were refused, so the work was not done. */
  refused: 4,
} as const;
