/**
 * Whether a parsed address is on this machine. It goes by the host of the parser, not by the text: the parser has already turned
 * `127.1`, `0x7f.0.0.1` and `2130706433` into dotted decimals, and `localhost@` into user info.
 */
export function isLoopback({ hostname }: URL): boolean {
  return (
    hostname === 'localhost' || hostname === '[::1]' || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(hostname)
  );
}
