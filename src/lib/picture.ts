/** Pictures as data URLs, in the formats that models look at. */

export type PictureFormat = "PNG" | "JPEG" | "GIF" | "WebP";

/** Endpoints refuse larger ones: 5 MB of base64. Bytes. */
export const LARGEST_PICTURE = 3_750_000;

const TYPES: Readonly<Record<PictureFormat, string>> = {
  PNG: "image/png",
  JPEG: "image/jpeg",
  GIF: "image/gif",
  WebP: "image/webp",
};

export function toDataUrl(bytes: Uint8Array, format: PictureFormat): string {
  const pieces: string[] = [];
  // Three bytes are four characters, so pieces of a multiple of three join without padding.
  for (let at = 0; at < bytes.length; at += 24_576) {
    pieces.push(btoa(String.fromCharCode(...bytes.subarray(at, at + 24_576))));
  }
  return `data:${TYPES[format]};base64,${pieces.join("")}`;
}
