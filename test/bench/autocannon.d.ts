declare module 'autocannon' {
  interface Options {
    readonly url: string;
    readonly connections: number;
    readonly duration: number;
    readonly headers: Readonly<Record<string, string>>;
  }
  interface Result {
    readonly requests: { readonly average: number; readonly total: number };
    readonly non2xx: number;
    readonly errors: number;
  }
  /** Loads an address for so many seconds. */
  export default function autocannon(options: Options): Promise<Result>;
}
