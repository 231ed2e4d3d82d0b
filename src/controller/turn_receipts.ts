/**
 * What the host itself saw of a turn: which files its calls wrote, and what was run after the last write. A model's word
 * that something was checked is no receipt.
 */
import type { ObservedCall } from "../contract/observer.ts";
import type { ToolOutput } from "../contract/tool.ts";

/** How the files that a turn wrote stand. */
export type Standing =
  | { readonly kind: "nothing_written" }
  /** A known check ran after the last write and passed. */
  | { readonly kind: "checked" }
  /** Something else ran and passed: nobody can tell whether it checks anything. */
  | { readonly kind: "perhaps" }
  | { readonly kind: "failed"; readonly command: string; readonly files: readonly string[] }
  | { readonly kind: "unchecked"; readonly files: readonly string[] };

const PACKAGE_SCRIPT =
  /\b(?:npm|pnpm|yarn|bun|deno\s+task)\s+(?:(?:run\s+)?\S*(?:test|check|lint|build|verify)\S*|(?:run\s+)?ok\b|run\s+ci\b)/;

/** Commands that check something, by how they begin; in any part of a line. */
const CHECKS = [
  PACKAGE_SCRIPT,
  /\bgo\s+(?:test|vet|build)\b/,
  /\bcargo\s+(?:test|check|build|clippy|nextest)\b/,
  /\b(?:py\.?test|tox|nox|mypy|ruff|pyright|unittest)\b/,
  /\bdeno\s+(?:test|check|lint)\b/,
  /\b(?:tsc|vitest|jest|mocha|eslint|biome|playwright\s+test)\b/,
  /\bmake\b(?![^;&|]*\b(?:install|uninstall|clean|distclean)\b)/,
  /\b(?:mvnw?|gradlew?|sbt|bazel|dotnet|swift|zig|mix|rake|composer|flutter|dart|cmake|meson|ninja)\b.*\b(?:test|check|verify|build|analyze)\b/,
  /\b(?:ctest|rspec|phpunit|shellcheck|bats|busted|rubocop)\b/,
];

/** What swallows the result of a check, such as `|| true`. */
const SWALLOWED = /\|\|\s*(?:true|:|echo)\b/;

/** Characters of a command: longer ones carry files along. */
const LOOKED_AT = 8_000;

interface Run {
  readonly command: string;
  readonly passed: boolean;
  readonly known: boolean;
}

export class TurnReceipts {
  readonly #written = new Set<string>();
  /** Of what ran since the last write. */
  #runs: readonly Run[] = [];

  begin(): void {
    this.#written.clear();
    this.#runs = [];
  }

  /** In the order in which the calls ended. */
  add({ tool, args, reads }: ObservedCall, { failed, execution }: ToolOutput): void {
    const written = failed ? [] : execution?.paths_written ?? [];
    if (written.length > 0) {
      for (const path of written) this.#written.add(path);
      this.#runs = [];
    }
    const command = args["command"];
    if (tool !== "bash" || reads || typeof command !== "string") return;
    // What goes on in the background has not ended.
    if (execution === undefined || execution.state === "background") return;
    const passed = execution.state === "completed" && (execution.exit_code ?? 0) === 0;
    const known = !SWALLOWED.test(command) && CHECKS.some((check) => check.test(command.slice(0, LOOKED_AT)));
    this.#runs = [...this.#runs, { command, passed, known }];
  }

  get standing(): Standing {
    const files = [...this.#written];
    if (files.length === 0) return { kind: "nothing_written" };
    const check = this.#runs.findLast(({ known }) => known);
    if (check) return check.passed ? { kind: "checked" } : { kind: "failed", command: check.command, files };
    return this.#runs.some(({ passed }) => passed) ? { kind: "perhaps" } : { kind: "unchecked", files };
  }
}
