/**
 * Sockets of the host through which a confined program could have something done outside its walls. Those below
 * `/run` vanish with it on Linux; the others are masked by name. `host_authorities` names the ones left usable.
 */

export interface HostAuthority {
  readonly name: string;
  /** Variable that holds the socket's path or address. */
  readonly variable?: string;
  /** Below the home folder. */
  readonly inHome?: readonly string[];
  /** Absolute; `%uid` is the person's number. */
  readonly absolute?: readonly string[];
}

const HOST_AUTHORITIES: readonly HostAuthority[] = [
  { name: "ssh_agent", variable: "SSH_AUTH_SOCK" },
  {
    name: "gpg_agent",
    inHome: [".gnupg/S.gpg-agent", ".gnupg/S.gpg-agent.extra", ".gnupg/S.gpg-agent.ssh", ".gnupg/S.keyboxd"],
    absolute: ["/run/user/%uid/gnupg"],
  },
  {
    name: "docker",
    variable: "DOCKER_HOST",
    inHome: [
      ".docker/run/docker.sock",
      ".docker/desktop/docker.sock",
      ".rd/docker.sock",
      ".colima/default/docker.sock",
      ".orbstack/run/docker.sock",
    ],
    absolute: ["/run/docker.sock", "/var/run/docker.sock", "/run/user/%uid/docker.sock"],
  },
  {
    name: "podman",
    absolute: ["/run/podman/podman.sock", "/run/user/%uid/podman"],
  },
  {
    name: "dbus",
    variable: "DBUS_SESSION_BUS_ADDRESS",
    absolute: ["/run/dbus", "/run/user/%uid/bus"],
  },
  { name: "wayland", absolute: ["/run/user/%uid/wayland-0", "/run/user/%uid/wayland-1"] },
  { name: "x11", absolute: ["/tmp/.X11-unix"] },
];

/** Below `/run` and needed to start programs, to resolve names or to reach removable disks. */
export const NEEDED_IN_RUN = [
  "/run/current-system",
  "/run/booted-system",
  "/run/opengl-driver",
  "/run/media",
  "/run/systemd/resolve/stub-resolv.conf",
  "/run/systemd/resolve/resolv.conf",
];

export interface SocketPlaces {
  readonly left: readonly string[];
  readonly denied: readonly string[];
}

/** Paths of the sockets, whether they exist or not. Pure. */
export function socketPlaces(options: {
  readonly authorities: readonly string[];
  readonly userHome: string;
  readonly uid: number;
  readonly env: Readonly<Record<string, string>>;
}): SocketPlaces {
  const left: string[] = [];
  const denied: string[] = [];
  for (const authority of HOST_AUTHORITIES) {
    const places = options.authorities.includes(authority.name) ? left : denied;
    const value = authority.variable === undefined ? undefined : options.env[authority.variable];
    const named = value === undefined ? undefined : /^(?:unix:(?:path=|\/\/)?)?(\/[^,;]+)/.exec(value)?.[1];
    if (named !== undefined) places.push(named);
    for (const path of authority.inHome ?? []) places.push(`${options.userHome}/${path}`);
    for (const path of authority.absolute ?? []) places.push(path.replace("%uid", String(options.uid)));
  }
  return { left, denied };
}
