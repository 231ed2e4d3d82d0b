/** Bounds of what one turn may save. */
export const coverageLimits = {
  /** Larger files are not saved. Bytes. */
  fileBytes: 32 * 1024 * 1024,
  /** A folder with more in it is not moved. */
  movedEntries: 5_000,
  /** Files looked at around a command, the ones touched last. */
  watched: 500,
  /** Of these, what is held in memory meanwhile. Bytes. */
  watchedBytes: 16 * 1024 * 1024,
} as const;
