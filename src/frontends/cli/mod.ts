/** The command line. */
export { main } from "./main.ts";
