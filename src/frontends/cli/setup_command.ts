/**
 * `setup`: the provider manager at a terminal, a scaffold without one. Settings go to the file named; keys always go to
 * the home's `.env`.
 */
import { type InspectedProject, inspectProject, loadEndpointCheck } from "../../assembly/mod.ts";
import {
  confirmKey,
  editConfigFile,
  proxySettings,
  readDocument,
  saveKeys,
  SCAFFOLD_KEY,
  writeScaffold,
} from "../../config/mod.ts";
import { ReasonixError } from "../../contract/errors.ts";
import { isRecord } from "../../lib/json.ts";
import { isAbsolute, join } from "../../lib/path.ts";
import { toTerminal } from "../../lib/terminal_text.ts";
import type { CommandContext } from "./commands.ts";
import { EXIT } from "./exit_codes.ts";
import { UsageError } from "./flags.ts";
import type { Streams } from "./output/output.ts";
import { clackAsker, Left } from "./setup/asker.ts";
import { converse, type SetupPorts } from "./setup/dialogue.ts";
import { type ProviderTable, SetupConflict, SetupDraft, toFileState } from "./setup/draft.ts";
import { variableOf } from "./setup/provider_rules.ts";

interface Target {
  readonly file: string;
  /** Not the user's own file: its providers need the person's word to get a key. */
  readonly ofProject: boolean;
}

export async function run({ streams, parsed }: CommandContext): Promise<number> {
  const [path, ...more] = parsed.words;
  const local = parsed.values.has("local");
  if (more.length > 0 || (local && path !== undefined)) throw new UsageError("usage: reasonix setup [--local | PATH]");
  const project = await inspectProject();
  const { paths, loaded } = project;
  const file = local
    ? loaded.projectConfig.file
    : path === undefined
    ? paths.userConfig
    : isAbsolute(path)
    ? path
    : join(Deno.cwd(), path);
  const target = { file, ofProject: file !== paths.userConfig };
  if (!Deno.stdin.isTerminal() || !Deno.stdout.isTerminal()) return await scaffold(project, target, streams);
  return await manage(project, target, streams);
}

async function scaffold({ paths, loaded }: InspectedProject, { file, ofProject }: Target, { out }: Streams) {
  const wrote = await writeScaffold(file, ofProject ? {} : { mode: 0o600 });
  const what = { written: "wrote", added: "added DeepSeek to", kept: "left as it was, it has providers:" }[wrote];
  out.line(toTerminal(`${what} ${file}`));
  if (wrote === "kept") return EXIT.success;
  const steps = [
    ...(loaded.keys.values.has(SCAFFOLD_KEY)
      ? []
      : [`put your key into ${paths.envFile}: ${SCAFFOLD_KEY}=…`, "a key: https://platform.deepseek.com/api_keys"]),
    'try it: reasonix run "say hello"',
    "look at it: reasonix doctor",
    "other providers: reasonix setup at a terminal",
  ];
  out.line(toTerminal(["next:", ...steps.map((step) => `  ${step}`)].join("\n")));
  return EXIT.success;
}

async function manage(project: InspectedProject, target: Target, streams: Streams): Promise<number> {
  const draft = new SetupDraft(toFileState(await readDocument(target.file)));
  const asker = await clackAsker();
  asker.say("start", toTerminal(`Reasonix setup: ${target.file}`));
  try {
    for (;;) {
      await converse(draft, portsFor(project, asker));
      try {
        await save(draft, project, target);
        break;
      } catch (error) {
        if (!(error instanceof SetupConflict)) throw error;
        asker.say("error", toTerminal(`Not saved. ${error.message}`));
        asker.say("info", "Leave and start again to see what the file says now.");
      }
    }
  } catch (error) {
    if (!(error instanceof Left)) throw error;
    asker.say("end", "Left. Nothing was written.");
    return EXIT.success;
  }
  asker.say("end", toTerminal(`Saved to ${target.file}${draft.keys.size > 0 ? ` and ${project.paths.envFile}` : ""}.`));
  streams.out.line('Try it: reasonix run "say hello"');
  return EXIT.success;
}

/** The file first: when it has moved on, nothing at all is written. */
async function save(draft: SetupDraft, { paths }: InspectedProject, { file, ofProject }: Target): Promise<void> {
  await editConfigFile(file, (newest) => draft.edits(toFileState(newest)), ofProject ? {} : { mode: 0o600 });
  if (draft.keys.size === 0) return;
  await saveKeys(paths.envFile, Object.fromEntries(draft.keys));
  if (!ofProject) return;
  for (const provider of draft.providers) {
    const key = variableOf(provider);
    const address = String(provider["request_url"] ?? provider["base_url"] ?? "");
    if (draft.keys.has(key) && URL.canParse(address)) {
      await confirmKey(paths.confirmedKeys, { key, origin: new URL(address).origin });
    }
  }
}

function portsFor({ loaded, env }: InspectedProject, asker: SetupPorts["asker"]): SetupPorts {
  return {
    asker,
    savedKey: (variable) => loaded.keys.values.get(variable),
    listModels: async (provider, { key, listUrl }) => {
      const { requestModels } = await loadEndpointCheck();
      try {
        const proxy = provider["no_proxy"] === true
          ? { mode: "direct" as const }
          : proxySettings(loaded.config.network, { keys: loaded.keys, env });
        return await requestModels({
          ...bareSettings(provider, key),
          proxy,
          ...(listUrl ? { modelsUrl: listUrl } : {}),
        });
      } catch (error) {
        if (error instanceof ReasonixError && error.remedy) {
          throw new Error(`${error.message}\n${error.remedy}`, { cause: error });
        }
        throw error;
      }
    },
  };
}

/** What asking for models needs to know of an entry that no file holds yet. */
function bareSettings(provider: ProviderTable, apiKey: string) {
  const text = (key: string) => typeof provider[key] === "string" ? provider[key] as string : undefined;
  const headers = provider["headers"];
  const modelsUrl = text("models_url");
  return {
    name: text("name") ?? "",
    kind: text("kind") ?? "openai",
    model: "",
    baseUrl: text("base_url") ?? "",
    ...(modelsUrl === undefined ? {} : { modelsUrl }),
    apiKey,
    apiKeyEnv: variableOf(provider),
    authHeader: provider["auth_header"] === true,
    headers: isRecord(headers) ? headers as Record<string, string> : {},
    extraBody: {},
    contextWindow: 0,
    maxOutputTokens: 0,
    idleTimeoutSeconds: 300,
    vision: false,
    webSearch: false,
  };
}
