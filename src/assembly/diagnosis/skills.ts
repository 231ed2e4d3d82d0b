/** Skills as `doctor` tells of them; `doctor capabilities` has more. Warnings that a session keeps quiet are told here. */
import { buildSkillShelf } from "../build_skills.ts";
import type { InspectedProject } from "../inspect_project.ts";
import { type Check, ok, skipped, warning } from "./check.ts";

export async function checkSkills(project: InspectedProject): Promise<Check[]> {
  const shelf = buildSkillShelf({ ...project, extraRoots: [] });
  await shelf.scan();
  const bad = shelf.problems.filter(({ loud }) => loud).map(({ code, text }) =>
    warning(code, text, "reasonix doctor capabilities says more.")
  );
  const own = shelf.skills.filter(({ scope }) => scope !== "built_in");
  const off = own.filter(({ name }) => !shelf.isOn(name)).length;
  if (own.length === 0) return bad.length > 0 ? bad : [skipped("skills", "none")];
  return [ok("skills", `${own.length}${off > 0 ? `, ${off} switched off` : ""}`), ...bad];
}
