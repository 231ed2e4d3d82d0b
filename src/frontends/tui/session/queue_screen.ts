/** The waiting messages as a list to choose from. */
import type { CommandRow, CommandScreen } from "../../../controller/mod.ts";
import type { Translate, ViewState } from "../../view/mod.ts";

export function queueScreen({ items, paused }: ViewState["inbox"], t: Translate): CommandScreen {
  const rows = items.map(({ id, preview, state, failure }, at): CommandRow => ({
    label: preview,
    ...(state === "guidance" ? { detail: t("queue.guidance") } : {}),
    ...(state === "failed" ? { detail: t("queue.failed", { reason: failure ?? "" }) } : {}),
    actions: {
      enter: { label: t("queue.edit"), line: `/queue edit ${id}` },
      ...(state === "failed" ? { r: { label: t("queue.retry"), line: `/queue retry ${id}` } } : {}),
      d: { label: t("queue.delete"), line: `/queue delete ${id}` },
      s: { label: t("queue.show"), line: `/queue show ${id}` },
      ...(at > 0 ? { "-": { label: t("queue.earlier"), line: `/queue move ${id} ${at}` } } : {}),
      ...(at < items.length - 1 ? { "+": { label: t("queue.later"), line: `/queue move ${id} ${at + 2}` } } : {}),
    },
  }));
  const hold = paused
    ? { key: "resume", line: "/queue resume" } as const
    : { key: "pause", line: "/queue pause" } as const;
  if (items.length > 0 || paused) {
    const label = t(`queue.${hold.key}`);
    rows.push({ label, actions: { enter: { label, line: hold.line } } });
  }
  const title = paused
    ? t("queue.title_paused", { count: items.length, why: t(`queue.why_${paused}`) })
    : t("queue.title_waiting", { count: items.length });
  return { title, rows, empty: t("queue.none") };
}
