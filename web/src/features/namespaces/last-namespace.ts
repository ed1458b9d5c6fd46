const KEY = 'last-namespace';

export function lastNamespace(): string | undefined {
  return localStorage.getItem(KEY) ?? undefined;
}

export function rememberNamespace(namespace: string): void {
  localStorage.setItem(KEY, namespace);
}
