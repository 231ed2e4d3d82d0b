/** All built-in commands, in menu order, and the names that are no more. */
import type { BuiltIn } from "./built_in.ts";
import { AUTH } from "./auth.ts";
import { BALANCE } from "./balance.ts";
import { DOCS } from "./docs.ts";
import { FRONTEND_ACTIONS } from "./frontend_actions.ts";
import { HELP } from "./help.ts";
import { HISTORY } from "./history.ts";
import { INFORMATION } from "./information.ts";
import { INSTALLATION } from "./installation.ts";
import { MEMORY } from "./memory.ts";
import { MODEL } from "./model.ts";
import { OUTPUT_STYLE } from "./output_style.ts";
import { PROVIDER } from "./provider.ts";
import { RELOAD } from "./reload.ts";
import { SERVERS } from "./servers.ts";
import { SESSIONS } from "./sessions.ts";
import { SETTINGS } from "./settings.ts";
import { SKILLS } from "./skills.ts";

export const BUILT_IN: readonly BuiltIn[] = [
  HELP,
  DOCS,
  ...SESSIONS,
  ...HISTORY,
  PROVIDER,
  AUTH,
  ...MODEL,
  OUTPUT_STYLE,
  ...INFORMATION,
  BALANCE,
  ...MEMORY,
  ...SERVERS,
  SKILLS,
  ...SETTINGS,
  ...FRONTEND_ACTIONS,
  ...INSTALLATION,
  ...RELOAD,
];

/** Name -> what to do instead. */
export const RETIRED: Readonly<Record<string, string>> = {
  web: "The page is opened with `reasonix web` in a shell.",
  "recover-context": "Opening a session recovers what it can by itself; /resume goes on with it.",
  "continue-checks": "Checks go on with the conversation: say what should be checked.",
};
