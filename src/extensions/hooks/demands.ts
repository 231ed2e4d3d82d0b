/**
 * A project's hooks in the form consent is given to: what runs and when, so that a change asks again and a file that
 * was only laid out anew does not.
 */
import { canonicalJson } from "../../lib/canonical_json.ts";
import type { Hook } from "./hook.ts";

export interface HookDemand {
  readonly kind: "hook";
  /** `PreToolUse 1`: event and place in the file. */
  readonly name: string;
  /** JSON with sorted keys: equal texts are equal hooks. */
  readonly value: string;
}

export function hookDemand({ event, position, form, match, command, cwd, env, limitMs }: Hook): HookDemand {
  return {
    kind: "hook",
    name: `${event} ${position}`,
    value: canonicalJson({ form, match, command, cwd, env, timeout: limitMs }),
  };
}
