/** Named by one function of the service's code that `contract.ts` reaches the types of; the pages never call it. */
declare const Buffer: { byteLength(text: string): number };
