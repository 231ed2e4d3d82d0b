/**
 * Runs `work` on items with at most `width` in flight and gives the results in the order of the items, each as soon as
 * it is its turn. What was begun is waited for when the caller stops early, so nothing runs on behind its back.
 */
export async function* inOrder<T, R>(
  items: Iterable<T> | AsyncIterable<T>,
  width: number,
  work: (item: T) => Promise<R>,
): AsyncGenerator<R> {
  const source = Symbol.asyncIterator in items ? items[Symbol.asyncIterator]() : items[Symbol.iterator]();
  const running: Promise<R>[] = [];
  let coming: Promise<void> | undefined;
  let ended = false;
  const pull = async () => {
    const next = await source.next();
    coming = undefined;
    if (next.done) {
      ended = true;
      return;
    }
    const result = work(next.value);
    // A failure is told where its turn comes; until then it is not an unhandled one.
    result.catch(() => {});
    running.push(result);
  };
  try {
    for (;;) {
      if (!ended && running.length < width) coming ??= pull();
      const first = running[0];
      if (first === undefined) {
        if (ended) return;
        await coming;
      } else if (coming === undefined || await isFirst(first, coming)) {
        running.shift();
        yield await first;
      }
    }
  } finally {
    await Promise.allSettled([coming, ...running]);
    if (!ended) await source.return?.();
  }
}

/** Which settles first? A failure of `one` counts as settling; one of `other` is thrown. */
function isFirst(one: Promise<unknown>, other: Promise<void>): Promise<boolean> {
  return Promise.race([one.then(() => true, () => true), other.then(() => false)]);
}
