/**
 * Words that say nothing about a subject, in English and Chinese: what a turn consists of that only says "go on", and
 * what a question is built with. Recall looks past them.
 */

/** A turn of nothing but these asks for no memory. */
const GENERIC_WORDS = new Set(
  ("a about again ahead all almost alright amazing and any anything apply are as ask at awesome back be bit bored bye can cancel carry cheers " +
    "clear continue cool correct could day did do doing done exactly excellent feel feeling fine finish first fix for forget from fun funny get give go " +
    "going good goodbye goodnight got great had haha hahaha happy have hear hello help hey hi hmm hold how i if im in interesting is it its job joke just keep " +
    "kind know last later let lets lgtm like little lol look looks looking lot love lovely make makes me mean minute moment more morning much my name need never next nice night " +
    "no nope not nothing now of off oh ok okay on one oops other our out over perfect plan please problem proceed question quick really redo " +
    "resume retry right same saying say second see sense shall should show so some something soon sorry sound sounds start steps step still stop story sure " +
    "talk tell thank thanks that thats the then there these thing things think this time to today tomorrow tonight too try turn undo understand understood " +
    "up us very wait want was way we weather weekend welcome well were what whats when where which who why will with wonderful work working works would wow yeah yep " +
    "yes yesterday yet you your yours youre evening afternoon everything anyone everyone been ready yup hows ya meh")
    .split(" "),
);

/** Phrases of Chinese turns; a longer one goes before its parts. */
const GENERIC_PHRASES = (
  "继续吧 继续 接着来 接着做 接着 下一步 下一个 再来一次 重试 再试一次 再试试 试试看 试试 " +
  "没问题 可以的 可以 好的 好吧 好啊 好呀 行吧 行了 不行 不用了 不用 不要 不是 不对 是的 " +
  "对的 没错 明白了 明白 知道了 知道 了解了 了解 收到 谢谢你 谢谢 多谢 感谢 辛苦了 你好 您好 " +
  "早上好 中午好 下午好 晚上好 晚安 早安 再见 拜拜 哈哈 呵呵 嘿嘿 在吗 在不在 今天 明天 昨天 " +
  "天气 怎么样 怎么办 怎么 什么 为什么 如何 这个 那个 这样 那样 这里 开始吧 开始 停下 停止 " +
  "取消 等一下 等等 稍等 算了 完成了 完成 做完了 执行 确认 同意 帮我 帮忙 麻烦 一下 请问 请 " +
  "你是谁 你叫 名字 能做 会做 讲个笑话 笑话 故事 心情 开心 太好了 很好 真棒 厉害 不错 漂亮 " +
  "完美 我们 你们 他们 我 你 您 他 她 它 们 然后 还有 就 都 也 再 又 先 说 讲 做 去 " +
  "来 看 想 要 能 会 吃 累 忙 觉得 现在 事情 事 东西 问题 时候 最近 一个 个 有 没有 没 " +
  "多少 几 哪 谁 点 好 行 是 对 嗯 哦 噢 啊 呀 吧 吗 呢 嘛 的 了 着 过 在 很 太 真"
).split(" ").sort((a, b) => b.length - a.length);

/** What sentences are built with: never a reason to recall a fact. */
const FUNCTION_WORDS = new Set(
  ("a about after again all also am an and any are as at be because been before being between both but by can cannot could did do does doing " +
    "done down each else ever every few for from get give go goes going got had has have having he her here hers him his how i if in into is isn it its " +
    "just keep know let like ll look make makes me might more most much must my need needs no nor not now of off ok on once one only or other our out over own " +
    "please put re really s same say see shall she should show so some something such sure t take tell than thank thanks that the their them then there " +
    "these they thing things this those to too try under up us use used uses using ve very want wants was way we were what when where whether which while who whom " +
    "whose why will with without would yes yet you your yours").split(" "),
);

/** Cut a Chinese question into its matters. */
const FUNCTION_PHRASES = new RegExp(
  (
    "为什么 怎么样 怎么 什么 如何 哪些 哪个 哪里 哪儿 多少 多久 几个 是否 能不能 可不可以 我们 " +
    "你们 他们 咱们 这个 那个 这些 那些 这里 那里 这样 一下 一个 请问 帮我 帮忙 应该 可以 " +
    "需要 必须 现在 目前 时候 然后 或者 以及 还是 如果 因为 所以 但是 的话 的 了 吗 呢 吧 " +
    "啊 呀 嘛 和 与 或 在 是 我 你 您 他 她 它 把 被 给 让 请 要 会 能 就 都 也 还 " +
    "很 这 那 哪 有 没 不 到 从 对 跟 用"
  ).replaceAll(" ", "|"),
  "gu",
);

/** True for a turn that names no subject: "ok, go on", small talk, thanks. */
export function isGeneric(text: string): boolean {
  let rest = text.normalize("NFKC").toLowerCase().replaceAll(/['\u2019]/g, "");
  for (const phrase of GENERIC_PHRASES) rest = rest.replaceAll(phrase, " ");
  return (rest.match(/[\p{L}\p{N}_]+/gu) ?? []).every((word) => GENERIC_WORDS.has(word) || /^\p{N}{1,2}$/u.test(word));
}

/** The text without the words that only hold sentences together. */
export function withoutFunctionWords(text: string): string {
  return text.normalize("NFKC").replace(FUNCTION_PHRASES, " ")
    .replace(/[\p{L}\p{N}_]+/gu, (word) => FUNCTION_WORDS.has(word.toLowerCase()) ? " " : word);
}
