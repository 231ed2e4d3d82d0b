/**
 * A 64-bit digest for telling texts apart, fast and without waiting: two 32-bit lanes of rotate-and-multiply over words
 * of four bytes. Not for security.
 */
import { toBytes } from "./bytes.ts";

/** Goes on from `seed`, the digest of what came before; 0 at the beginning. */
export function foldDigest(seed: bigint, text: string): bigint {
  const bytes = toBytes(text);
  const words = new Int32Array(Math.ceil(bytes.length / 4));
  new Uint8Array(words.buffer).set(bytes);
  let a = Number(seed & 0xffffffffn) ^ 0x9e3779b9 ^ bytes.length;
  let b = Number(seed >> 32n) ^ 0x85ebca6b;
  for (let i = 0; i < words.length; i++) {
    const word = words[i]!;
    a ^= word;
    a = Math.imul((a << 15) | (a >>> 17), 0x2c1b3c6d);
    b = (b + word) | 0;
    b = Math.imul((b << 13) | (b >>> 19), 0x297a2d39);
  }
  a ^= a >>> 15;
  b ^= b >>> 16;
  return (BigInt(b >>> 0) << 32n) | BigInt(a >>> 0);
}

/** 16 hex digits. */
export function digestText(digest: bigint): string {
  return digest.toString(16).padStart(16, "0");
}
