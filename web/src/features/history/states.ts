import type { SplitValues, Values } from '../../api/secrets-api.ts';
import type { ShownChange } from '../../ui/key-changes.tsx';
import { compareValues } from '../../editing/changes.ts';

/** Every key of either state, with what differs; text and base64 of the same letters are different values. */
export function compareStates(before: SplitValues, after: SplitValues): readonly ShownChange[] {
  return compareValues(allValues(before), allValues(after)).map((change) => {
    const binary = { before: before.binary.has(change.key), after: after.binary.has(change.key) };
    const sameLetters = change.kind === 'same' && binary.before !== binary.after;
    return { ...change, binary, kind: sameLetters ? 'changed' : change.kind };
  });
}

/** Text as it is and binary as base64, in one map: a key is only ever one of both. */
function allValues({ text, binary }: SplitValues): Values {
  return new Map([...text, ...binary]);
}
