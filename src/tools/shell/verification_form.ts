/**
 * A command that claims to verify something must fail when its check fails: one command, or commands joined by `&&`.
 * A pipeline, `||`, `;` or `&` would hide a failure.
 */

export async function isVerificationForm(command: string): Promise<boolean> {
  const { parse } = await import("unbash");
  const script = parse(command);
  const [statement] = script.commands;
  if ((script.errors?.length ?? 0) > 0 || script.commands.length !== 1 || statement?.background) return false;
  const node = statement!.command;
  if (node.type === "Command") return true;
  return node.type === "AndOr" && node.operators.every((operator) => operator === "&&") &&
    node.commands.every((part) => part.type === "Command");
}
