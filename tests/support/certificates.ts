/** A certificate authority of the moment and a certificate for 127.0.0.1 that it signed. Needs `openssl`. */

export interface Certificates {
  /** PEM file of the authority. */
  readonly caFile: string;
  readonly cert: string;
  readonly key: string;
}

export { hasOpenssl } from "./programs.ts";

/** Writes into `folder`. */
export async function createCertificates(folder: string): Promise<Certificates> {
  const run = async (...args: string[]) => {
    const { success, stderr } = await new Deno.Command("openssl", { args, cwd: folder, stdin: "null" }).output();
    if (!success) throw new Error(new TextDecoder().decode(stderr));
  };
  const fresh = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  await Deno.writeTextFile(
    `${folder}/leaf.cnf`,
    "subjectAltName=IP:127.0.0.1,DNS:localhost\nbasicConstraints=CA:FALSE\n",
  );
  await run(
    "req",
    "-x509",
    ...fresh,
    "-keyout",
    "ca.key",
    "-out",
    "ca.pem",
    "-days",
    "2",
    "-subj",
    "/CN=Test Authority",
  );
  await run("req", ...fresh, "-keyout", "leaf.key", "-out", "leaf.csr", "-subj", "/CN=127.0.0.1");
  await run(
    ...["x509", "-req", "-in", "leaf.csr", "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial"],
    ...["-out", "leaf.pem", "-days", "2", "-extfile", "leaf.cnf"],
  );
  return {
    caFile: `${folder}/ca.pem`,
    cert: await Deno.readTextFile(`${folder}/leaf.pem`),
    key: await Deno.readTextFile(`${folder}/leaf.key`),
  };
}
