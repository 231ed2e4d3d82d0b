/** What the model is told of the memory tools. What they do is loaded with the first call. */
import type { JsonSchema, Tool, ToolContext, ToolKind, ToolOutput } from "../../contract/tool.ts";
import { ACTIVATIONS, FACT_SCOPES, FACT_TYPES, VOLATILITIES } from "../fact.ts";
import forgetWords from "./forget.md" with { type: "text" };
import memoryWords from "./memory.md" with { type: "text" };
import rememberWords from "./remember.md" with { type: "text" };

export const MEMORY_WRITERS: ReadonlySet<string> = new Set(["remember", "forget"]);

/** Carries out calls of these tools. */
export interface MemoryCalls {
  memory(args: Record<string, unknown>): Promise<ToolOutput>;
  remember(args: Record<string, unknown>, context: ToolContext): Promise<ToolOutput>;
  forget(args: Record<string, unknown>): Promise<ToolOutput>;
}

const text = { type: "string" };

/** In the order the model sees them. */
export function createMemoryTools(calls: () => Promise<MemoryCalls>): readonly ToolKind[] {
  return [
    kind({
      name: "memory",
      description: memoryWords,
      readOnly: true,
      properties: {
        operation: { enum: ["search", "read", "list"] },
        query: text,
        name: text,
        type: { enum: FACT_TYPES },
        scope: { enum: FACT_SCOPES },
        limit: { type: "integer", maximum: 20 },
      },
      required: ["operation"],
      execute: async (args) => await (await calls()).memory(args),
    }),
    kind({
      name: "remember",
      description: rememberWords,
      readOnly: false,
      properties: {
        description: text,
        body: text,
        type: { enum: FACT_TYPES },
        scope: { enum: FACT_SCOPES },
        title: text,
        name: text,
        keywords: { type: "array", items: text },
        id: text,
        expected_revision: { type: "integer" },
        subject_key: text,
        activation: { enum: ACTIVATIONS },
        volatility: { enum: VOLATILITIES },
        expires_at: text,
        verified: { type: "boolean" },
      },
      required: ["description", "body"],
      execute: async (args, context) => await (await calls()).remember(args, context),
    }),
    kind({
      name: "forget",
      description: forgetWords,
      readOnly: false,
      properties: { name: text },
      required: ["name"],
      execute: async (args) => await (await calls()).forget(args),
    }),
  ];
}

interface Words {
  readonly name: string;
  readonly description: string;
  readonly readOnly: boolean;
  readonly properties: JsonSchema;
  readonly required: readonly string[];
  readonly execute: Tool["execute"];
}

function kind({ name, description, readOnly, properties, required, execute }: Words): ToolKind {
  const schema: JsonSchema = { type: "object", properties, required };
  return { name, create: () => ({ name, description, readOnly, direct: true, schema, execute }) };
}
