/**
 * The likely charset of text that is not UTF-8. Only a verdict of `gb18030` lets a file be written, so it is given only
 * when the bytes look like Chinese text and like nothing else; the other names serve for showing a file.
 */
import { decodeStrictly } from "./text_encoding.ts";

/** The most frequent characters of Chinese prose, and those of comments in programs. */
const COMMON_HANZI = new Set(
  "的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里用道行所然家种事成方多经么去法" +
    "学如都同现当没动面起看定天分还进好小部其些主样理心她本前开但因只从想实日军者意无力它与长把机十民第公此已工使情明性知全三又关点正业" +
    "外将两高间由问很最重并物手应战向头文体政美相见被利什二等产或新己制身果加西斯月话合回特代内信表化老给世位次度门任常先海通教儿原东声提" +
    "立及比员解水名真论处走义各入几口认条平系气题活尔更别打女变四神总何电数安少报才结反受目太量再感建务做接必场件计管期市直德资命山金指克" +
    "许统区保至队形社便空决治展马科司五基眼书非则听白却界达光放强即像难且权思王象完设式色路记南品住告类求据程北边死张该交规万取拉格望觉术" +
    "码编释注测试参函返值类型输读写错误配置默认字符串列组输键否若默换查删改添存缓线载端请求服务器用户登录页按钮显示版源例请行块注",
);

const COMMON_HANGUL = new Set(
  "이다는을에의가고하지한은사도를로기나리어아자대서있인라그시만전해수부스일정보면것니습요여게들제원으주장구동상관성조용과중모공생오우경내" +
    "화와되된안음었했까저할계연업비신마방파명문때물안적",
);

interface Candidate {
  readonly name: string;
  /** Letters beyond ASCII that texts in this charset are full of. */
  readonly letters: RegExp;
}

/** In this order of preference when two explain a text equally well. */
const SINGLE_BYTE: readonly Candidate[] = [
  { name: "windows-1252", letters: /[àâäáãåæçéèêëíìîïñóòôöõøœúùûüßÀÂÄÁÃÅÆÇÉÈÊÍÎÑÓÔÖÕØÚÜ¿¡«»°’“”€–—]/ },
  { name: "windows-1254", letters: /[ışğüöçâîİŞĞÜÖÇ’“”–]/ },
  { name: "iso-8859-2", letters: /[ąćęłńóśźżáčďéěíňřšťúůýžäöüőűßĄĆĘŁŃÓŚŹŻÁČĎÉŘŠÚŽÖÜ]/ },
  { name: "windows-1250", letters: /[ąćęłńóśźżáčďéěíňřšťúůýžäöüőűßĄĆĘŁŃÓŚŹŻÁČĎÉŘŠÚŽÖÜ„”–]/ },
  { name: "windows-1251", letters: /[а-яёіїєґ№«»–—]/ },
  { name: "koi8-r", letters: /[а-яё]/ },
  { name: "windows-1253", letters: /[α-ωάέήίόύώς]/ },
  { name: "cp737", letters: /[α-ωάέήίόύώς]/ },
];

/** Enough of a file to judge it by. */
const SAMPLE_BYTES = 64 * 1024;

type Decode = (bytes: Uint8Array, label: string) => string;

/** `decode` reads bytes in any charset, invalid ones replaced. */
export function guessCharset(bytes: Uint8Array, decode: Decode): string {
  const sample = sampleOf(bytes);
  const multiByte = guessMultiByte(sample, decode);
  // A verdict that lets the file be written is about all of it.
  if (multiByte === "gb18030" && decodeStrictly("gb18030", bytes) === undefined) return "windows-1252";
  if (multiByte !== undefined) return multiByte;
  let best = { name: "windows-1252", share: 0 };
  for (const { name, letters } of SINGLE_BYTE) {
    const share = shareOf(beyondAscii(decode(sample, name)), (character) => letters.test(character));
    if (share > best.share + 0.01) best = { name, share };
  }
  return best.name;
}

/** Whole lines from the first that is not ASCII on. */
function sampleOf(bytes: Uint8Array): Uint8Array {
  if (bytes.length <= SAMPLE_BYTES) return bytes;
  const first = bytes.findIndex((byte) => byte >= 0x80);
  const start = bytes.lastIndexOf(0x0a, first) + 1;
  const end = bytes.lastIndexOf(0x0a, start + SAMPLE_BYTES) + 1;
  return bytes.subarray(start, end > start ? end : bytes.length);
}

function guessMultiByte(bytes: Uint8Array, decode: Decode): string | undefined {
  const japanese = ["euc-jp", "shift_jis"].find((label) => {
    const characters = decodedBeyondAscii(label, bytes);
    return characters !== undefined && shareOf(characters, isFullKana) > 0.3;
  });
  if (japanese !== undefined) return japanese;
  const hanzi = gbShare(bytes);
  const korean = decodedBeyondAscii("euc-kr", bytes);
  if (korean !== undefined && korean.length > 0) {
    const isKorean = shareOf(korean, (character) => /[가-힣、-】]/.test(character)) > 0.9 &&
      shareOf(korean, (character) => COMMON_HANGUL.has(character)) > (hanzi?.common ?? 0);
    if (isKorean) return "euc-kr";
  }
  if (hanzi !== undefined && hanzi.usual >= 0.7) {
    // A few Cyrillic letters make rare Chinese characters as well.
    const isCyrillic = hanzi.common === 0 &&
      ["koi8-r", "windows-1251"].some((name) =>
        beyondAscii(decode(bytes, name)).every((character) => /[а-яё]/i.test(character))
      );
    return isCyrillic ? undefined : "gb18030";
  }
  const big5 = decodedBeyondAscii("big5", bytes);
  // A single accented letter before an ASCII one is a valid pair as well, but not a common character.
  if (big5 !== undefined && shareOf(big5, (character) => /[一-龥，。、；：？！「」（）《》]/.test(character)) > 0.9) {
    return big5.length >= 4 && isDensePairs(bytes) ? "big5" : undefined;
  }
  return isDensePairs(bytes) && looksLikeBrokenBig5(bytes) ? "big5" : undefined;
}

/** How Chinese a text is when read as GB18030: the share of usual characters, and that of the most common. */
function gbShare(bytes: Uint8Array): { readonly usual: number; readonly common: number } | undefined {
  const characters = decodedBeyondAscii("gb18030", bytes);
  if (characters === undefined || characters.length === 0) return undefined;
  let pairs = 0;
  let usual = 0;
  for (let i = 0; i < bytes.length; i++) {
    const lead = bytes[i]!;
    if (lead < 0x81) continue;
    const trail = bytes[i + 1] ?? 0;
    if (trail >= 0x30 && trail <= 0x39) {
      // Four bytes: rare letters and emoji, which speak neither for nor against.
      i += 3;
      continue;
    }
    pairs++;
    i++;
    // Punctuation, full-width forms, box drawing and the 3,755 everyday characters of GB 2312.
    if (trail >= 0xa1 && (lead >= 0xb0 && lead <= 0xd7 || lead >= 0xa1 && lead <= 0xa9 && lead !== 0xa4)) usual++;
  }
  return {
    usual: pairs === 0 ? 0 : usual / pairs,
    common: shareOf(characters, (character) => COMMON_HANZI.has(character)),
  };
}

/** Bytes beyond ASCII stand mostly in pairs, as they do not in European texts. */
function isDensePairs(bytes: Uint8Array): boolean {
  let high = 0;
  let runs = 0;
  for (let i = 0; i < bytes.length; i++) {
    if (bytes[i]! < 0x80) continue;
    high++;
    if (i === 0 || bytes[i - 1]! < 0x80) runs++;
  }
  return runs > 0 && high / runs > 1.3;
}

/** Big5 with a character or two of a vendor's own: everything else decodes, and to everyday characters. */
function looksLikeBrokenBig5(bytes: Uint8Array): boolean {
  const characters = beyondAscii(new TextDecoder("big5").decode(bytes));
  return characters.length >= 8 &&
    shareOf(characters, (character) => /[一-龥，。、；：？！「」（）]/.test(character)) > 0.9;
}

function decodedBeyondAscii(label: string, bytes: Uint8Array): string[] | undefined {
  const text = decodeStrictly(label, bytes);
  return text === undefined ? undefined : beyondAscii(text);
}

function beyondAscii(text: string): string[] {
  return text.match(/[^\x00-\x7f]/gu) ?? [];
}

function isFullKana(character: string): boolean {
  return /[\u3041-\u30fe]/.test(character);
}

function shareOf(characters: readonly string[], matches: (character: string) => boolean): number {
  return characters.length === 0 ? 0 : characters.filter(matches).length / characters.length;
}
