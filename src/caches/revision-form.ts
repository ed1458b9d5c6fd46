/** A revision as it is kept: those of Kubernetes are decimal numbers, which take less memory than their text. */
export type KeptRevision = string | number;

export function keptRevision(revision: string): KeptRevision {
  const number = Number(revision);
  return Number.isSafeInteger(number) && String(number) === revision ? number : revision;
}
