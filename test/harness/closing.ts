/** Has something closed again, after what was opened later. */
export type OnClose = (close: () => unknown) => void;

/**
 * Starts several things that use one another. Where one does not start, those before it are closed at once, so that a
 * failed test leaves no process behind.
 */
export async function startTogether<Started extends object>(
  start: (onClose: OnClose) => Promise<Started>,
): Promise<Started & { close(): Promise<void> }> {
  const closers: (() => unknown)[] = [];
  const close = async (): Promise<void> => {
    for (const closer of closers.splice(0).toReversed()) await closer();
  };
  try {
    return { ...(await start((closer) => closers.push(closer))), close };
  } catch (error) {
    await close();
    throw error;
  }
}
