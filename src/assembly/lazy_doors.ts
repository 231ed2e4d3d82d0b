/** Doors to what only a few commands need: nothing of it is loaded on the way to a run's first request. */
import type { CapabilityOptions } from "./diagnosis/capabilities.ts";
import type { DiagnoseOptions } from "./diagnosis/diagnose.ts";
import type { FolderEntry } from "./folder_list.ts";
import type { HookInventory, InventoryOptions } from "./hook_inventory.ts";
import type { InspectedProject } from "./inspect_project.ts";

export async function diagnose(project: InspectedProject, options: DiagnoseOptions) {
  const { diagnose } = await import("./diagnosis/diagnose.ts");
  return await diagnose(project, options);
}

export async function inspectCapabilities(project: InspectedProject, options: CapabilityOptions) {
  const { inspectCapabilities } = await import("./diagnosis/capabilities.ts");
  return await inspectCapabilities(project, options);
}

export async function inventHooks(options?: InventoryOptions): Promise<HookInventory> {
  const { inventHooks } = await import("./hook_inventory.ts");
  return await inventHooks(options);
}

export async function listFolder(root: string, folder: string, signal: AbortSignal): Promise<readonly FolderEntry[]> {
  const { listFolder } = await import("./folder_list.ts");
  return await listFolder(root, folder, signal);
}

/** Models an endpoint lists, and the settings it is asked with. */
export const loadEndpointCheck = () => import("./diagnosis/endpoint.ts");

/** MCP servers outside a session: how they stand, a start to try, sign-in. */
export const loadServerTasks = () => import("./server_tasks.ts");

/** Sessions as JSON for other programs. */
export const loadSessionForms = () => import("../sessions/machine_forms.ts");

/** How well the cache of the model's endpoint served a session. */
export const loadCacheReports = () => import("../sessions/requests/load.ts");

export const loadSessionMaintenance = () => import("../sessions/maintenance.ts");

/** Requests that go the way those of providers go: proxy and certificate authorities as the settings and the environment say. */
export async function loadFetch({ loaded, env }: InspectedProject): Promise<typeof fetch> {
  const [{ proxySettings }, { createPorts }] = await Promise.all([
    import("../config/mod.ts"),
    import("../providers/mod.ts"),
  ]);
  const proxy = proxySettings(loaded.config.network, { keys: loaded.keys, env });
  return createPorts({ proxy, env }).fetch;
}
