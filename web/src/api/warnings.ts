/** The texts of a response's `Warning` header, without its codes. */
export function warningsOf(headers: Headers): readonly string[] {
  return [...(headers.get('warning') ?? '').matchAll(/299 - "([^"]*)"/g)].map(([, text = '']) => text);
}
