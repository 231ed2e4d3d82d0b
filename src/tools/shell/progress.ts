/** Live output for people: at most ten pieces a second, the newest text of each moment. */

const PAUSE_MS = 100;
const LONGEST = 4096;

export interface Progress {
  add(text: string): void;
  /** A line of the host's own. */
  note(text: string): void;
  end(): void;
}

export function createProgress(show: (text: string) => void): Progress {
  let waiting = "";
  let shownAt = -Infinity;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const flush = () => {
    clearTimeout(timer);
    timer = undefined;
    if (waiting === "") return;
    show(waiting);
    waiting = "";
    shownAt = performance.now();
  };

  return {
    add(text) {
      if (text === "") return;
      waiting += text;
      if (waiting.length > LONGEST) {
        waiting = `…\n${waiting.slice(waiting.indexOf("\n", waiting.length - LONGEST) + 1)}`;
      }
      const pause = shownAt + PAUSE_MS - performance.now();
      if (pause <= 0) flush();
      else timer ??= setTimeout(flush, pause);
    },
    note(text) {
      waiting += `${text}\n`;
      flush();
    },
    end: flush,
  };
}
