/** The history of one conversation, behind its tool: nothing is loaded or opened before the first look. */
import type { ToolKind } from "../../contract/tool.ts";
import type { HistorySearch } from "./history_search.ts";
import { createHistoryTool } from "./history_tool.ts";
import type { HistoryFolders } from "./places.ts";

export interface HistoryOptions {
  readonly folders: HistoryFolders;
  /** Where the index is kept; made when needed, private to the person. */
  readonly cacheFile: string;
  /**
   * The running conversation, and the number of its first message that the model still has word for word because the
   * turn that looks back began with it.
   */
  current(): { readonly path: string; readonly turnStart: number };
}

export interface History {
  readonly tool: ToolKind;
  close(): Promise<void>;
}

export function createHistory(options: HistoryOptions): History {
  let search: Promise<HistorySearch> | undefined;
  return {
    tool: createHistoryTool(async (args, { signal }) => {
      search ??= import("./history_search.ts").then(({ HistorySearch }) => new HistorySearch(options));
      return await (await search).look(args, signal);
    }),
    close: async () => (await search)?.close(),
  };
}
