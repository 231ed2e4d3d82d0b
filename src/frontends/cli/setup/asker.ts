/** Questions of `setup` at a terminal. A port, so that tests can answer; `clackAsker` loads the prompts when it is made. */

/** The person left. Nothing was written. */
export class Left extends Error {
  override readonly name: string = "Left";
}

export interface Choice<T> {
  readonly value: T;
  readonly label: string;
  readonly hint?: string;
}

/** Every question rejects with `Left` when the person cancels it. */
export interface Asker {
  choose<T>(question: string, choices: readonly Choice<T>[], initial?: T): Promise<T>;
  /** `problem` answers what is wrong with a text, or undefined. `example` is shown while nothing is typed. */
  line(
    question: string,
    options?: { readonly initial?: string; readonly example?: string; problem?(text: string): string | undefined },
  ): Promise<string>;
  /** Not shown while it is typed. May be left empty. */
  secret(question: string): Promise<string>;
  yes(question: string, initial?: boolean): Promise<boolean>;
  some(question: string, choices: readonly Choice<string>[], initial: readonly string[]): Promise<readonly string[]>;
  say(kind: "start" | "end" | "info" | "done" | "warning" | "error", text: string): void;
  /** Shows that something is going on. */
  during<T>(what: string, work: Promise<T>): Promise<T>;
}

export async function clackAsker(): Promise<Asker> {
  const clack = await import("@clack/prompts");
  const answered = async <T>(asked: Promise<T | symbol>): Promise<T> => {
    const answer = await asked;
    if (clack.isCancel(answer)) throw new Left("cancelled");
    return answer as T;
  };
  const say: Asker["say"] = (kind, text) => {
    switch (kind) {
      case "start":
        return clack.intro(text);
      case "end":
        return clack.outro(text);
      case "info":
        return clack.log.info(text);
      case "done":
        return clack.log.success(text);
      case "warning":
        return clack.log.warn(text);
      case "error":
        return clack.log.error(text);
    }
  };
  return {
    say,
    choose: <T>(message: string, choices: readonly Choice<T>[], initial?: T) =>
      answered<T>(clack.select<T>({
        message,
        // deno-lint-ignore no-explicit-any
        options: [...choices] as any,
        maxItems: 14,
        ...(initial === undefined ? {} : { initialValue: initial }),
      })),
    line: (message, options = {}) =>
      answered<string>(clack.text({
        message,
        ...(options.initial === undefined ? {} : { initialValue: options.initial }),
        ...(options.example === undefined ? {} : { placeholder: options.example }),
        validate: (text) => options.problem?.((text ?? "").trim()),
      })).then((text) => (text ?? "").trim()),
    secret: (message) => answered<string>(clack.password({ message, mask: "•" })).then((text) => (text ?? "").trim()),
    yes: (message, initial = true) => answered<boolean>(clack.confirm({ message, initialValue: initial })),
    some: (message, choices, initial) =>
      answered<string[]>(clack.multiselect<string>({
        message,
        // deno-lint-ignore no-explicit-any
        options: [...choices] as any,
        initialValues: [...initial],
        maxItems: 14,
        required: true,
      })),
    // No spinner: it reads keys to hide them, and Deno 2.6 then gives the first key of the next question to it.
    during: (what, work) => {
      clack.log.step(`${what} …`);
      return work;
    },
  };
}
