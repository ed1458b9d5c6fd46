import { useRef, useState } from 'react';
import { useDirty } from './dirty-forms.ts';

/** Sends a write. An answer that is no success rejects. */
export type Send<Input, Outcome> = (input: Input) => Promise<Outcome>;

/** Finds out what became of a write that was refused, or whose answer was lost. It never rejects. */
export type Look<Input, Outcome> = (input: Input, error: unknown) => Outcome | Promise<Outcome>;

/**
 * A write whose outcome an error alone does not always show: the answer may be lost after the write took effect. One
 * write at a time; until its outcome is known it is busy, and leaving waits for it.
 * @param onOutcome called with every outcome, before the write stops being busy; it may leave
 */
export function useUncertainWrite<Input, Outcome>(
  send: Send<Input, Outcome>,
  look: Look<Input, Outcome>,
  onOutcome: (outcome: Outcome, input: Input) => void,
) {
  const isFinished = useRef(true);
  const [isBusy, setBusy] = useState(false);
  const [outcome, setOutcome] = useState<Outcome>();
  useDirty(isBusy, 'sent', isFinished);
  const write = async (input: Input): Promise<void> => {
    if (!isFinished.current) return;
    isFinished.current = false;
    setBusy(true);
    setOutcome(undefined);
    try {
      const known = await send(input)
        .catch((error: unknown) => look(input, error))
        .finally(() => (isFinished.current = true));
      setOutcome(known);
      onOutcome(known, input);
    } finally {
      setBusy(false);
    }
  };
  return { write, isBusy, outcome, clear: () => setOutcome(undefined) };
}
