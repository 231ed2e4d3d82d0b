/** What this program was built from. scripts/build.ts puts the real values in this module's place. */

export interface BuildInfo {
  /** `git describe --tags --always`; `dev` when run from source. */
  readonly version: string;
  /** Full commit id; empty when run from source. */
  readonly commit: string;
  /** ISO 8601, UTC; empty when run from source. */
  readonly time: string;
}

export const BUILD: BuildInfo = { version: "dev", commit: "", time: "" };
