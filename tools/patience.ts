/** Milliseconds for work that takes seconds on two idle processors. The limit only ends work that hangs, even on a very busy machine. */
export const patience = 300_000
