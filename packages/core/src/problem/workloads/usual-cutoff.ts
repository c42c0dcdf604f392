/**
 * How far pairs reach on the whole, if each has a cutoff of its own. Loops are chosen by it, and it gives the skin of lists. Nothing is left
 * out by it. `find-usual-cutoff.ts` finds it.
 *
 * @module
 */

/** The name of its parameter, which no parameter of a law has. */
export const usualCutoff = 'cutoff:usual'

/** A usual reach below this share of the longest makes a search by sizes worth its cost. */
const varied = 0.9

/** How far the pairs of a run reach on the whole; undefined without a cutoff. */
export const usualReach = (parameters: Readonly<Record<string, number>>): number | undefined =>
  parameters[usualCutoff] ?? parameters.cutoff

/** Whether pairs reach so differently that loops should look for them by the sizes of their points. */
export function reachesVary(parameters: Readonly<Record<string, number>>): boolean {
  const { cutoff = 0 } = parameters
  return (usualReach(parameters) ?? 0) < varied * cutoff
}
