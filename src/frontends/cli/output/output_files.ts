/**
 * The files a run is asked to write: `--metrics` and `--trajectory`. Both are tried before anything else is done, so
 * that nobody pays for a run whose record cannot be kept; what fails later is told when the run has ended.
 */
import { ReasonixError } from "../../../contract/errors.ts";
import { errorText } from "../../../lib/error_text.ts";
import { Trajectory } from "./json_lines.ts";
import { type RunEnd, toMetrics } from "./run_report.ts";
import type { RunTotals } from "./run_totals.ts";

export interface OutputFilePaths {
  readonly metrics?: string;
  readonly trajectory?: string;
}

export class OutputFiles {
  readonly #paths: OutputFilePaths;
  readonly trajectory: Trajectory | undefined;

  /** Throws `cli.usage` for a file that cannot be written. */
  constructor(paths: OutputFilePaths) {
    this.#paths = paths;
    attempt("--metrics", paths.metrics, tryFile);
    this.trajectory = attempt("--trajectory", paths.trajectory, (path) => new Trajectory(path));
  }

  /** In place of what the file held. Answers what a person should know of files that are not whole, a line each. */
  finish(end: RunEnd, totals: RunTotals): string[] {
    const { metrics, trajectory } = this.#paths;
    const failed: string[] = [];
    if (this.trajectory?.failure !== undefined) {
      failed.push(cannotWrite("--trajectory", trajectory!, this.trajectory.failure));
    }
    if (metrics !== undefined) {
      try {
        Deno.writeTextFileSync(metrics, JSON.stringify(toMetrics(end, totals)) + "\n");
      } catch (error) {
        failed.push(cannotWrite("--metrics", metrics, error));
      }
    }
    return failed;
  }

  close(): void {
    this.trajectory?.close();
  }
}

function attempt<T>(flag: string, path: string | undefined, open: (path: string) => T): T | undefined {
  if (path === undefined) return undefined;
  try {
    return open(path);
  } catch (error) {
    throw new ReasonixError("cli.usage", cannotWrite(flag, path, error), {
      remedy: "Name a file in a folder that is there and may be written.",
    });
  }
}

/** Leaves what is there as it is, and nothing where nothing was. A pipe is not opened twice: its reader would leave. */
function tryFile(path: string): void {
  const found = stat(path);
  if (found?.isFifo || found?.isSocket) return;
  Deno.openSync(path, { append: true, create: true }).close();
  if (found === undefined) Deno.removeSync(path);
}

function stat(path: string): Deno.FileInfo | undefined {
  try {
    return Deno.statSync(path);
  } catch {
    return undefined;
  }
}

function cannotWrite(flag: string, path: string, error: unknown): string {
  // An executable has fewer rights than a program run from source: of all devices it opens a few.
  const why = error instanceof Deno.errors.NotCapable ? "this program may open no such device" : errorText(error);
  return `${flag} cannot write ${path}: ${why}`;
}
