/**
 * "Always allow": the rule goes into the project's own settings, in place. The person has just agreed to this one
 * change of the folder, so what the folder was trusted for is brought up to date by exactly that, and by nothing else
 * that may have changed meanwhile.
 */
import { editConfigFile, inspectConfig, loadFolderTrust, projectDemands, saveFolderTrust } from "../config/mod.ts";
import type { Project } from "./project.ts";

const ALLOW = "permissions.allow";

/** Throws `config.*` when the file cannot be edited; the rule then holds for this session only. */
export async function persistRules(project: Project, rules: readonly string[]): Promise<void> {
  const { root, paths, env, loaded } = project;
  const before = await allowList(project);
  await editConfigFile(loaded.projectConfig.file, (document) => {
    const listed = (document.permissions as { allow?: readonly string[] } | undefined)?.allow;
    // A project's list stands in place of the user's: a first rule must not cost the person the others.
    if (listed === undefined) {
      return [{ set: ["permissions", "allow"], value: [...new Set([...loaded.config.permissions.allow, ...rules])] }];
    }
    return rules.filter((rule) => !listed.includes(rule)).map((value) => ({ append: ["permissions", "allow"], value }));
  });
  const trust = await loadFolderTrust(paths.trustedFolders, root);
  if (trust?.answer !== "trusted") return;
  const agreed = trust.demands.find(({ kind, name }) => kind === "setting" && name === ALLOW);
  if (agreed?.value !== before) return;
  const now = projectDemands(await inspectConfig({ paths, workspace: root, trusted: false, env }))
    .find(({ kind, name }) => kind === "setting" && name === ALLOW);
  const others = trust.demands.filter((demand) => demand !== agreed);
  await saveFolderTrust(paths.trustedFolders, { ...trust, demands: now ? [...others, now] : others });
}

/** The folder's list as it stands on the disk, in the form it is agreed to. */
async function allowList({ root, paths, env }: Project): Promise<string | undefined> {
  const inspected = await inspectConfig({ paths, workspace: root, trusted: false, env });
  return projectDemands(inspected).find(({ kind, name }) => kind === "setting" && name === ALLOW)?.value;
}
