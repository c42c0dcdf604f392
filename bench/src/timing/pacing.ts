/** How much time to take for a problem. Types only. */

export interface Pacing {
  /** Warm-up of an entry in milliseconds, unless the entry is slow. */
  readonly warm?: number
  /** The same for the first entry: an idle device takes long to return to its full clock rate. */
  readonly wake?: number
  /** The least length of a sample, in milliseconds. */
  readonly span?: number
  /** How many rounds to run; by default as many as the seconds allow. */
  readonly rounds?: number
  /** How many contenders are prepared and take turns at once; by default all. With many, the first results take long. */
  readonly together?: number
}
