/** Ways in which a project's value gives away what the person has set; such a value waits for trust. */

export const both = (below: readonly string[], above: readonly string[]) => [...new Set([...below, ...above])];

export const addsTo = (project: readonly string[], below: readonly string[]) =>
  project.some((entry) => !below.includes(entry));

const dropsFrom = (project: readonly string[], below: readonly string[]) =>
  below.some((entry) => !project.includes(entry));

/** A list that forbids: until the folder is trusted, its entries count beside the person's. */
export const forbidding = {
  loosens: dropsFrom,
  untrusted: (project: readonly string[], below: readonly string[]) => both(below, project),
};

export const turnsOn = { loosens: (project: boolean, below: boolean) => project && !below };
export const turnsOff = { loosens: (project: boolean, below: boolean) => !project && below };

/** 0 is no limit. */
export const raisesLimit = {
  min: 0,
  loosens: (project: number, below: number) => below > 0 && (project === 0 || project > below),
};

export const lowers = { loosens: (project: number, below: number) => project < below };
