/** `/memory`, `/remember`, `/forget`: what is kept between sessions. */
import type { MemoryCommands } from "../../contract/memory.ts";
import { type BuiltIn, type CommandContext, splitFirst, text, toNumber, WrongArgument } from "./built_in.ts";

export const MEMORY: readonly BuiltIn[] = [
  {
    name: "memory",
    hint: "[instructions|recall|revisions ID|restore ID REV|archived|recover PATH|subjects|pin ID|verify ID]",
    summary: "Show and keep in order what is remembered between sessions",
    run: async (argument, context) => {
      const { first, rest } = splitFirst(argument);
      const memory = await memoryOf(context);
      const named = (what: string) => {
        if (rest === "") throw new WrongArgument(`${first} needs ${what}`);
        return rest;
      };
      const alone = () => {
        if (rest !== "") throw new WrongArgument(`${first} takes nothing behind it`);
      };
      switch (first) {
        case "":
          return text(await memory.list());
        case "instructions":
        case "recall":
        case "archived":
        case "subjects":
          alone();
          return text(await memory[first]());
        case "revisions":
        case "pin":
        case "verify":
          return text(await memory[first](named("an id")));
        case "recover":
          return text(await memory.recover(named("a path that `/memory archived` names")));
        case "restore": {
          const { first: id, rest: number } = splitFirst(rest);
          const revision = toNumber(number);
          if (revision === undefined) throw new WrongArgument("restore needs an id and the number of a revision");
          return text(await memory.restore(id, revision));
        }
        default:
          throw new WrongArgument(`"${first}" is nothing to do with the memory`);
      }
    },
  },
  {
    name: "remember",
    hint: "NOTE",
    summary: "Append a note to the project's instruction document",
    run: async (note, context) => {
      if (note === "") throw new WrongArgument("it needs a note");
      return text(await (await memoryOf(context)).note(note));
    },
  },
  {
    name: "forget",
    hint: "ID",
    summary: "Archive a remembered fact",
    run: async (ref, context) => {
      if (ref === "") throw new WrongArgument("it needs the id or name of a fact");
      return text(await (await memoryOf(context)).forget(ref));
    },
  },
];

async function memoryOf({ runtime }: CommandContext): Promise<MemoryCommands> {
  const memory = await runtime().memory?.();
  if (memory === undefined) throw new WrongArgument("there is no memory in this session");
  return memory;
}
