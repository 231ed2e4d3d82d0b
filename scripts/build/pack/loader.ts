/**
 * Modules made of functions, by the rules of ES modules: each is run once, after what it needs; bindings are live,
 * cycles see what is there already; one that failed fails again with the same error, and so does what needs it.
 */

type Namespace = Record<string, unknown>;

interface Module {
  exports: Namespace;
  failure?: { readonly error: unknown };
}

/** A chunk; its parameters are listed in `chunks.ts`. */
export type ChunkFunction = (
  module: Module,
  require: (specifier: string) => unknown,
  load: (specifier: string) => Promise<unknown>,
  url: string,
  toCommonJS: (exports: Namespace) => Namespace,
  exportAll: (target: Namespace, getters: Record<string, () => unknown>) => void,
  toESM: (exports: Namespace) => Namespace,
  reExport: (target: Namespace, from: Namespace) => Namespace,
) => void;

export interface LoaderHost {
  /** The function of a chunk. It is asked again when it threw. */
  chunk(name: string): ChunkFunction;
  /** A module of the runtime in CommonJS form. */
  builtin(specifier: string): Namespace;
  /** Where the chunks count as lying: a URL that ends with a slash. */
  readonly base: string;
}

export interface Loader {
  require(specifier: string): Namespace;
  /** A dynamic import. It never finds a module that is only half run, since it looks when all running code is through. */
  load(specifier: string): Promise<unknown>;
}

export function createLoader(host: LoaderHost): Loader {
  const modules = new Map<string, Module>();

  const require = (specifier: string): Namespace => {
    if (!specifier.startsWith("./")) return host.builtin(specifier);
    const known = modules.get(specifier);
    if (known) {
      if (known.failure) throw known.failure.error;
      return known.exports;
    }
    const name = specifier.slice(2);
    const chunk = host.chunk(name);
    const module: Module = { exports: {} };
    OURS.add(module.exports);
    modules.set(specifier, module);
    try {
      chunk(module, require, load, host.base + name, toCommonJS, exportAll, toESM, reExport);
    } catch (error) {
      module.failure = { error };
      throw error;
    }
    return module.exports;
  };
  const load = async (specifier: string): Promise<unknown> => {
    await null;
    return toESM(require(specifier));
  };
  return { require, load };
}

/** Namespaces of chunks; those made of the runtime's modules. */
const OURS = new WeakSet<Namespace>();
const MADE = new WeakMap<Namespace, Namespace>();

function toCommonJS(exports: Namespace): Namespace {
  OURS.add(exports);
  return exports;
}

function exportAll(target: Namespace, getters: Record<string, () => unknown>): void {
  for (const name in getters) Object.defineProperty(target, name, { get: getters[name]!, enumerable: true });
}

/** The namespace of an import: a module of the runtime is its `default` too. */
function toESM(exports: Namespace): Namespace {
  if (OURS.has(exports)) return exports;
  let namespace = MADE.get(exports);
  if (!namespace) MADE.set(exports, namespace = reExport({ default: exports }, exports));
  return namespace;
}

function reExport(target: Namespace, from: Namespace): Namespace {
  for (const name of Object.getOwnPropertyNames(from)) {
    if (name === "default" || Object.hasOwn(target, name)) continue;
    Object.defineProperty(target, name, { get: () => from[name], enumerable: true });
  }
  return target;
}
