/** The place in a conversation that an excerpt of the person's words names. */
import { ToolError } from "../../contract/errors.ts";
import type { Message } from "../../contract/message.ts";
import { isPersonsTurn } from "./cut.ts";

/** Throws `ToolError` unless exactly one message of the person fits. The running turn may quote what it means. */
export function findAnchor(messages: readonly Message[], excerpt: string, activeTurn: number | undefined): number {
  const found: number[] = [];
  for (const [at, message] of messages.entries()) {
    if (isPersonsTurn(message) && (message.raw_content ?? message.content ?? "").includes(excerpt)) found.push(at);
  }
  const earlier = activeTurn === undefined ? found : found.filter((at) => at < activeTurn);
  const places = earlier.length > 0 ? earlier : found;
  if (places.length === 1) return places[0]!;
  if (places.length === 0) throw new ToolError("no message of the user holds this anchor; quote one exactly");
  throw new ToolError(`${places.length} messages of the user hold this anchor; quote a longer excerpt`);
}
