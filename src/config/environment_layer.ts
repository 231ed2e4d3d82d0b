/** What variables of the environment say of settings; it outranks the files. */
import type { EnvironmentReader } from "./paths.ts";
import type { LayerValues } from "./read_layer.ts";

export function environmentLayer(env: EnvironmentReader): LayerValues {
  const read = (name: string) => env(name)?.trim() ?? "";
  const theme = read("REASONIX_THEME").toLowerCase();
  const themeStyle = read("REASONIX_THEME_STYLE");
  const telemetryOff = read("REASONIX_TELEMETRY") === "0" || !["", "0", "false"].includes(read("DO_NOT_TRACK"));
  return {
    ui: {
      ...(["auto", "light", "dark"].includes(theme) ? { theme } : {}),
      ...(themeStyle === "" ? {} : { themeStyle }),
    },
    ...(telemetryOff ? { telemetry: { cliMetrics: "off" } } : {}),
  };
}
