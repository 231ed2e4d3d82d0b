/**
 * Characters that a terminal shows as nothing, or by which it shows others in another order than they stand: what is
 * read is then not what is there. Joiners, which letters and emoji need, are not among them.
 */

/** Inside the brackets of a pattern with the flag `u` or without: marks of direction, soft hyphens, fillers, blanks without width. */
export const UNSEEN =
  "\\u00ad\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180e\\u200b\\u200e\\u200f\\u202a-\\u202e\\u2060-\\u2064" +
  "\\u2066-\\u206f\\u3164\\ufeff\\uffa0\\ufff9-\\ufffb";

/** The tags U+E0000 to U+E007F, which repeat ASCII unseen, as a pattern of two units. */
export const UNSEEN_TAGS = "\\udb40[\\udc00-\\udc7f]";
