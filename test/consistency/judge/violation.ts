/** A promise that was broken, with what it takes to find the place in the recording. */
export interface Violation {
  readonly rule: Rule;
  /** Names, revisions and numbers; the checker's own values are no secrets, but digests do as well. */
  readonly what: string;
}

export type Rule =
  | 'an acknowledged write took effect, on the revision that it named'
  | 'a refused write was never live'
  | 'the previous state of a write was archived before it was replaced'
  | 'the previous state of an acknowledged write stays archived until a rule removes it'
  | 'a snapshot equals its source'
  | 'numbers only grow'
  | 'nothing among the newest is removed'
  | 'a deletion that is acknowledged took effect'
  | 'what was deleted and archived can be restored'
  | 'what is listed as deleted was deleted that way, in that state'
  | 'reads never go back'
  | 'a Secret that was there all the time is found'
  | 'a snapshot that was there all the time is listed'
  | 'a list is a state that was'
  | 'versions are archived states, newest first';
