/** The edits of a `multi_edit` call as they come from the model. */
import type { Edit } from "./edit_text.ts";

export interface EditArgument {
  readonly old_string: string;
  readonly new_string: string;
  readonly replace_all?: boolean;
}

export function toEdits(args: readonly EditArgument[]): Edit[] {
  return args.map((edit) => ({ old: edit.old_string, new: edit.new_string, all: edit.replace_all === true }));
}
