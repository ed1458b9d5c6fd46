import { useRef, useState } from 'react';

/** Sends a write. An answer that is no success rejects. */
export type Send<Input, Outcome> = (input: Input) => Promise<Outcome>;

/** Finds out what became of a write that was refused, or whose answer was lost. It never rejects. */
export type Look<Input, Outcome> = (input: Input, error: unknown) => Outcome | Promise<Outcome>;

/**
 * A write whose outcome an error alone does not always show: the answer may be lost after the write took effect. One
 * write at a time; until its outcome is known it is busy.
 * @param onOutcome called with every outcome, before the write stops being busy
 */
export function useUncertainWrite<Input, Outcome>(
  send: Send<Input, Outcome>,
  look: Look<Input, Outcome>,
  onOutcome: (outcome: Outcome, input: Input) => void,
) {
  const isRunning = useRef(false);
  const [isBusy, setBusy] = useState(false);
  const [outcome, setOutcome] = useState<Outcome>();
  const write = async (input: Input): Promise<void> => {
    if (isRunning.current) return;
    isRunning.current = true;
    setBusy(true);
    setOutcome(undefined);
    try {
      const known = await send(input).catch((error: unknown) => look(input, error));
      setOutcome(known);
      onOutcome(known, input);
    } finally {
      isRunning.current = false;
      setBusy(false);
    }
  };
  return { write, isBusy, outcome, clear: () => setOutcome(undefined) };
}
