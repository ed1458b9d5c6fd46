/** What a process has used. */
export interface Usage {
  /** Processor time of the longest turn of the event loop since the last reading. */
  readonly longestTurnMs: number;
  /** Processor time of the main thread since the last reading. */
  readonly cpuMs: number;
  readonly rssBytes: number;
  /** JavaScript heap, and what it holds outside of it. */
  readonly heldBytes: number;
  /** The highest `rssBytes` since the process was started. */
  readonly peakRssBytes: number;
}

export interface MeterRequest {
  readonly id: number;
  /** Collect garbage first. */
  readonly settled: boolean;
}

export interface MeterAnswer {
  readonly id: number;
  readonly usage: Usage;
}
