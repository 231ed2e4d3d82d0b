/** `sandbox.forbid_read` with its variables filled in. */
import { ReasonixError } from "../contract/errors.ts";
import { showPath } from "../lib/shown_path.ts";
import { expandVariables, missingVariables, type VariableReader } from "./expand.ts";
import type { ConfigNotice, ConfigProblem } from "./findings.ts";

const FILES_ALONE = "sandbox.forbid_read holds for reading, listing and searching alone: " +
  "commands run without a sandbox and can read what it names";

/** An entry whose variable is not set would protect something else, or nothing. `confined`: commands have walls. */
export function expandForbidden(
  entries: readonly string[],
  { env, confined }: { readonly env: VariableReader; readonly confined: boolean },
): { readonly paths: readonly string[]; readonly notices: ConfigNotice[]; readonly problems: ConfigProblem[] } {
  const notices: ConfigNotice[] = [];
  const problems: ConfigProblem[] = [];
  if (entries.length > 0 && !confined) notices.push({ level: "warning", code: "config.adjusted", text: FILES_ALONE });
  const paths = entries.map((entry) => {
    const missing = missingVariables(entry, env);
    if (missing.length > 0) {
      const text = `sandbox.forbid_read: "${showPath(entry)}" protects nothing: ${missing.join(", ")} is not set`;
      problems.push(
        new ReasonixError("config.type", text, { remedy: "Set the variable, or give it a default: ${VAR:-value}." }),
      );
    } else if (entry.startsWith("~")) {
      const text = `sandbox.forbid_read: "${
        showPath(entry)
      }" protects nothing, because ~ is not expanded; write \${HOME}`;
      notices.push({ level: "warning", code: "config.adjusted", text });
    }
    return expandVariables(entry, env);
  });
  return { paths, notices, problems };
}
