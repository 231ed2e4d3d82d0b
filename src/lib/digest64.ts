/** A 64-bit digest for telling texts apart, fast and without waiting: two 32-bit lanes of multiply-and-rotate. Not for security. */

/** Goes on from `seed`, the digest of what came before; 0 at the beginning. */
export function foldDigest(seed: bigint, text: string): bigint {
  let a = Number(seed & 0xffffffffn) ^ 0x9e3779b9;
  let b = Number(seed >> 32n) ^ 0x85ebca6b;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    a = Math.imul(a ^ unit, 0x01000193);
    b = Math.imul((b << 13) | (b >>> 19), 5) + unit | 0;
  }
  a ^= text.length;
  return (BigInt(b >>> 0) << 32n) | BigInt((a ^ (a >>> 15)) >>> 0);
}

/** 16 hex digits. */
export function digestText(digest: bigint): string {
  return digest.toString(16).padStart(16, "0");
}
