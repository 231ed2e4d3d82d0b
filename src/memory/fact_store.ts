/**
 * All facts a session can see: those of the project and those of the person everywhere. Every change is checked again
 * under the lock of its store, keeps what was there, and gives a higher revision. Refusals are `ToolError`s that say
 * what stands in the way.
 */
import { ToolError } from "../contract/errors.ts";
import { sha256, toHex } from "../lib/bytes.ts";
import { closestName } from "../lib/closest_name.ts";
import { toLine } from "../lib/terminal_text.ts";
import {
  type Activation,
  type Fact,
  FACT_SCOPES,
  type FactScope,
  type FactType,
  fileReference,
  plainForm,
  type Volatility,
} from "./fact.ts";
import { FactFolder } from "./fact_folder.ts";
import { toFactName } from "./fact_name.ts";

export interface FactStoreOptions {
  readonly folders: Readonly<Record<FactScope, string>>;
  /** Unix time in milliseconds. */
  now?(): number;
}

/** What a fact is to say. Absent fields stay as they are, or get their usual value. */
export interface FactContent {
  readonly description: string;
  readonly body: string;
  readonly title?: string;
  readonly type?: FactType;
  readonly keywords?: readonly string[];
  readonly activation?: Activation;
  readonly volatility?: Volatility;
  /** Empty: none. */
  readonly subjectKey?: string;
  /** RFC 3339; null: never. */
  readonly expiresAt?: string | null;
  readonly verified?: boolean;
}

export interface NewFact extends FactContent {
  readonly scope: FactScope;
  readonly name?: string;
}

export interface CreateOptions {
  /** Nobody has looked at this: any fact with the same name, title or description refuses it. */
  readonly unasked?: boolean;
}

export interface ArchivedFact {
  /** Such as `project/.archive/20260131-094512.123-name.md`. */
  readonly path: string;
  readonly fact: Fact;
}

export interface Facts {
  readonly active: readonly Fact[];
  readonly problems: readonly string[];
}

export class FactStore {
  readonly #folders: Readonly<Record<FactScope, FactFolder>>;
  readonly #now: () => number;

  constructor({ folders, now }: FactStoreOptions) {
    this.#folders = {
      project: new FactFolder("project", folders.project),
      global: new FactFolder("global", folders.global),
    };
    this.#now = now ?? Date.now;
  }

  /** Project facts first, each by name. */
  async load(): Promise<Facts> {
    const [project, global] = await Promise.all([this.#folders.project.read(), this.#folders.global.read()]);
    return {
      active: [...project.facts, ...global.facts],
      problems: [...project.problems, ...global.problems],
    };
  }

  /** By id or name; `project/name` where both stores have one. */
  async find(ref: string): Promise<Fact> {
    return pick((await this.load()).active, ref);
  }

  /** The active fact that says the same as this one would: by name, title or description. */
  async duplicateOf(fact: NewFact): Promise<Fact | undefined> {
    return duplicate((await this.load()).active, fact);
  }

  async create(fact: NewFact, options: CreateOptions = {}): Promise<Fact> {
    const folder = this.#folders[fact.scope];
    return await folder.locked(async () => {
      const { active } = await this.load();
      const name = toFactName(fact.name ?? fact.title ?? fact.description) ||
        `fact-${(await sha256(fact.description)).slice(0, 8)}`;
      const same = active.find((one) => one.scope === fact.scope && one.name === name) ??
        (options.unasked ? duplicate(active, fact) : undefined);
      if (same) {
        throw new ToolError(
          `${fileReference(same)} exists already (id=${same.id} revision=${same.revision}); ` +
            `to change it, pass its id and expected_revision`,
        );
      }
      const time = this.#time();
      const title = toLine(fact.title ?? fact.name ?? fact.description, 120);
      const base: Fact = {
        id: `mem-${toHex(crypto.getRandomValues(new Uint8Array(16)))}`,
        revision: 1,
        scope: fact.scope,
        name,
        title,
        description: "",
        keywords: [],
        type: "project",
        activation: "relevant",
        createdAt: time,
        updatedAt: time,
        body: "",
        unknown: [],
      };
      const created = changed(base, { ...fact, title }, time);
      checkSubject(created, active);
      await folder.create(created);
      await folder.writeIndex();
      return created;
    });
  }

  /** `expected`: the revision the change was made from. */
  async update(ref: string, content: FactContent, expected?: number): Promise<Fact> {
    return await this.#change(ref, (before, time) => {
      if (expected !== undefined && expected !== before.revision) {
        throw new ToolError(
          `${before.id} has revision ${before.revision}, not ${expected}: it changed meanwhile. ` +
            `Read it with the memory tool, then pass expected_revision=${before.revision}. Nothing was changed`,
        );
      }
      return changed(before, content, time);
    });
  }

  async setActivation(ref: string, activation: Activation): Promise<Fact> {
    return await this.#change(ref, (before, time) => ({ ...before, activation, updatedAt: time }));
  }

  /** The person or the model has looked: it still holds. */
  async verify(ref: string): Promise<Fact> {
    return await this.#change(ref, (before, time) => ({ ...before, updatedAt: time, lastVerifiedAt: time }));
  }

  /** Answers where the file lies now. */
  async forget(ref: string): Promise<ArchivedFact> {
    const { scope } = await this.find(ref);
    const folder = this.#folders[scope];
    return await folder.locked(async () => {
      const fact = pick((await folder.read()).facts, ref);
      const path = await folder.archive(fact, this.#now());
      await folder.writeIndex();
      return { path: `${scope}/${path}`, fact };
    });
  }

  /** Snapshots of earlier revisions, rising, and the fact as it is. */
  async revisions(ref: string): Promise<{ readonly fact: Fact; readonly earlier: readonly Fact[] }> {
    const fact = await this.find(ref);
    const folder = this.#folders[fact.scope];
    const earlier = await Promise.all(
      folder.revisions(fact.id).map(async (revision) => {
        const found = await folder.readRevision(fact, revision).catch(() => undefined);
        return found && { ...found.fact, revision };
      }),
    );
    return { fact, earlier: earlier.filter((one) => one !== undefined) };
  }

  /** The content of an earlier revision, as a new and higher one. */
  async restore(ref: string, revision: number): Promise<Fact> {
    const { scope } = await this.find(ref);
    const folder = this.#folders[scope];
    return await this.#change(ref, async (before, time) => {
      const { fact } = await folder.readRevision(before, revision);
      return { ...fact, id: before.id, name: before.name, createdAt: before.createdAt, updatedAt: time };
    });
  }

  /** Newest first. */
  async archived(): Promise<readonly ArchivedFact[]> {
    const found = await Promise.all(FACT_SCOPES.flatMap((scope) =>
      this.#folders[scope].archived().map(async (file) => {
        const found = await this.#folders[scope].readArchived(file).catch(() => undefined);
        return found && { path: `${scope}/.archive/${file}`, fact: found.fact };
      })
    ));
    return found.filter((one) => one !== undefined);
  }

  /** Brings an archived fact back as a higher revision. The archive keeps its file. `path` as `archived` gives it. */
  async recover(path: string): Promise<Fact> {
    const [, given, file] = /^(?:(project|global)\/)?(?:\.archive\/)?([^/\\]+)$/.exec(path.trim()) ?? [];
    if (file === undefined) throw new ToolError(`${toLine(path)} names no file of the archive`);
    const scope = given as FactScope | undefined ??
      FACT_SCOPES.find((one) => this.#folders[one].archived().includes(file)) ?? "project";
    const folder = this.#folders[scope];
    return await folder.locked(async () => {
      const { fact: archived, text } = await folder.readArchived(file);
      const { facts } = await folder.read();
      const same = facts.find(({ id, name }) => id === archived.id || name === archived.name);
      if (same) throw new ToolError(`${fileReference(same)} (id=${same.id}) is in the way; nothing was overwritten`);
      const time = this.#time();
      const recovered = { ...archived, revision: this.#nextRevision(folder, archived), updatedAt: time };
      checkSubject(recovered, facts);
      await folder.snapshot(archived, text);
      await folder.create(recovered);
      await folder.writeIndex();
      return recovered;
    });
  }

  async #change(ref: string, change: (before: Fact, time: string) => Fact | Promise<Fact>): Promise<Fact> {
    const { scope } = await this.find(ref);
    const folder = this.#folders[scope];
    return await folder.locked(async () => {
      const { facts } = await folder.read();
      const current = pick(facts, ref);
      // A file that was edited by hand under a number that has a snapshot already is a revision of its own.
      const before = { ...current, revision: await this.#ownRevision(folder, current) };
      const after = { ...await change(current, this.#time()), revision: before.revision + 1 };
      checkSubject(after, facts);
      await folder.replace(before, after);
      await folder.writeIndex();
      return after;
    });
  }

  /** The number under which the present content may be kept. */
  async #ownRevision(folder: FactFolder, fact: Fact): Promise<number> {
    const latest = folder.revisions(fact.id).at(-1) ?? 0;
    if (fact.revision > latest) return fact.revision;
    const kept = fact.revision === latest ? await folder.readRevision(fact, latest).catch(() => undefined) : undefined;
    return kept?.text === folder.textOf(fact) ? latest : latest + 1;
  }

  #nextRevision(folder: FactFolder, fact: Fact): number {
    return Math.max(fact.revision, folder.revisions(fact.id).at(-1) ?? 0) + 1;
  }

  #time(): string {
    return new Date(this.#now()).toISOString();
  }
}

function changed(before: Fact, content: FactContent, time: string): Fact {
  const { volatility: _v, subjectKey: _s, expiresAt: _e, lastVerifiedAt: _l, ...rest } = before;
  const volatility = content.volatility ?? before.volatility;
  const subjectKey = content.subjectKey === undefined ? before.subjectKey : content.subjectKey.trim();
  const expiresAt = content.expiresAt === undefined ? before.expiresAt : content.expiresAt ?? undefined;
  const lastVerifiedAt = content.verified ? time : before.lastVerifiedAt;
  return {
    ...rest,
    title: toLine(content.title ?? before.title, 200),
    description: toLine(content.description, 400),
    body: content.body.replaceAll("\r\n", "\n").trim(),
    keywords: content.keywords ?? before.keywords,
    type: content.type ?? before.type,
    activation: content.activation ?? before.activation,
    ...(volatility ? { volatility } : {}),
    ...(subjectKey ? { subjectKey } : {}),
    ...(expiresAt ? { expiresAt } : {}),
    ...(lastVerifiedAt ? { lastVerifiedAt } : {}),
    updatedAt: time,
  };
}

function duplicate(active: readonly Fact[], fact: NewFact): Fact | undefined {
  const said = [fact.name, fact.title, fact.description].flatMap((text) => text === undefined ? [] : plainForm(text))
    .filter((text) => text !== "");
  return active.find(({ name, title, description }) =>
    [name, title, description].some((text) => said.includes(plainForm(text)))
  );
}

function checkSubject(fact: Fact, active: readonly Fact[]): void {
  const key = subjectOf(fact);
  if (key === undefined) return;
  const holder = active.find((one) => one.scope === fact.scope && one.id !== fact.id && subjectOf(one) === key);
  if (holder) {
    throw new ToolError(
      `the subject ${fact.subjectKey} belongs to ${holder.id} (${fileReference(holder)}); update that fact instead`,
    );
  }
}

/** Keys differ by more than letter case and blanks. */
export function subjectOf({ subjectKey }: Pick<Fact, "subjectKey">): string | undefined {
  return subjectKey?.normalize("NFKC").toLowerCase().replace(/\s+/g, " ").trim() || undefined;
}

function pick(facts: readonly Fact[], ref: string): Fact {
  const wanted = ref.trim().replace(/\.md$/, "");
  const byId = facts.find(({ id }) => id === wanted);
  if (byId) return byId;
  const named = facts.filter((fact) => fact.name === wanted || `${fact.scope}/${fact.name}` === wanted);
  if (named.length > 1) {
    throw new ToolError(`${wanted} is in both stores; name it by id: ${named.map(({ id }) => id).join(" or ")}`);
  }
  if (named[0]) return named[0];
  const near = closestName(wanted, facts.map(({ name }) => name));
  throw new ToolError(`no saved fact ${toLine(ref, 100)}${near ? `; did you mean ${near}?` : ""}`);
}
