/** What people granted in this session: in memory, shared by a session and its children, gone with the session. */
import type { Rule } from "./rule.ts";

export class SessionGrants {
  readonly #rules = new Map<string, Rule>();

  get rules(): readonly Rule[] {
    return [...this.#rules.values()];
  }

  add(rule: Rule): void {
    this.#rules.set(rule.text, rule);
  }

  /** False when there was no such grant. */
  revoke(text: string): boolean {
    return this.#rules.delete(text);
  }
}
