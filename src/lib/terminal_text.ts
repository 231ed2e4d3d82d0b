/** Text from models, tools and files is hostile to a terminal: it can clear the screen or fill the clipboard. */

/**
 * Terminal control bytes as visible symbols (U+2400 and on), so that neither model nor screen ever receives them
 * raw. Tab, line feed and carriage return stay.
 */
export function showControls(text: string): string {
  return text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f]/g, toSymbol);
}

/** As `showControls`, for what is written to a terminal: a lone carriage return would overwrite its line. */
export function toTerminal(text: string): string {
  return showControls(text).replace(/\r(?!\n)/g, "\u240d").replaceAll("\r\n", "\n");
}

/** One line for people, cut to `limit` characters. */
export function toLine(text: string, limit = 200): string {
  const line = showControls(text).replace(/\s+/g, " ").trim();
  return line.length <= limit ? line : `${line.slice(0, limit - 1)}…`;
}

function toSymbol(control: string): string {
  const code = control.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  return code === 0x7f ? "\u2421" : "\ufffd";
}
