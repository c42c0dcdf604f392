/**
 * V8 13.6 (Node 24) ends the process when it widens some loops that call functions; calls take one register at a time
 * anyway, so these loops gain nothing.
 *
 * `tests/environments/runtimes.test.ts` widens the loops of the suite in Node 24. Goes when V8 widens loops with calls.
 *
 * @module
 */

/** Whether V8 can be asked to widen the loops of a module. */
export const survivesWidening = (module: { readonly calls: boolean }): boolean => !module.calls
