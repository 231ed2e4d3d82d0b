/** A settings file as plain data, for those who edit it. */
import { type Document, parseDocument } from "./parse_document.ts";
import { readSourceFile } from "./source_file.ts";

/** Empty for a missing file. Throws `config.syntax` and `config.unreadable`. */
export async function readDocument(file: string): Promise<Document> {
  const source = await readSourceFile(file);
  if (source.state === "missing") return {};
  if (source.state === "failed") throw source.problem;
  const parsed = await parseDocument(source.text, file);
  if ("problem" in parsed) throw parsed.problem;
  return parsed.document;
}
