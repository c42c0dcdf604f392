/**
 * V8 13.6 (Node 24) crashes when it widens some loops that call functions. Such loops would gain nothing anyway, because a
 * function takes 128-bit registers.
 *
 * `tests/environments/runtimes.test.ts` widens the loops of the suite in Node 24. Remove this when V8 widens loops with calls.
 *
 * @module
 */

/** Whether V8 can be asked to widen the loops of a module. */
export const survivesWidening = (module: { readonly calls: boolean }): boolean => !module.calls
