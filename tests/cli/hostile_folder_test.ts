// Commands of the program itself in a repository that plants programs wherever one may be started.
import assert from "node:assert/strict";
import { startEndpoint } from "../../scripts/endpoint.ts";
import { ODD_NAMES, OUTSIDE, plantHostileRepository } from "../support/hostile_repository.ts";
import { Bed, localProvider } from "../support/program.ts";
import { hasBwrap } from "../support/programs.ts";

const WITH_TRUST = '[security]\nproject_servers = "trusted"\n';

Deno.test("no command of the program starts what the repository planted, or writes its escapes to the screen", {
  ignore: !hasBwrap,
}, async () => {
  const endpoint = startEndpoint([
    { tool: "ls", args: {} },
    { tool: "bash", args: { command: `cat '${ODD_NAMES[0]}'; git status; ls` } },
    { text: "A title: \u001b]0;owned\u0007." },
  ]);
  await using bed = await Bed.create({ config: localProvider(endpoint.url, WITH_TRUST), keys: "LOCAL_KEY=local\n" });
  try {
    const repository = await plantHostileRepository({
      base: bed.base,
      root: bed.workspace,
      listener: "http://127.0.0.1:9",
    });
    const commands = [
      ["run", "--model", "local/m1", "look"],
      ["run", "--model", "local/m1", "--yolo", "look"],
      ["-p", "--model", "local/m1", "look"],
      ["doctor", "--offline"],
      ["doctor", "--offline", "--json"],
      ["doctor", "capabilities", "--json"],
      ["config", "show"],
      ["config", "show", "--json"],
      ["mcp", "list", "--json"],
      ["hook", "list", "--json"],
      ["trust"],
      ["session", "list", "--json"],
    ];
    for (const command of commands) {
      endpoint.requests.length = 0;
      const { out, err } = await bed.run(command);
      assert.doesNotMatch(out + err, /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e]/, command.join(" "));
      const ran = repository.marks();
      // What the model itself ran in yolo ran inside the sandbox, which shows no folder beside the workspace.
      assert.deepEqual(ran, [], command.join(" "));
    }
    assert.deepEqual(repository.beyond(), OUTSIDE);
  } finally {
    await endpoint.stop();
  }
});
