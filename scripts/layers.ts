/**
 * The import rules of the project, as data, and the lint rules that apply them. `deno lint` runs them for editors and
 * for the gate; tests/architecture runs the same rules over every file, so that a lint comment cannot switch one off.
 */

const CORE = ["lib", "contract"];
const CAPABILITIES = [
  "config",
  "providers",
  "workspace",
  "tools",
  "mcp",
  "safety",
  "sessions",
  "memory",
  "prompts",
  "extensions",
  "remote",
];
const SCREENS = ["frontends/tui", "frontends/serve", "frontends/acp"];

/** Area -> areas it may import, lowest first. Itself is implied. The table in docs/ARCHITECTURE.md says the same. */
export const MAY_IMPORT: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ["lib", []],
  ["contract", ["lib"]],
  ...CAPABILITIES.map((area) => [area, CORE] as const),
  ["agent", CORE],
  ["subagents", [...CORE, "agent"]],
  ["controller", [...CORE, "agent", "subagents"]],
  ["assembly", [...CORE, ...CAPABILITIES, "agent", "subagents", "controller"]],
  ["frontends/view", CORE],
  ...SCREENS.map((area) => [area, [...CORE, "controller", "frontends/view"]] as const),
  ["frontends/cli", [...CORE, "config", "controller", "assembly", "frontends/view", ...SCREENS]],
]);

/** Imported file by file; every other area is entered by its mod.ts. */
const OPEN: readonly string[] = CORE;

/** Areas that are handed ports instead of touching the machine. */
const PORTS_ONLY = ["contract", "tools", "agent", "subagents", "controller", "frontends/view"];

/** Modules that touch the machine whoever calls them. */
const MACHINE_MODULES = /^(?:node:)?(?:fs|child_process|net|http|https|os|process|worker_threads)(?:\/|$)/;

export function areaOf(path: string): string | undefined {
  return [...MAY_IMPORT.keys()].find((area) => path.startsWith(area + "/"));
}

/** Why `from` may not import `target` (both relative to src/), or undefined if it may. */
export function objection(from: string, target: string, how: { readonly static?: boolean } = {}): string | undefined {
  const here = areaOf(from);
  const there = areaOf(target);
  if (here === undefined) return `"${from}" is in no area`;
  if (there === undefined) return `"${target}" is in no area`;
  if (here === there) return undefined;
  if (!MAY_IMPORT.get(here)!.includes(there)) return `"${here}" may not import "${there}"`;
  if (here !== "assembly" && !OPEN.includes(there) && target !== `${there}/mod.ts`) {
    return `Enter "${there}" by its mod.ts`;
  }
  if (how.static && here === "frontends/cli" && SCREENS.includes(there)) return `Load "${there}" lazily`;
}

/** Pages for people that the program carries: text, never code. Assembly alone reads them. */
const PAGES = /^(?:docs\/[A-Z_]+|README(?:\.zh-CN)?)\.md$/;

const ROOT = decodeURIComponent(new URL("..", import.meta.url).pathname).replace(/^\/(?=[A-Za-z]:)/, "");

/** Path below the project's root with forward slashes; undefined for a file elsewhere. */
function inProject(filename: string): string | undefined {
  const posix = filename.replaceAll("\\", "/");
  return posix.startsWith(ROOT) ? posix.slice(ROOT.length) : undefined;
}

/** `specifier` as written in `from` (below the root), as a path below the root; undefined when it leaves the root. */
function resolve(from: string, specifier: string): string | undefined {
  // Two folders of slack tell `../` past the root from a path inside it.
  const path = new URL(specifier, `file:///outside/root/${from}`).pathname;
  return path.startsWith("/outside/root/") ? decodeURIComponent(path.slice("/outside/root/".length)) : undefined;
}

const isTest = (path: string) => /_test\.tsx?$/.test(path);

export interface Named {
  readonly specifier: unknown;
  /** Erased by the compiler: no module is loaded for it. */
  readonly typeOnly: boolean;
  /** Loaded together with the file, not later by `import()`. */
  readonly static: boolean;
  /** `import "x"`, for the effect alone. */
  readonly bare: boolean;
}

// The lint AST types leave out parts that the nodes do have; they are read through this.
// deno-lint-ignore no-explicit-any
type Loose = any;

/** Calls `seen` for each module a file names, in every form the language has, worker URLs included. */
export function modules(seen: (node: Deno.lint.Node, named: Named) => void): Deno.lint.LintVisitor {
  const typed = (list: Loose[], kind: string) => list.length > 0 && list.every((one) => one[kind] === "type");
  return {
    ImportDeclaration: (n) =>
      seen(n, {
        specifier: n.source.value,
        typeOnly: n.importKind === "type" || typed(n.specifiers, "importKind"),
        static: true,
        bare: n.specifiers.length === 0,
      }),
    ExportAllDeclaration: (n) =>
      seen(n, { specifier: n.source.value, typeOnly: n.exportKind === "type", static: true, bare: false }),
    ExportNamedDeclaration: (n) => {
      if (!n.source) return;
      const typeOnly = n.exportKind === "type" || typed(n.specifiers, "exportKind");
      seen(n, { specifier: n.source.value, typeOnly, static: true, bare: false });
    },
    ImportExpression: (n: Loose) =>
      seen(n, { specifier: n.source?.value, typeOnly: false, static: false, bare: false }),
    TSImportType: (n: Loose) =>
      seen(n, { specifier: n.argument?.literal?.value, typeOnly: true, static: false, bare: false }),
    NewExpression: (n: Loose) => {
      const [path, base] = n.arguments;
      if (n.callee.name !== "URL" || base?.type !== "MemberExpression" || base.property.name !== "url") return;
      if (typeof path?.value !== "string" || !/\.tsx?$/.test(path.value)) return;
      // A URL without a leading dot is a neighbour all the same, and no package.
      const specifier = /^\w+\.tsx?$/.test(path.value) ? `./${path.value}` : path.value;
      seen(n, { specifier, typeOnly: false, static: false, bare: false });
    },
  } as Deno.lint.LintVisitor;
}

/** Which area imports which, and through which door. */
function importDirection(context: Deno.lint.RuleContext): Deno.lint.LintVisitor {
  const file = inProject(context.filename);
  if (file === undefined || isTest(file)) return {};
  const plugin = /^plugins\/[^/]+\//.exec(file)?.[0];
  if (file !== "main.ts" && plugin === undefined && !file.startsWith("src/")) return {};

  const judge = (specifier: string, isStatic: boolean): string | undefined => {
    const target = resolve(file, specifier);
    if (plugin !== undefined) {
      return target?.startsWith(plugin) ? undefined : `A plugin imports nothing outside its folder`;
    }
    if (file === "main.ts") {
      return target === "src/frontends/cli/mod.ts" ? undefined : `main.ts enters "frontends/cli" by its mod.ts alone`;
    }
    if (target !== undefined && file.startsWith("src/assembly/") && PAGES.test(target)) return undefined;
    if (!target?.startsWith("src/")) return `"${specifier}" leaves src/`;
    return objection(file.slice(4), target.slice(4), { static: isStatic });
  };

  return modules((node, named) => {
    if (typeof named.specifier !== "string") return context.report({ node, message: "Name the module literally" });
    if (named.bare) return context.report({ node, message: "No import for its side effects" });
    if (!named.specifier.startsWith(".")) return;
    const message = judge(named.specifier, named.static && !named.typeOnly);
    if (message) context.report({ node, message });
  });
}

/** Only the edges of the program touch the machine; the rest is handed ports. */
function ambientAuthority(context: Deno.lint.RuleContext): Deno.lint.LintVisitor {
  const file = inProject(context.filename);
  if (file === undefined || isTest(file) || !file.startsWith("src/")) return {};
  const area = areaOf(file.slice(4)) ?? "";
  const portsOnly = PORTS_ONLY.includes(area);
  const frontend = area.startsWith("frontends/");
  const machine = `"${area}" takes a port instead of calling Deno`;
  const visitor = modules((node, named) => {
    if (portsOnly && !named.typeOnly && MACHINE_MODULES.test(String(named.specifier))) {
      context.report({ node, message: `"${area}" takes a port instead of importing "${named.specifier}"` });
    }
  });
  return {
    ...visitor,
    Identifier(node) {
      if (node.name !== "Deno" || !portsOnly) return;
      const parent = node.parent as Loose;
      // A type is no authority, and `x.Deno` is judged below by what `x` is.
      if (parent.type === "TSQualifiedName" || parent.property?.range?.[0] === node.range[0]) return;
      context.report({ node, message: machine });
    },
    MemberExpression(node: Loose) {
      const object = node.object.name;
      const property = node.property.name;
      if (object === "globalThis" && property === "Deno" && portsOnly) context.report({ node, message: machine });
      if (object === "console" && !frontend) context.report({ node, message: "Only frontends print" });
      if (object !== "Deno") return;
      if ((property === "stdout" || property === "stderr") && !frontend) {
        context.report({ node, message: "Only frontends print" });
      }
      if ((property === "exit" || property === "exitCode") && area !== "frontends/cli") {
        context.report({ node, message: `Only "frontends/cli" and main.ts set the exit code` });
      }
    },
  };
}

/** A `mod.ts` is a list of names. */
function door(context: Deno.lint.RuleContext): Deno.lint.LintVisitor {
  const file = inProject(context.filename);
  if (file === undefined || !/^src\/.*\/mod\.ts$/.test(file)) return {};
  return {
    Program(program) {
      for (const node of program.body as Loose[]) {
        if (node.type === "ExportNamedDeclaration" && node.source) continue;
        const message = node.type === "ExportAllDeclaration" ? "Export by name" : "mod.ts holds no code";
        context.report({ node, message });
      }
    },
  };
}

/** State belongs to an object somebody created, so that two tests, or two sessions, never share it. */
function moduleState(context: Deno.lint.RuleContext): Deno.lint.LintVisitor {
  const file = inProject(context.filename);
  if (file === undefined || isTest(file) || !file.startsWith("src/")) return {};
  return {
    VariableDeclaration(node: Loose) {
      if (node.kind === "const" || node.declare) return;
      if (node.parent.type !== "Program" && node.parent.type !== "ExportNamedDeclaration") return;
      context.report({ node, message: "No process-wide mutable state" });
    },
  };
}

const plugin: Deno.lint.Plugin = {
  name: "reasonix",
  rules: {
    "import-direction": { create: importDirection },
    "ambient-authority": { create: ambientAuthority },
    "door": { create: door },
    "module-state": { create: moduleState },
  },
};

export default plugin;
